"""Make every cell of an answer one of the few types that all surfaces can show.

The engine gives dates, decimals, intervals, structs and bytes too. What has no exact counterpart
becomes text, and a number stays a number.
"""

import json
from collections.abc import Sequence
from datetime import date, datetime, time
from decimal import Decimal

from mu.model.relation import Cell, Scalar

_PLAIN = frozenset({
    "VARCHAR", "BOOLEAN", "TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "UTINYINT",
    "USMALLINT", "UINTEGER", "UBIGINT", "FLOAT", "DOUBLE", "VARCHAR[]", "INTEGER[]", "BIGINT[]",
    "DOUBLE[]", "BOOLEAN[]",
})  # fmt: skip
"""Types whose Python values are cells already."""


def plain_rows(
    rows: Sequence[tuple[object, ...]], types: Sequence[str]
) -> tuple[tuple[Cell, ...], ...]:
    """Convert the columns that need it; `types` are the engine's names of the columns' types."""
    if all(name in _PLAIN or name.startswith("ENUM") for name in types):
        return tuple(rows)  # type: ignore[arg-type]  # the engine's rows are untyped
    return tuple(tuple(_cell(value) for value in row) for row in rows)


def _cell(value: object) -> Cell:
    if isinstance(value, (list, tuple)):
        return [_scalar(item) for item in value]
    return _scalar(value)


def _scalar(value: object) -> Scalar:
    if value is None or isinstance(value, (str, int, float)):
        return value
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, (date, datetime, time)):
        return value.isoformat()
    if isinstance(value, (bytes, bytearray)):
        return value.hex()
    if isinstance(value, (dict, list, tuple)):
        return json.dumps(value, default=str, ensure_ascii=False)
    return str(value)
