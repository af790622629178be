"""Hotspots by added columns: churn of files, and test coverage.

- churn * complexity (Tornhill, Your Code as a Crime Scene, 2015): complex and often changed.
- complexity^2 * (1 - coverage)^3 + complexity: the change risk (CRAP) of Savoia and Evans (2007):
  what is complex and not tested. It takes the place of complexity where coverage is known.

A function that the report of coverage does not have counts as covered, and one in a file that no
commit changed as unchanged: nothing is held against what is not known.
"""

from collections.abc import Mapping

from mu.analysis.metrics.code_metrics import Columns
from mu.model.relation import Input, Relation
from mu.store import quote_name

USED = ("churn", "coverage")
"""Added columns that hotspots are made of, where they are numbers."""

_SQL = """
SELECT node.id AS id, node.name AS name, node.kind::VARCHAR AS kind, place.path AS path,
    node.start_line AS line, node.complexity AS complexity, node.lines AS lines, {values},
    round({score}, 3)::DOUBLE AS score
FROM node JOIN file AS place ON place.key = node.file
{joins}
WHERE node.kind = 'function' AND NOT node.is_test AND node.file NOT IN (FROM left_out)
ORDER BY score DESC, node.lines DESC, place.path, node.start_line
"""


def risk(
    left_out: Input, added: Mapping[str, Input], *, by_path: frozenset[str]
) -> tuple[Relation, Columns]:
    """Give the hotspots of functions by the columns `added`, one of `USED` at least.

    Each is a table of `key` and `value`; `by_path` are those whose keys are paths, not ids.
    """
    risky = "node.complexity"
    if "coverage" in added:
        risky = f"({risky} ** 2 * (1 - coalesce(coverage.value, 1)) ** 3 + {risky})"
    score = f"coalesce(churn.value, 0) * {risky}" if "churn" in added else risky
    joins = "\n".join(
        f"LEFT JOIN {quote_name(table.name)} AS {name}"
        f" ON {name}.key = {'place.path' if name in by_path else 'node.id'}"
        for name, table in added.items()
    )
    values = ", ".join(f"{name}.value AS {name}" for name in added)
    columns: Columns = (
        *(("id", "VARCHAR"), ("name", "VARCHAR"), ("kind", "VARCHAR"), ("path", "VARCHAR")),
        *(("line", "INTEGER"), ("complexity", "INTEGER"), ("lines", "INTEGER")),
        *((name, table.types[1]) for name, table in added.items()),
        ("score", "DOUBLE"),
    )
    sql = _SQL.format(values=values, score=score, joins=joins)
    return Relation(sql, inputs=(left_out, *added.values())), columns
