"""What code outside the repository calls, of what a walk came to.

A server calls a view for a request, a runner a command, a library what overrides its method. A test
that goes through these uses what they call, and no edge leads from one to the other.
"""

from mu.analysis.walked import Walked
from mu.languages.entry_points import load_entry_points
from mu.model.relation import Cell, Input, Relation
from mu.store import GraphFile

_ENTERED = """
WITH near AS (
    SELECT node.* FROM {walked} AS walked JOIN node ON node.key = walked.node
    WHERE walked.distance < $depth AND NOT node.is_test
)
SELECT near.id, entry.role::VARCHAR || CASE entry.framework WHEN '' THEN '' ELSE ' of ' END
    || entry.framework
FROM near JOIN entry ON entry.node = near.key WHERE entry.role NOT IN ('test', 'fixture')
UNION ALL
SELECT near.id, '@' || trim(split_part(given.decorator, '(', 1))
FROM near, unnest(near.decorators) AS given(decorator)
WHERE near.language IN (SELECT language FROM wrapper) AND NOT EXISTS (
    FROM wrapper WHERE wrapper.language = near.language
        AND trim(split_part(given.decorator, '(', 1)) GLOB wrapper.pattern
)
ORDER BY ALL
"""


def entered(graph: GraphFile, walked: Walked) -> tuple[str, ...]:
    """Say for each node that code outside calls how that comes: `fn:a.py:view (route of django)`.

    They are those that a backward walk went on from; tests are none of them.
    """
    sql = _ENTERED.format(walked=walked.table.name)
    values = {"depth": walked.walk.bound}
    rows = graph.run(Relation(sql, values, inputs=(walked.table, _wrappers())), limit=None).rows
    first: dict[str, str] = {}
    for node, how in rows:
        first.setdefault(str(node), str(how))
    return tuple(f"{node} ({how})" for node, how in first.items())


def _wrappers() -> Input:
    """Give the decorators that only wrap what they decorate, in languages that have any."""
    rows: list[tuple[Cell, ...]] = [
        (known.language, pattern) for known in load_entry_points() for pattern in known.wrappers
    ]
    return Input("wrapper", ("language", "pattern"), ("VARCHAR", "VARCHAR"), rows)
