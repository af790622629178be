"""Find the one node that a node reference means.

A reference is an id, a path, `path:line`, `path:name`, a qualified name, a dotted suffix of one, or
a bare name, each with the number of a duplicate as ids have it (`send~2`), or the dotted name under
which a module takes in a definition of another (such as a package that re-exports it), or the end
of a path. They are tried in that order; the first that finds anything decides. A member that a
class only inherits is that of the nearest class above it; a public name that nothing else fits may
stand in a module that the package imports from itself. Where nothing is found, the reference is
read as other tools write it (`reference_spelling`); then as a path without its ending, as imports
have it; and of plain words, as in `connection pool`, the name is sought that is made of them, a
class's before others, whatever the case and the underscores of both. A path may begin at the root
of the file system, also of another: where the code is installed or was checked out elsewhere, its
end says which file of the repository is meant.

Among what it finds, the repository comes before externals, code before documents, source before
tests and what is written out before what is only declared (`.pyi`, `.d.ts`). Of definitions of the
same name in the same scope (overloads, the parts of a property) the longest stands for all, as they
do in a walk; where calls are linked to overloads, one that is named by its id, its number or a line
of it stands alone. A definition comes before what only leads to it: the file that is named after
it, its constructors, variables of that name in files that import its file; and a class before
fields (which Go names after the type that they embed). More than one left is an error that lists
them, none is an error with the nearest names: a wrong guess would make every answer that follows
wrong.
"""

import re
from typing import NamedTuple

from mu.errors import ExitCode, MuError
from mu.languages.overloads import OVERLOADING_LANGUAGES
from mu.model.found import FoundNode
from mu.model.kinds import EdgeKind, NodeKind
from mu.model.relation import Answer, Cell, Relation
from mu.store import GraphFile

SHOWN_CANDIDATES = 10
MAX_REFERENCE = 1_000

_NEAREST = 3
_HIGHEST = 30
_CLOSE_ENOUGH = 0.6
_COMPARED = 60
_LINES = re.compile(r"[0-9]{1,9}(?:-[0-9]+)?")
_WORDS = re.compile(r"\w+(?: \w+){0,4}")
_NUMBER = re.compile(r"~[0-9]+")
_DECLARING = (".pyi", ".d.ts", ".d.mts", ".d.cts")
_MEMBER = re.compile(r"(?P<path>.+?):(?P<member>[^:]+)$")


class AmbiguousNodeError(MuError):
    """A reference that several nodes fit; `candidates` are the first of `total`."""

    def __init__(self, reference: str, candidates: tuple[FoundNode, ...], total: int) -> None:
        lines = [f"  {node.id}{_where(node)}" for node in candidates]
        if total > len(candidates):
            lines.append(f"  and {total - len(candidates)} more")
        super().__init__(
            f"'{reference}' is ambiguous ({total} matches)",
            "\n".join(["use one of these ids:", *lines]),
            ExitCode.NO_NODE,
        )
        self.candidates = candidates
        self.total = total


class UnknownNodeError(MuError):
    """A reference that no node fits; `nearest` are names that look like it."""

    def __init__(self, reference: str, nearest: tuple[str, ...], hint: str = "") -> None:
        guess = " or ".join(f"'{name}'" for name in nearest)
        super().__init__(
            f"no node is called '{reference}'",
            hint or (f"did you mean {guess}?" if guess else "`mu search WORDS` finds names"),
            ExitCode.NO_NODE,
        )
        self.nearest = nearest


_COLUMNS = """
    node.key, node.id, node.kind::VARCHAR, node.name, node.qualified_name,
    coalesce(place.path, ''), node.start_line, node.end_line, coalesce(node.parent, -1),
    node.is_test, node.language
"""
_NODES = "FROM node LEFT JOIN file AS place ON place.key = node.file"

_BY_ID = f"SELECT {_COLUMNS}, 0 {_NODES} WHERE node.id = ?"

_IS_PATH = "SELECT key FROM file WHERE path = $1 OR starts_with(path, $1 || '/')"

_BY_PATH = f"""
SELECT {_COLUMNS}, 0
FROM (
    FROM file WHERE path = $1
        OR starts_with(path, $1 || '/') AND NOT contains(substr(path, length($1) + 2), '/')
) AS place JOIN node ON node.file = place.key
WHERE node.kind IN ('module', 'document') AND (place.path = $1 OR node.subkind = 'package')
UNION ALL
SELECT {_COLUMNS}, 0 {_NODES} WHERE node.id = 'pkg:' || $1
"""

_BY_PATH_END = f"""
SELECT {_COLUMNS}, 0 {_NODES}
WHERE node.kind IN ('module', 'document') AND ends_with(place.path, '/' || $1)
"""

