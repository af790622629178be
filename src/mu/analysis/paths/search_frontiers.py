"""The frontiers of a failed path search: open calls forward, topmost callers backward."""

from mu.analysis.walks.breadth_first import WalkResult
from mu.model.relation import Answer, Relation
from mu.store import GraphFile

_SHOWN = 3

_TOP = """
SELECT node.id FROM {walked} AS walked JOIN node ON node.key = walked.node
WHERE NOT EXISTS (FROM edge WHERE edge.kind = 'calls' AND edge.target = walked.node)
ORDER BY walked.distance, node.key
"""

_HANDED = """
SELECT DISTINCT place.path || ':' || site.line || ' `' || site.text || '`' AS said
FROM site JOIN file AS place ON place.key = site.file
WHERE site.target IN (SELECT node FROM {walked} WHERE distance = 0) AND site.kind = 'value'
ORDER BY said
"""


def forward_end_note(walked: WalkResult, possible: Answer) -> str:
    """Say how many functions the forward walk reached, and at which open calls it ends."""
    reached = sum(row[1] != 0 for row in walked.table.rows)
    functions = "1 function" if reached == 1 else f"{reached} functions"
    if not possible.rows:
        return f"forward: {functions} reached, and every call in them is resolved"
    calls = "; ".join(f"{row[1]}:{row[2]} `{row[3]}`" for row in possible.rows[:_SHOWN])
    return f"forward: {functions} reached; open calls: {calls}"


def backward_end_note(graph: GraphFile, walked: WalkResult) -> str:
    """Say from where the start of a backward walk is reached, and where it is passed as a value."""
    name = walked.table.name
    top = graph.run(Relation(_TOP.format(walked=name), inputs=(walked.table,)), limit=_SHOWN)
    handed = graph.run(Relation(_HANDED.format(walked=name), inputs=(walked.table,)), limit=_SHOWN)
    count = sum(row[1] != 0 for row in walked.table.rows)
    functions = "1 function reaches" if count == 1 else f"{count} functions reach"
    said = f"backward: {functions} the goal"
    if count and top.rows:
        said += f", the first are called by nothing known: {', '.join(str(r[0]) for r in top.rows)}"
    if handed.rows:
        said += f"; it is passed as a value at {'; '.join(str(row[0]) for row in handed.rows)}"
    return said
