"""Every place and node that an answer names is looked up in the graph.

What the graph has becomes a citation; what it has not is marked in the text and listed. A place is
a path with an extension of an indexed file and a line, `path:12` or `path:12-20`; a node is an id
(`fn:path:Name`) or `path:Name`; a name in backquotes counts when it is dotted or camel-cased, one
in the running text when it is dotted and looks like code (`Order.total`, `shop.add_item`,
`cart.clear()`). Names are looked for among names, the ends of qualified names, and the references
in the text.
"""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass

import msgspec

from mu.agent.values import Citation
from mu.model.relation import Relation
from mu.operations.workspace import Workspace

MARK = " [not in the graph]"

_PLACE = re.compile(
    r"(?<![\w/.:-])(?P<prefix>(?:mod|cls|fn|var|doc|sec):)?"
    r"(?P<path>(?:[\w.@+~-]+/)*[\w.@+~-]*\.[A-Za-z]\w{0,7})"
    r"(?::(?P<line>\d+)(?:-(?P<last>\d+))?|:(?P<name>[A-Za-z_][\w.]*\w|[A-Za-z_]))?(?![\w/])"
)
_QUOTED = re.compile(r"`([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)(?:\(\))?`")
_DOTTED = re.compile(r"(?<![\w./:@`-])([A-Za-z_]\w+(?:\.[A-Za-z_]\w+)+)(\(\))?(?![\w/@`-]|[.:]\w)")
_CODE = re.compile(r"```.*?```", re.DOTALL)

_FILES = "SELECT path, lines FROM file WHERE path IN (SELECT unnest(?::VARCHAR[]))"
_NODES = """
SELECT node.id, place.path, node.start_line FROM node
LEFT JOIN file AS place ON place.key = node.file
WHERE node.id IN (SELECT unnest(?::VARCHAR[]))
"""
_NAMES = """
WITH wanted AS (SELECT unnest(?::VARCHAR[]) AS text)
SELECT DISTINCT wanted.text FROM wanted JOIN node
    ON node.name = list_last(string_split(wanted.text, '.'))
    AND (node.qualified_name = wanted.text OR ends_with(node.qualified_name, '.' || wanted.text)
        OR node.name = wanted.text)
"""
_HOLDERS = """
WITH wanted AS (SELECT unnest(?::VARCHAR[]) AS path, unnest(?::INTEGER[]) AS line)
SELECT wanted.path, wanted.line, arg_max(node.id, (node.start_line, -node.end_line))
FROM wanted JOIN file ON file.path = wanted.path
JOIN node ON node.file = file.key AND wanted.line BETWEEN node.start_line AND node.end_line
GROUP BY ALL
"""
"""The innermost node whose text holds a line."""

_TEXTS = "SELECT DISTINCT text FROM site WHERE text IN (SELECT unnest(?::VARCHAR[]))"
_EXTENSIONS = "SELECT DISTINCT regexp_extract(path, '[.](\\w+)$', 1) FROM file"


@dataclass(frozen=True, slots=True)
class Grounded:
    """An answer with what is not in the graph marked; see `AgentResponse`."""

    text: str
    citations: tuple[Citation, ...]
    unverified: tuple[str, ...]


def ground(text: str, workspace: Workspace, *, allowed: Collection[str] = ()) -> Grounded:
    """Look up what an answer names; names that are `allowed` may be in no graph, such as tools."""
    places = list(_PLACE.finditer(text))
    extensions = {row[0] for row in workspace.graph.run(Relation(_EXTENSIONS), limit=None).rows}
    places = [m for m in places if _is_meant(m, extensions)]
    lines = _known_lines(workspace, {m["path"] for m in places})
    ids = {i for m in places for i in _ids(m)}
    nodes = _known_nodes(workspace, ids)
    named = {(m["path"], _line(m)) for m in places}
    holders = _holders(workspace, {(p, line) for p, line in named if 1 <= line <= lines.get(p, 0)})
    citations: dict[str, Citation] = {}
    wrong: dict[str, None] = {}
    for match in places:
        found = _cited(match, lines, nodes, holders)
        if found is None:
            wrong[match[0]] = None
        else:
            citations[match[0]] = found
    for name in _missing_names(workspace, text, allowed):
        wrong[name] = None
    return Grounded(_marked(text, wrong), tuple(citations.values()), tuple(wrong))


