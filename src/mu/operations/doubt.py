"""What could add to an answer: how far it is to be relied on, and what is in doubt."""

from mu.analysis.traversal import Walk
from mu.analysis.verdict import possible_sites
from mu.model.kinds import Verdict
from mu.model.relation import Answer
from mu.operations.results import noted
from mu.store import GraphFile

MOST_POSSIBLE = 100
"""How many of the references in doubt an answer lists."""

_IN_NOTE = 5


def find_possible(graph: GraphFile, walk: Walk) -> Answer:
    """List the first references that could add to what `walk` finds, and count all."""
    return graph.run(possible_sites(graph, walk), limit=MOST_POSSIBLE)


def judged(answer: Answer, possible: Answer) -> Answer:
    """Give the answer with its verdict, and a note on what could add to it."""
    verdict = Verdict.AT_LEAST if possible.total else Verdict.EXACT
    return noted(answer, _listed(possible), verdict=verdict)


def _listed(possible: Answer) -> str:
    if not possible.total:
        return ""
    first = possible.rows[:_IN_NOTE]
    shown = "; ".join(f"{path}:{line} `{text}` ({why})" for _, path, line, text, why, _ in first)
    more = f" and {possible.total - len(first)} more" if possible.total > len(first) else ""
    count = "1 open reference" if possible.total == 1 else f"{possible.total} open references"
    return f"{count} could add to this: {shown}{more}"