_BY_STEM = f"""
SELECT {_COLUMNS}, (stem <> $1)::INTEGER
FROM node JOIN (SELECT key, path, regexp_replace(path, '[.][^./]+$', '') AS stem FROM file) AS place
    ON place.key = node.file
WHERE node.kind = 'module' AND (stem = $1 OR ends_with(stem, '/' || $1))
"""
"""A path without its ending, or the end of one."""

_BY_NAME = f"""
SELECT {_COLUMNS},
    CASE WHEN node.qualified_name = $1 AND (node.kind <> 'external' OR NOT bool_or(
             scope.kind = 'module' AND node.kind IN ('class', 'function') AND NOT node.is_test
             AND node.name = $1) OVER ()) THEN 0
         WHEN scope.qualified_name = $1 AND node.name = $1 THEN 0
         WHEN node.qualified_name = $1 OR ends_with(node.qualified_name, '.' || $1) THEN 1
         ELSE 2 END
{_NODES} LEFT JOIN node AS scope ON scope.key = node.parent
WHERE ends_with(node.name, $2) AND (
    node.name = $1 OR node.qualified_name = $1 OR ends_with(node.qualified_name, '.' || $1)
)
"""
"""A qualified name ends in the name, so the first condition spares the engine most of the texts.

What is outside the repository has short qualified names, as `stream` of Node.js has. It fits no
better than a class or a function of that name, and a file no better than what in it has its name.
"""

_BY_ANCHOR = f"""
SELECT {_COLUMNS}, 0 {_NODES}
WHERE node.kind = 'section' AND ends_with(node.id, $2)
  AND ($1 = '' OR place.path = $1 OR ends_with(place.path, '/' || $1))
"""
"""The heading of a document by its anchor, as listings show it: `#usage`."""

_AT_LINE = f"""
SELECT {_COLUMNS}, 0
{_NODES}
WHERE place.path = ? AND ? BETWEEN node.start_line AND node.end_line AND node.kind <> 'variable'
QUALIFY rank() OVER (ORDER BY node.end_line - node.start_line, node.key DESC) = 1
"""

_BY_WORDS = f"""
SELECT {_COLUMNS},
    CASE node.kind WHEN 'class' THEN 0 WHEN 'function' THEN 1 WHEN 'module' THEN 2 ELSE 3 END
{_NODES}
WHERE lower(replace(node.name, '_', '')) = $1 AND place.path IS NOT NULL
"""

_IN_FILE = f"""
SELECT {_COLUMNS},
    CASE WHEN ends_with(node.id, $3) THEN 0
         WHEN ends_with(node.qualified_name, '.' || $2) THEN 1 ELSE 2 END
{_NODES}
WHERE place.path = $1 AND node.parent IS NOT NULL
  AND (ends_with(node.qualified_name, '.' || $2) OR node.name = $2 OR ends_with(node.id, $3))
"""

_BY_NUMBERED = f"""
SELECT {_COLUMNS}, 0
FROM (SELECT *, split_part(id, ':', -1) AS own FROM node WHERE ends_with(name, $2)) AS node
LEFT JOIN file AS place ON place.key = node.file
WHERE (own = $1 OR ends_with(own, '.' || $1) OR ends_with($1, '.' || own))
  AND ends_with('.' || node.qualified_name, '.' || $3)
  AND ($4 = '' OR place.path = $4)
"""
"""A name with the number of a duplicate, maybe that of a scope: `send~2`, `Page~2.open`."""

_TAKEN = f"""
SELECT DISTINCT {_COLUMNS}, (taker.qualified_name <> $1)::INTEGER
FROM edge JOIN node AS taker ON taker.key = edge.source AND taker.kind = 'module'
JOIN node ON node.key = edge.target LEFT JOIN file AS place ON place.key = node.file
WHERE edge.kind = $3 AND node.name = $2
  AND (taker.qualified_name = $1 OR ends_with(taker.qualified_name, '.' || $1))
"""

_TAKEN_WHOLE = f"""
WITH RECURSIVE taking(key, name, depth) AS (
    SELECT key, qualified_name, 0 FROM node
    WHERE kind = 'module' AND (qualified_name = $1 OR ends_with(qualified_name, '.' || $1))
    UNION
    SELECT taken.key, taken.qualified_name, depth + 1
    FROM taking JOIN edge ON edge.source = taking.key AND edge.kind = $3
    JOIN node AS taken ON taken.key = edge.target AND taken.kind = 'module'
        AND starts_with(taken.qualified_name, taking.name || '.')
    WHERE depth < {_HIGHEST}
)
SELECT {_COLUMNS}, depth
FROM taking JOIN node ON node.parent = taking.key LEFT JOIN file AS place ON place.key = node.file
WHERE node.name = $2 AND NOT starts_with($2, '_')
"""
"""What stands in the modules of a package that it imports, as `from ._client import *` does."""