def _is_meant(match: re.Match[str], extensions: Collection[object]) -> bool:
    """Tell whether something that looks like a file name is one: `os.path` and `3.11` are not."""
    is_file = match["path"].rpartition(".")[2] in extensions
    return is_file and bool(match["prefix"] or match["line"] or match["name"] or "/" in match[0])


def _known_lines(workspace: Workspace, paths: set[str]) -> dict[str, int]:
    rows = workspace.graph.run(Relation(_FILES, (sorted(paths),)), limit=None).rows
    return dict(msgspec.convert(rows, list[tuple[str, int]]))


def _known_nodes(workspace: Workspace, ids: set[str]) -> dict[str, tuple[str, int | None]]:
    rows = workspace.graph.run(Relation(_NODES, (sorted(ids),)), limit=None).rows
    listed = msgspec.convert(rows, list[tuple[str, str | None, int | None]])
    return {node: (path or "", line) for node, path, line in listed}


def _holders(workspace: Workspace, places: set[tuple[str, int]]) -> dict[tuple[str, int], str]:
    """Give the node that holds each place."""
    paths, lines = [path for path, _ in places], [line for _, line in places]
    rows = workspace.graph.run(Relation(_HOLDERS, (paths, lines)), limit=None).rows
    listed = msgspec.convert(rows, list[tuple[str, int, str]])
    return {(path, line): node for path, line, node in listed}


def _ids(match: re.Match[str]) -> tuple[str, ...]:
    path, name = match["path"], match["name"]
    if name:
        kinds = (match["prefix"],) if match["prefix"] else ("cls:", "fn:", "var:")
        return tuple(f"{kind}{path}:{name}" for kind in kinds)
    return (f"mod:{path}",) if match["prefix"] and not match["line"] else ()


def _cited(
    match: re.Match[str],
    lines: Mapping[str, int],
    nodes: Mapping[str, tuple[str, int | None]],
    holders: Mapping[tuple[str, int], str],
) -> Citation | None:
    """What a place or id in the answer is in the graph; None when there is no such thing."""
    path = match["path"]
    if path not in lines:
        return None
    for node in _ids(match):
        if node in nodes:
            return Citation(match[0], path, nodes[node][1], node)
    if match["name"]:
        return None
    if match["line"] is None:
        return Citation(match[0], path)
    line = _line(match)
    is_there = 1 <= line <= (_line(match, "last") or line) <= lines[path]
    return Citation(match[0], path, line, holders.get((path, line), "")) if is_there else None


def _line(match: re.Match[str], which: str = "line") -> int:
    """Give a line that is named, 0 where none is; ten digits are more than any file has."""
    return int((match[which] or "0")[:10])


def _missing_names(workspace: Workspace, text: str, allowed: Collection[str]) -> list[str]:
    """The names in backquotes that look like code and that nothing in the graph has."""
    plain = _CODE.sub("", text)
    quoted = [name for name in _QUOTED.findall(plain) if _is_code(name)]
    dotted = [
        match[1] for match in _DOTTED.finditer(plain) if match[2] or _is_dotted_code(match[1])
    ]
    names = [name for name in dict.fromkeys([*quoted, *dotted]) if name not in allowed]
    if not names:
        return []
    known = {row[0] for row in workspace.graph.run(Relation(_NAMES, (names,)), limit=None).rows}
    unknown = [name for name in names if name not in known]
    if not unknown:
        return []
    written = {row[0] for row in workspace.graph.run(Relation(_TEXTS, (unknown,)), limit=None).rows}
    return [name for name in unknown if name not in written]


def _is_code(name: str) -> bool:
    return "." in name or "_" in name or not (name.islower() or name.isupper() or name.istitle())


def _is_dotted_code(name: str) -> bool:
    """Tell whether a dotted name in the running text is code, and no address, file or product.

    `Order.total` and `shop.add_item` are; `Node.js`, `example.com` and `U.S` are not.
    """
    *holders, last = name.split(".")
    has_class = any(part[0].isupper() and not part.isupper() for part in holders)
    return "_" in name or (has_class and len(last) > 3)


def _marked(text: str, wrong: dict[str, None]) -> str:
    for name in wrong:
        text = re.sub(rf"(?<![\w/.]){re.escape(name)}(?![\w/])`?", rf"\g<0>{MARK}", text)
    return text
