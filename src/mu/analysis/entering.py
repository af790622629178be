"""What code outside the repository calls, of what a walk came to.

A server calls a view for a request, a runner a command, a library what overrides its method. A test
that goes through these uses what they call, and no edge leads from one to the other.
"""

from mu.analysis.traversal import Direction
from mu.analysis.walked import Walked
from mu.languages.entry_points import load_entry_points
from mu.model.relation import Cell, Input, Relation
from mu.store import GraphFile

MOST_REGISTRATIONS = 3
"""Registrations of a node that an answer names."""

_REGISTERED = """
SELECT DISTINCT 'registered as ' || entry.role::VARCHAR
    || CASE WHEN entry.label = '' THEN '' WHEN entry.role = 'route'
        THEN ' ' || concat_ws(' ', nullif(entry.method, ''), entry.label)
        ELSE ' of ' || entry.label END
    || ' at ' || entry.path || ':' || entry.line
    || CASE entry.framework WHEN '' THEN '' ELSE ' (' || entry.framework || ')' END AS said
FROM {walked} AS walked JOIN entry ON entry.node = walked.node
WHERE walked.distance = 0 AND entry.role NOT IN ('test', 'fixture', 'override', 'main')
ORDER BY said
"""

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


def registrations(graph: GraphFile, walked: Walked) -> tuple[str, ...]:
    """Say where the start of a backward walk is registered to be called, and as what.

    Such as `registered as receiver of user_logged_in at app/apps.py:28 (django)`; tests and
    fixtures are left out.
    """
    if walked.walk.direction is Direction.FORWARD:
        return ()
    sql = _REGISTERED.format(walked=walked.table.name)
    found = graph.run(Relation(sql, inputs=(walked.table,)), limit=MOST_REGISTRATIONS + 1)
    more = found.total - MOST_REGISTRATIONS
    told = tuple(str(row[0]) for row in found.rows[:MOST_REGISTRATIONS])
    return (*told, f"and registered at {more} more places") if more > 0 else told


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
