"""What could add to an answer: how far it is to be relied on, and what is in doubt."""

from collections import Counter
from dataclasses import dataclass

from mu.analysis.verdict import possible_sites, read_properties
from mu.analysis.walked import Walked
from mu.model.kinds import Verdict
from mu.model.relation import Answer
from mu.operations.results import noted
from mu.store import GraphFile

MOST_POSSIBLE = 100
"""How many of the references in doubt an answer lists."""

_IN_NOTE = 5


@dataclass(frozen=True, slots=True)
class Doubt:
    """The first references that could add to an answer, and a note on others that may be there."""

    possible: Answer
    note: str = ""


def find_doubt(graph: GraphFile, walked: Walked) -> Doubt:
    """Find what could add to what the walk found."""
    possible = graph.run(possible_sites(graph, walked), limit=MOST_POSSIBLE)
    properties = read_properties(walked)
    if properties is None:
        return Doubt(possible)
    return Doubt(possible, _unseen(graph.run(properties, limit=1), is_sure=not possible.total))


def judged(answer: Answer, doubt: Doubt) -> Answer:
    """Give the answer with its verdict, and notes on what could add to it."""
    in_doubt = doubt.possible.total or doubt.note
    verdict = Verdict.AT_LEAST if in_doubt else answer.verdict
    return noted(answer, _listed(doubt.possible), doubt.note, verdict=verdict)


def _unseen(properties: Answer, *, is_sure: bool) -> str:
    """Say that a property may be read where nothing is recorded.

    Of one on the way only when the answer `is_sure` otherwise: else the verdict says it already.
    """
    if not properties.total:
        return ""
    name, distance = properties.rows[0]
    if distance and not is_sure:
        return ""
    return f"{name} is a property: reads of it on an unknown receiver are not recorded"


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