_TAKING = """
SELECT DISTINCT near.key, far.key
FROM node AS near JOIN node AS far ON far.kind IN ('class', 'function')
JOIN node AS taker ON taker.file = near.file AND taker.kind = 'module'
JOIN node AS taken ON taken.file = far.file AND taken.kind = 'module'
JOIN edge ON edge.source = taker.key AND edge.target = taken.key AND edge.kind = $2
WHERE near.kind = 'variable' AND near.key IN (SELECT unnest($1::INTEGER[]))
  AND far.key IN (SELECT unnest($1::INTEGER[]))
"""
"""Variables in files that import the file of a class or function of the same name."""

_INHERITED = f"""
WITH RECURSIVE above(key, depth) AS (
    SELECT unnest($1::INTEGER[]), 0
    UNION SELECT edge.target, depth + 1
    FROM above JOIN edge ON edge.source = above.key AND edge.kind = $3 WHERE depth < {_HIGHEST}
)
SELECT {_COLUMNS}, depth
FROM above JOIN node ON node.parent = above.key LEFT JOIN file AS place ON place.key = node.file
WHERE node.name = $2
"""

_OF_ONE = frozenset((_BY_ID, _AT_LINE, _BY_NUMBERED))
"""What tells a definition from others of its name in its scope."""

_FILES = """
SELECT path FROM file WHERE status = 'indexed' AND (path = $1 OR ends_with(path, '/' || $1))
QUALIFY rank() OVER (ORDER BY path <> $1) = 1
"""
"""The file of a path, or those whose path ends in it."""

_INSTALLED = """
SELECT path FROM (
    SELECT path, regexp_replace(path, '^(src|lib|source|python)/', '') AS below FROM file
    WHERE status = 'indexed'
) WHERE list_contains($1::VARCHAR[], below) OR list_contains($1::VARCHAR[], path)
ORDER BY length(path) DESC, path
"""
"""The longest path that is one of some ends of another, or that is below a folder of sources."""

_NEAR = """
SELECT near FROM (
    SELECT DISTINCT array_to_string(string_split(qualified_name, '.')[-$2:], '.') AS near FROM node
    UNION
    SELECT path FROM file WHERE status = 'indexed' AND ($3 OR ends_with(path, '/' || $1))
)
ORDER BY ends_with(near, '/' || $1) DESC, jaro_winkler_similarity(lower(near), lower($1)) DESC, near
"""

_NAMESAKES = """
SELECT DISTINCT CASE WHEN above.kind = 'module' THEN node.name
    ELSE array_to_string(string_split(node.qualified_name, '.')[-2:], '.') END AS near
FROM node JOIN node AS above ON above.key = node.parent
WHERE lower(node.name) = lower($1) AND node.file IS NOT NULL
ORDER BY jaro_winkler_similarity(lower(near), lower($2)) DESC, near
"""
"""What has the last name of a dotted one, though not in what that names."""

_MEMBERS = """
SELECT DISTINCT node.name AS near FROM node JOIN file AS place ON place.key = node.file
WHERE place.path = $1 AND node.parent IS NOT NULL
ORDER BY jaro_winkler_similarity(lower(near), lower($2)) DESC, near
"""


def resolve_node(graph: GraphFile, reference: str) -> FoundNode:
    """Find the node that `reference` means.

    Raises AmbiguousNodeError when several fit, UnknownNodeError when none does, and MuError for an
    empty or absurdly long reference.
    """
    text = reference.strip().removeprefix(f"{graph.path.absolute().parent}/").removeprefix("./")
    text = text.rstrip("/") or text
    if not text:
        raise MuError("the node reference is empty", "name a node", ExitCode.USAGE)
    if len(text) > MAX_REFERENCE:
        raise MuError(f"the node reference is longer than {MAX_REFERENCE} characters")
    found = _in_file(graph, text) or _anywhere(graph, text) or _otherwise(graph, text)
    if len(found) > 1:
        raise AmbiguousNodeError(text, found[:SHOWN_CANDIDATES], len(found))
    return found[0]


