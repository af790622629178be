"""An answer as a JSON document: `columns, rows, total, truncated, verdict, notes, elapsed_ms`.

Rows are lists in the order of `columns`. Everything outside ASCII is written as an escape, so the
document can be printed anywhere and no character in it acts on a terminal.
"""

import json
from collections.abc import Iterator, Mapping, Sequence

from mu.model.relation import Answer, Scalar

Value = Scalar | Sequence["Value"] | Mapping[str, "Value"]


def json_document(answer: Answer, *, about: Mapping[str, Value], next_offset: int | None) -> str:
    """Write the answer after what it is `about`, one line for each field and each row.

    `next_offset` stands last: what to pass as the offset for the rows after these, null at the end.
    """
    fields = [f"  {_encoded(name)}: {_encoded(value)}" for name, value in about.items()]
    fields.append(f'  "columns": {_encoded(answer.columns)}')
    rows = ",\n".join(f"    {_encoded(row)}" for row in answer.rows)
    fields.append(f'  "rows": [\n{rows}\n  ]' if rows else '  "rows": []')
    rest: dict[str, Value] = {
        "total": answer.total,
        "truncated": answer.truncated,
        "verdict": answer.verdict.value,
        "notes": answer.notes,
        "elapsed_ms": round(answer.elapsed_ms, 3),
        "next_offset": next_offset,
    }
    fields += [f"  {_encoded(name)}: {_encoded(value)}" for name, value in rest.items()]
    return "{\n" + ",\n".join(fields) + "\n}\n"


def json_lines(answer: Answer) -> Iterator[str]:
    """Write each row as an object of its own, on a line of its own, by the names of the columns.

    A name that several columns have is numbered from the second on: `name`, `name_1`.
    """
    names: list[str] = []
    for column in answer.columns:
        taken = sum(column == other for other in answer.columns[: len(names)])
        names.append(f"{column}_{taken}" if taken else column)
    for row in answer.rows:
        yield _encoded(dict(zip(names, row, strict=True))) + "\n"


def _encoded(value: Value) -> str:
    return json.dumps(value).replace("\x7f", "\\u007f")
