"""An answer as a tree: what was reached below what it was reached from."""

from collections.abc import Iterator, Mapping, Sequence

from mu.errors import ExitCode, MuError
from mu.model.relation import Answer
from mu.render.formats.drawing import column_texts
from mu.render.text import printable


def tree_lines(answer: Answer) -> Iterator[str]:
    """Give a line for each row, indented below the row or node it was reached from.

    Rows with `step` follow each other downwards. Raises MuError (usage) when the columns do not
    tell what leads to what.
    """
    columns = set(answer.columns)
    if {"id", "from_id"} <= columns:
        yield from _reached(answer)
    elif {"id", "step"} <= columns:
        yield from _steps(answer)
    else:
        raise MuError(
            "these rows are no tree",
            "rows with `id` and `from_id`, or `id` and `step`, are: those of SHOW and PATH",
            ExitCode.USAGE,
        )


def _reached(answer: Answer) -> Iterator[str]:
    """Nest rows by `from_id`; what no row has as its `id` stands at the top."""
    ids, sources, kinds = (column_texts(answer, name) for name in ("id", "from_id", "via"))
    sites = zip(*(column_texts(answer, name) for name in ("site_path", "site_line")), strict=True)
    kinds = [
        f"{kind} at {path}:{line}" if path else kind
        for kind, (path, line) in zip(kinds, sites, strict=True)
    ]
    below: dict[str, list[tuple[str, str]]] = {}
    for node, source, kind in zip(ids, sources, kinds, strict=True):
        below.setdefault(source, []).append((node, kind))
    opened: set[str] = set()
    for top in sorted(below, key=set(ids).__contains__):  # in a circle, all were reached
        if top not in opened:
            yield printable(top)
            yield from _branches(below, top, opened)


def _branches(
    below: Mapping[str, Sequence[tuple[str, str]]], top: str, opened: set[str]
) -> Iterator[str]:
    """Give the lines below `top`; a node that was reached twice is opened the first time alone."""
    opened.add(top)
    pending = [(node, kind, "", place + 1 == len(below[top]))
               for place, (node, kind) in enumerate(below[top])][::-1]  # fmt: skip
    while pending:
        node, kind, indent, is_last = pending.pop()
        yield f"{indent}{'└─' if is_last else '├─'} {printable(node)}{_remark(kind)}"
        children = () if node in opened else below.get(node, ())
        opened.add(node)
        deeper = indent + ("   " if is_last else "│  ")
        pending += [
            (child, via, deeper, place + 1 == len(children))
            for place, (child, via) in enumerate(children)
        ][::-1]


def _steps(answer: Answer) -> Iterator[str]:
    steps = column_texts(answer, "step")
    rows = zip(column_texts(answer, "id"), column_texts(answer, "via"), strict=True)
    depth, reached_by = -1, ""
    for step, (node, kind) in zip(steps, rows, strict=True):
        depth = 0 if step == "0" else depth + 1
        if depth:
            yield f"{'   ' * (depth - 1)}└─ {printable(node)}{_remark(reached_by)}"
        else:
            yield printable(node)
        reached_by = kind


def _remark(kind: str) -> str:
    return f"  ({printable(kind)})" if kind else ""
