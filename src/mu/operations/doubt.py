"""What could add to an answer: how far it is to be relied on, and what is in doubt."""

from collections import Counter

from mu.analysis.entering import calls_from_outside
from mu.analysis.scope import EVERYTHING, Scope, sites_in_scope
from mu.analysis.verdict import possible_sites
from mu.analysis.walked import Walked
from mu.model.kinds import EdgeKind, Verdict
from mu.model.relation import Answer
from mu.operations.results import noted
from mu.store import GraphFile

MOST_POSSIBLE = 100
"""How many of the references in doubt an answer lists."""

_IN_NOTE = 5


def find_doubt(graph: GraphFile, walked: Walked, *, scope: Scope = EVERYTHING) -> Answer:
    """Find the first references in a scope that could add to what the walk found."""
    sites = possible_sites(graph, walked)
    if not scope.is_everything:
        sites = sites_in_scope(sites, scope)
    return graph.run(sites, limit=MOST_POSSIBLE)


def run_from_outside(answer: Answer, graph: GraphFile, *, walked: Walked) -> Answer:
    """Give the answer with its verdict where code outside may call what the walk went through."""
    if EdgeKind.CALLS not in walked.walk.kinds:
        return answer
    is_exact = answer.verdict is Verdict.EXACT
    note = calls_from_outside(graph, walked, is_empty=not answer.total, of_start=not is_exact)
    return noted(answer, note, verdict=Verdict.AT_LEAST if note and is_exact else None)


def judged(answer: Answer, possible: Answer) -> Answer:
    """Give the answer with its verdict, and a note on what could add to it."""
    is_lower = bool(possible.total) and answer.verdict is Verdict.EXACT
    return noted(answer, summary(possible), verdict=Verdict.AT_LEAST if is_lower else None)


def summary(possible: Answer) -> str:
    """Say how many references could add to an answer, and where the first of them are."""
    if not possible.total:
        return ""
    places = Counter(
        f"{path}:{line} `{text}` ({why})" for _, path, line, text, why, _ in possible.rows
    )
    first = list(places)[:_IN_NOTE]
    shown = "; ".join(first)
    left = possible.total - sum(places[place] for place in first)
    more = f" and {left} more" if left else ""
    count = "1 open reference" if possible.total == 1 else f"{possible.total} open references"
    return f"{count} could add to this: {shown}{more}"
