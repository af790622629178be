"""Imports as rows: which name comes from which module, and under what condition."""

from bisect import bisect_right, insort
from operator import itemgetter
from typing import NamedTuple

import tree_sitter as ts

from mu.model.facts import Flag, Import
from mu.syntax.roles.role_match import RoleMatch
from mu.syntax.roles.tree_walk import Walk

DEFAULT = "default"
"""The name of a module's default export."""

_TYPE_ONLY = int(Flag.TYPE_ONLY)
_FLAGS = {"import.wildcard": int(Flag.WILDCARD)}


class _ImportList(NamedTuple):
    """A node with imports from one module: its last byte, and the list around it."""

    end: int
    module: str
    flags: int
    outer: "_ImportList | None"


class Imports:
    """Collect the imports and exports of a file."""

    def __init__(self) -> None:
        self._found: list[tuple[int, Import]] = []
        self._lists: dict[int, _ImportList] = {}  # by first byte
        self._starts: list[int] = []

    def rows(self) -> tuple[Import, ...]:
        """Return all imports, in source order."""
        return tuple(row for _, row in sorted(self._found, key=itemgetter(0)))

    def open_module(self, walk: Walk, match: RoleMatch) -> None:
        """Record that imports inside of the node are from a module."""
        node, start = match.node, match.node.start_byte
        flags = _TYPE_ONLY if "type_only" in match.parts else 0
        outer = self._enclosing_list(start)
        insort(self._starts, start)
        self._lists[start] = _ImportList(
            node.end_byte, _without_space(walk, match, "module"), flags, outer
        )

    def _enclosing_list(self, offset: int) -> _ImportList | None:
        """Return the innermost import list around a byte offset."""
        before = bisect_right(self._starts, offset)
        found = self._lists[self._starts[before - 1]] if before else None
        while found is not None and found.end <= offset:
            found = found.outer
        return found

    def _module(self, walk: Walk, match: RoleMatch, node: ts.Node) -> str:
        """Return the dotted name of the module, below the modules of enclosing lists."""
        manifest = walk.grammar.manifest
        own = _without_space(walk, match, "module")
        enclosing = self._enclosing_list(node.start_byte)
        if not manifest.path_separator:
            return own if own or enclosing is None else enclosing.module
        modules: list[str] = []
        while enclosing is not None:
            modules.append(enclosing.module)
            enclosing = enclosing.outer
        modules.reverse()
        dotted = ".".join((*modules, own) if own else modules)
        parts = dotted.replace(manifest.path_separator, ".").split(".")
        depth = walk.names.namespace_depth(walk.scope)
        if depth and parts[0] == manifest.parent_module:
            while depth and parts[:1] == [manifest.parent_module]:
                parts, depth = parts[1:], depth - 1
            parts = ["self", *parts]
        return ".".join(parts)

    def add(self, walk: Walk, match: RoleMatch) -> None:
        """Add the import of one name or module."""
        node = match.part("name") or match.part("module") or match.node
        module, name = self._module(walk, match, node), _without_space(walk, match, "name")
        if match.role == "import.default":
            name = DEFAULT
        local = _without_space(walk, match, "alias") or name
        enclosing = self._enclosing_list(node.start_byte)
        row = Import(
            scope=walk.scope,
            local=local,
            level=len(_without_space(walk, match, "level")),
            module=module,
            name=name,
            flags=_FLAGS.get(match.role, 0)
            | walk.flags
            | (0 if enclosing is None else enclosing.flags)
            | (_TYPE_ONLY if "type_only" in match.parts else 0),
            line=node.start_point[0] + 1,
        )
        bound = local or module.partition(".")[0]
        if local in walk.grammar.manifest.placed_names:  # the module itself, by its own name
            bound = module.rpartition(".")[2]
        walk.names.define(walk.scope, bound)
        self._found.append((node.start_byte, row))

    def export(self, walk: Walk, match: RoleMatch) -> None:
        """Export one name, of another module or of this file."""
        name = match.required("name")
        if "alias" in match.parts or self._enclosing_list(name.start_byte) is not None:
            self.add(walk, match)
        elif name.kind_id in walk.grammar.nodes.names:
            walk.value(name)

    def export_default(self, walk: Walk, node: ts.Node, *, name: str) -> None:
        """Make a name of this file its default export."""
        walk.names.define(walk.scope, DEFAULT)
        if name != DEFAULT:
            line = node.start_point[0] + 1
            row = Import(walk.scope, DEFAULT, 0, "", name, walk.flags, line)
            self._found.append((node.start_byte, row))


def _without_space(walk: Walk, match: RoleMatch, part: str) -> str:
    node = match.part(part)
    text = "" if node is None else walk.text(node)
    return text if text.isidentifier() else "".join(text.split())