def _otherwise(graph: GraphFile, text: str) -> tuple[FoundNode, ...]:
    """Try what means nothing as it stands in other spellings; raises UnknownNodeError."""
    from mu.analysis.node_search.reference_spelling import as_node_references

    ways = as_node_references(text)
    plain = ways[-1] if ways else text
    found = next(filter(None, (_in_file(graph, way) or _anywhere(graph, way) for way in ways)), ())
    found = found or _in_file_of_its_name(graph, plain) or _installed(graph, plain)
    if not found and _WORDS.fullmatch(plain):
        found = _ask(graph, _BY_WORDS, plain.replace(" ", "").replace("_", "").lower())
    if not found:
        raise _unknown(graph, text, plain)
    return found


def _in_file(graph: GraphFile, text: str) -> tuple[FoundNode, ...]:
    """Try `path:line` and `path:name`; nothing when what stands before the colon is no file."""
    paths, member = _files(graph, text)
    return tuple(node for path in paths for node in _at(graph, path, member))


def _installed(graph: GraphFile, text: str) -> tuple[FoundNode, ...]:
    """Try the end of a path from the root of a file system, as a stack trace has it.

    It has to be all of a file's path below the folder of sources, and a folder at least.
    """
    path, mark, line = text.partition(":") if _LINES.search(text) else (text, "", "")
    if not path.startswith("/"):
        return ()
    parts = path.strip("/").split("/")
    ends = ["/".join(parts[at:]) for at in range(1, len(parts) - 1)]
    rows = graph.run(Relation(_INSTALLED, (ends,)), limit=1).rows
    if not rows:
        return ()
    found = str(rows[0][0])
    return _at(graph, found, line) if mark else _ask(graph, _BY_PATH, found)


def _files(graph: GraphFile, text: str) -> tuple[list[str], str]:
    """Give the files that `path:member` may mean, and the member."""
    parts = _MEMBER.match(text)
    if not parts:
        return [], ""
    found = graph.run(Relation(_FILES, (parts["path"],))).rows
    return [str(path) for (path,) in found], parts["member"]


def _at(graph: GraphFile, path: str, member: str) -> tuple[FoundNode, ...]:
    """Give what stands on a line of a file, or on the first of several, or has a name in it."""
    if _LINES.fullmatch(member):
        return _ask(graph, _AT_LINE, path, int(member.partition("-")[0]))
    found = _ask(graph, _IN_FILE, path, member, f":{member}")
    return found or _numbered(graph, member, path)


def _numbered(graph: GraphFile, name: str, path: str = "") -> tuple[FoundNode, ...]:
    """Give the duplicates that a name with a number such as `send~2` means, in one file or all."""
    plain = _NUMBER.sub("", name)
    if plain == name:
        return ()
    return _ask(graph, _BY_NUMBERED, name, plain.rpartition(".")[2], plain, path)


def _unknown(graph: GraphFile, text: str, plain: str) -> UnknownNodeError:
    """Tell what is near: in the file, where a reference names one and what is not in it."""
    paths, member = _files(graph, plain)
    if len(paths) != 1:
        return UnknownNodeError(text, _near(graph, plain))
    path = paths[0]
    hint = f"nothing stands at line {member} of {path}" if _LINES.fullmatch(member) else ""
    names = graph.run(Relation(_MEMBERS, (path, member)), limit=_COMPARED)
    near = tuple(f"{path}:{name}" for name in _closest(member, names))
    return UnknownNodeError(f"{path}:{member}", near, hint)


def _anywhere(graph: GraphFile, text: str) -> tuple[FoundNode, ...]:
    """Try an id, a path, a name and a name that a module takes in, until one finds anything."""
    before, _, last = text.rpartition(".")
    found = _ask(graph, _BY_ID, text) if ":" in text else ()
    path, mark, anchor = text.partition("#")
    if not found and mark and anchor:
        found = _ask(graph, _BY_ANCHOR, path.rstrip(":"), f"#{anchor}")
    if not found and graph.run(Relation(_IS_PATH, (text,)), limit=1).rows:
        found = _ask(graph, _BY_PATH, text)
    found = found or _ask(graph, _BY_NAME, text, last) or _numbered(graph, text)
    if not found and before:
        found = _ask(graph, _TAKEN, before, last, EdgeKind.IMPORTS.value)
    if not found and before:
        found = _ask(graph, _BY_PATH_END, text) or _inherited(graph, before, last)
    if not found and before:
        found = _ask(graph, _TAKEN_WHOLE, before, last, EdgeKind.IMPORTS.value)
    return found


def _in_file_of_its_name(graph: GraphFile, text: str) -> tuple[FoundNode, ...]:
    """Try a path without its ending, and a name that leaves out the file of a class's own name."""
    from mu.analysis.node_search.reference_spelling import with_repeated_part

    if "/" in text:
        return _ask(graph, _BY_STEM, text)
    last = text.rpartition(".")[2]
    ways = (_ask(graph, _BY_NAME, name, last) for name in with_repeated_part(text))
    return next(filter(None, ways), ())


