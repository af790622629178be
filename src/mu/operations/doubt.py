"""What could add to an answer: how far it is to be relied on, and what is in doubt."""

from collections import Counter

from mu.analysis.verdict import possible_sites
from mu.analysis.walked import Walked
from mu.model.kinds import Verdict
from mu.model.relation import Answer
from mu.operations.results import noted
from mu.store import GraphFile

MOST_POSSIBLE = 100
"""How many of the references in doubt an answer lists."""

_IN_NOTE = 5


def find_doubt(graph: GraphFile, walked: Walked) -> Answer:
    """Find the first references that could add to what the walk found."""
    return graph.run(possible_sites(graph, walked), limit=MOST_POSSIBLE)


def judged(answer: Answer, possible: Answer) -> Answer:
    """Give the answer with its verdict, and a note on what could add to it."""
    verdict = Verdict.AT_LEAST if possible.total else answer.verdict
    return noted(answer, _listed(possible), verdict=verdict)


def _listed(possible: Answer) -> str:
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
