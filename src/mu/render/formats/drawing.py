"""What of an answer can be drawn: nodes, and the edges between them.

Three shapes of rows have edges: `source` and `target`; `id` and the `from_id` it was reached from;
and `step`, where each row leads to the next one, and in a cycle the last to the first.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from mu.errors import ExitCode, MuError
from mu.model.relation import Answer

_PREFIXES = {"pkg": "module", "mod": "module", "cls": "class", "fn": "function", "var": "variable",
             "doc": "document", "sec": "section", "ext": "external"}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Arc:
    """A line from one node to another, by their ids; `label` is the kind of edge, if known."""

    source: str
    target: str
    label: str = ""


@dataclass(frozen=True, slots=True)
class Drawing:
    """Nodes, by their ids, and the edges between them; undirected when the way is not known."""

    nodes: tuple[str, ...]
    arcs: tuple[Arc, ...]
    is_directed: bool = True


def drawing_of(answer: Answer, *, is_backward: bool | None) -> Drawing:
    """Find the nodes and edges in the rows of an answer.

    `is_backward` says of rows with a `from_id` that they depend on it and not it on them, None that
    this is not known. Raises MuError (usage) when the columns have no edges.
    """
    columns = set(answer.columns)
    if {"source", "target"} <= columns:
        arcs = [Arc(a, b, label) for a, b, label in _texts(answer, "source", "target", "kind")]
    elif {"id", "from_id"} <= columns:
        reached = _texts(answer, "from_id", "id", "via")
        arcs = [Arc(b, a, via) if is_backward else Arc(a, b, via) for a, b, via in reached]
        return _drawing(arcs, is_directed=is_backward is not None)
    elif {"id", "step"} <= columns:
        arcs = list(_steps(answer))
        alone = [row[0] for row in _texts(answer, "id")]
        return Drawing(tuple(dict.fromkeys(alone)), tuple(arcs))
    else:
        raise MuError(
            "these rows have no edges to draw",
            "rows with `source` and `target`, `id` and `from_id`, or `id` and `step` have",
            ExitCode.USAGE,
        )
    return _drawing(arcs, is_directed=True)


def kind_of(node_id: str) -> str:
    """Give the kind of node that the prefix of an id stands for; empty for an unknown one."""
    return _PREFIXES.get(node_id.partition(":")[0], "")


def label_of(node_id: str) -> str:
    """Give an id without its kind and with the last two parts of its path: `app/auth.py:login`."""
    place = node_id.partition(":")[2] or node_id
    path, colon, name = place.partition(":")
    return "/".join(path.split("/")[-2:]) + colon + name


def column_texts(answer: Answer, name: str) -> list[str]:
    """Give the cells of a column as texts, empty ones where it is absent or a cell is NULL."""
    if name not in answer.columns:
        return [""] * len(answer.rows)
    place = answer.columns.index(name)
    return ["" if row[place] is None else str(row[place]) for row in answer.rows]


def _texts(answer: Answer, *names: str) -> Iterator[tuple[str, ...]]:
    return zip(*(column_texts(answer, name) for name in names), strict=True)


def _steps(answer: Answer) -> Iterator[Arc]:
    """Give the edge from each row to the next of the same group; a cycle leads back to its start.

    The label of an edge stands in the row it leaves from.
    """
    group = next((n for n in ("cycle_id", "path_id") if n in answer.columns), "")
    rows = list(_texts(answer, "id", "via", group))
    first = 0
    for place, (source, label, number) in enumerate(rows):
        following = rows[place + 1] if place + 1 < len(rows) else None
        if following is not None and following[2] == number:
            yield Arc(source, following[0], label)
            continue
        if group == "cycle_id":
            yield Arc(source, rows[first][0], label)
        first = place + 1


def _drawing(arcs: Iterable[Arc], *, is_directed: bool) -> Drawing:
    whole = tuple(dict.fromkeys(arc for arc in arcs if arc.source and arc.target))
    ends = dict.fromkeys(end for arc in whole for end in (arc.source, arc.target))
    return Drawing(tuple(ends), whole, is_directed)