def _inherited(graph: GraphFile, name: str, member: str) -> tuple[FoundNode, ...]:
    """Try the member of the classes above those of a name."""
    classes = [node.key for node in _anywhere(graph, name) if node.kind == NodeKind.CLASS]
    if not classes:
        return ()
    return _ask(graph, _INHERITED, classes, member, EdgeKind.INHERITS.value)


class _Candidate(NamedTuple):
    """A node that fits, as rows have it; the smaller `way`, the closer it fits."""

    key: int
    id: str
    kind: str
    name: str
    qualified_name: str
    path: str
    line: int
    end_line: int
    parent: int
    is_test: bool
    language: str
    way: int


def _ask(graph: GraphFile, sql: str, *values: Cell) -> tuple[FoundNode, ...]:
    """Give what fits best: of the closest way, the likeliest sort, and one of each scope."""
    rows = graph.run(Relation(sql, values), limit=None).rows
    fitting = [_Candidate._make(row) for row in rows]
    best = min(map(_likeliness, fitting), default=None)
    chosen: dict[tuple[int, str, str], _Candidate] = {}
    for node in fitting:
        scope = (node.parent if node.parent >= 0 else -1 - node.key, node.name, node.kind)
        other = chosen.get(scope)
        if _likeliness(node) == best and (other is None or _length(node) > _length(other)):
            chosen[scope] = node
    left = _without_leading(graph, list(chosen.values()))
    ordered = sorted(left, key=lambda node: (not node.path, node.path, node.line))
    alone = OVERLOADING_LANGUAGES if sql in _OF_ONE else ()
    return tuple(FoundNode(*node[:7], is_alone=node.language in alone) for node in ordered)


def _without_leading(graph: GraphFile, found: list[_Candidate]) -> list[_Candidate]:
    """Leave out what only leads to another that was found."""
    if len({node.kind for node in found}) < 2:
        return found
    classes = {node.key for node in found if node.kind == NodeKind.CLASS}
    files = {node.parent for node in found if node.kind in (NodeKind.CLASS, NodeKind.FUNCTION)}
    values = ([node.key for node in found], EdgeKind.IMPORTS.value)
    has_variables = any(node.kind == NodeKind.VARIABLE for node in found)
    taking = graph.run(Relation(_TAKING, values), limit=None).rows if has_variables else ()
    standing_in = {row[0] for row in taking}
    return [
        node
        for node in found
        if not (node.kind == NodeKind.MODULE and node.key in files)
        and not (node.kind == NodeKind.FUNCTION and node.parent in classes)
        and not (node.kind == NodeKind.VARIABLE and classes and "." in node.id.rpartition(":")[2])
        and node.key not in standing_in
    ]


def _likeliness(node: _Candidate) -> tuple[int, bool, bool, bool, bool]:
    is_text = node.kind in (NodeKind.DOCUMENT, NodeKind.SECTION)
    is_declared = node.path.endswith(_DECLARING)
    return node.way, node.kind == NodeKind.EXTERNAL, is_text, node.is_test, is_declared


def _length(node: _Candidate) -> tuple[int, int]:
    return node.end_line - node.line, -node.key


def _near(graph: GraphFile, text: str) -> tuple[str, ...]:
    """Give the names most like `text`, and files whose path ends in it; namesakes first."""
    values = (text, text.count(".") + 1, "/" in text)
    close = _closest(text, graph.run(Relation(_NEAR, values), limit=_COMPARED))
    owner, _, name = text.rpartition(".")
    if not owner or "/" in text:
        return close
    namesakes = graph.run(Relation(_NAMESAKES, (name, text)), limit=_NEAREST).rows
    return tuple(dict.fromkeys([*(str(row[0]) for row in namesakes), *close]))[:_NEAREST]


def _closest(text: str, answer: Answer) -> tuple[str, ...]:
    """Choose the closest of the few names that the engine ranked first."""
    from difflib import get_close_matches  # a reference that is found does without

    names = {str(row[0]).lower(): str(row[0]) for row in reversed(answer.rows)}
    ending = [name for name in names if name.endswith(f"/{text.lower()}")]
    close = get_close_matches(text.lower(), names, _NEAREST, _CLOSE_ENOUGH)
    chosen = dict.fromkeys([*ending, *close])
    return tuple(names[name] for name in chosen)[:_NEAREST]


def _where(node: FoundNode) -> str:
    return f"  line {node.line}" if node.path else ""
