"""Lower the verdict of answers, and note the unresolved references that could add to them."""

from collections import Counter
from dataclasses import replace

from mu.analysis.completeness.external_callers import external_calls_note, passed_functions_note
from mu.analysis.completeness.verdict import possible_sites
from mu.analysis.node_search.listing_scope import EVERYTHING, Scope, sites_in_scope
from mu.analysis.walks.breadth_first import WalkResult
from mu.model.kinds import EdgeKind, Verdict
from mu.model.relation import Answer, Derived, Relation
from mu.operations.results import with_notes
from mu.store import GraphFile

MOST_POSSIBLE = 100
"""How many of the references in doubt an answer lists."""

_IN_NOTE = 5

_POSSIBLE = "SELECT count(*) FROM referring WHERE is_possible"

_DEFINITIONS = """
SELECT name, count(*) FROM node
WHERE name IN (SELECT unnest($1::VARCHAR[])) AND kind IN ('class', 'function') GROUP BY name
"""


def find_possible(
    graph: GraphFile,
    walked: WalkResult,
    *,
    scope: Scope = EVERYTHING,
    each_site: bool = False,
) -> Answer:
    """Find the first references in a scope that could add to what the walk found.

    With `each_site` those count too that stand in what it found, as the answer lists every site.
    `definitions` is how many functions and classes of the repository have the name of each.
    """
    sites = open_sites(graph, walked, scope=scope, each_site=each_site)
    found = graph.run(sites, limit=MOST_POSSIBLE)
    at = found.columns.index("text")
    names = [_last_name(str(row[at])) for row in found.rows]
    asked = Relation(_DEFINITIONS, (sorted(set(names)),))
    counted = graph.run(asked, limit=None).rows if names else ()
    counts = {str(name): count for name, count in counted}
    rows = tuple((*row, counts.get(name, 0)) for row, name in zip(found.rows, names, strict=True))
    return replace(found, columns=(*found.columns, "definitions"), rows=rows)


def open_sites(
    graph: GraphFile,
    walked: WalkResult,
    *,
    scope: Scope = EVERYTHING,
    each_site: bool = False,
) -> Relation:
    """Give the references in a scope that are not resolved and could add to what a walk found."""
    sites = possible_sites(graph, walked, each_site=each_site)
    return sites if scope.is_everything else sites_in_scope(sites, scope)


def _last_name(text: str) -> str:
    return text.rpartition(".")[2].rpartition(":")[2]


def with_external_callers(
    answer: Answer, graph: GraphFile, *, walked: WalkResult, knows_places: bool = False
) -> Answer:
    """Give the answer with its verdict where code outside may call what the walk went through.

    `knows_places` says that it tells already where the start is passed on.
    """
    if EdgeKind.CALLS not in walked.walk.kinds:
        return answer
    is_exact = answer.verdict is Verdict.EXACT
    note = external_calls_note(graph, walked, is_empty=not answer.total, of_start=not is_exact)
    answer = with_notes(answer, note, verdict=Verdict.AT_LEAST if note and is_exact else None)
    if answer.verdict is not Verdict.EXACT and answer.total:
        return answer
    note = passed_functions_note(graph, walked, knows_places=knows_places)
    return with_notes(answer, note, verdict=Verdict.AT_LEAST if note and is_exact else None)


def with_open_references_note(graph: GraphFile, relation: Relation, *, answer: Answer) -> Answer:
    """Give references to a node with a note on how many of all are not resolved."""
    if len(answer.rows) == answer.total:  # the query takes as long as the answer
        at = answer.columns.index("is_possible")
        count = sum(1 for row in answer.rows if row[at])
    else:
        possible = Relation(_POSSIBLE, inputs=(Derived("referring", relation),))
        count = int(str(graph.run(possible).rows[0][0]))
    if not count:
        return answer
    are = "1 of them is" if count == 1 else f"{count:,} of them are"
    return with_notes(answer, f"{are} not resolved and only possible", verdict=Verdict.AT_LEAST)


def with_verdict(answer: Answer, possible: Answer) -> Answer:
    """Give the answer with its verdict, and a note on what could add to it."""
    is_lower = bool(possible.total) and answer.verdict is Verdict.EXACT
    return with_notes(
        answer, possible_summary(possible), verdict=Verdict.AT_LEAST if is_lower else None
    )


def possible_summary(possible: Answer) -> str:
    """Say how many references could add to an answer, and where the first of them are."""
    if not possible.total:
        return ""
    places = Counter(
        f"{path}:{line} `{text}` ({why})" for _, path, line, text, why, *_ in possible.rows
    )
    first = list(places)[:_IN_NOTE]
    shown = "; ".join(first)
    left = possible.total - sum(places[place] for place in first)
    more = f" and {left} more" if left else ""
    count = "1 open reference" if possible.total == 1 else f"{possible.total} open references"
    return f"{count} could add to this: {shown}{more}"
