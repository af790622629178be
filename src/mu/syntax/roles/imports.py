"""Imports as rows: which name comes from where, and under what condition."""

from bisect import bisect_right, insort
from operator import itemgetter
from typing import NamedTuple

import tree_sitter as ts

from mu.model.facts import Flag, Import
from mu.syntax.roles.meeting import Met
from mu.syntax.roles.walk import Walk

DEFAULT = "default"
"""The name by which a module gives out what it gives out as its default."""

_TYPE_ONLY = int(Flag.TYPE_ONLY)
_FLAGS = {"import.wildcard": int(Flag.WILDCARD)}


class _List(NamedTuple):
    """A node whose imports are taken out of a module: where it ends, and the list around it."""

    end: int
    module: str
    flags: int
    around: "_List | None"


class Imports:
    """Gathers the imported names of a file."""

    def __init__(self) -> None:
        self._found: list[tuple[int, Import]] = []
        self._lists: dict[int, _List] = {}  # by their first bytes
        self._starts: list[int] = []

    def rows(self) -> tuple[Import, ...]:
        """All of them, in the order of the text."""
        return tuple(row for _, row in sorted(self._found, key=itemgetter(0)))

    def enter(self, walk: Walk, met: Met) -> None:
        """What is imported inside the node is taken out of a module."""
        node, start = met.node, met.node.start_byte
        flags = _TYPE_ONLY if "type_only" in met.parts else 0
        around = self._list_around(start)
        insort(self._starts, start)
        self._lists[start] = _List(node.end_byte, _squeezed(walk, met, "module"), flags, around)

    def _list_around(self, place: int) -> _List | None:
        """The innermost list around a byte."""
        before = bisect_right(self._starts, place)
        found = self._lists[self._starts[before - 1]] if before else None
        while found is not None and found.end <= place:
            found = found.around
        return found

    def _module(self, walk: Walk, met: Met, place: ts.Node) -> str:
        """The dotted name of the module, with those that the lists around it name."""
        manifest = walk.grammar.manifest
        own, within = _squeezed(walk, met, "module"), self._list_around(place.start_byte)
        if not manifest.path_separator:
            return own if own or within is None else within.module
        around: list[str] = []
        while within is not None:
            around.append(within.module)
            within = within.around
        around.reverse()
        dotted = ".".join((*around, own) if own else around)
        parts = dotted.replace(manifest.path_separator, ".").split(".")
        depth = walk.names.namespaces(walk.scope)
        if depth and parts[0] == manifest.parent_module:
            while depth and parts[:1] == [manifest.parent_module]:
                parts, depth = parts[1:], depth - 1
            parts = ["self", *parts]
        return ".".join(parts)

    def take(self, walk: Walk, met: Met) -> None:
        """One name is imported."""
        place = met.part("name") or met.part("module") or met.node
        module, name = self._module(walk, met, place), _squeezed(walk, met, "name")
        if met.role == "import.default":
            name = DEFAULT
        local = _squeezed(walk, met, "alias") or name
        within = self._list_around(place.start_byte)
        row = Import(
            scope=walk.scope,
            local=local,
            level=len(_squeezed(walk, met, "level")),
            module=module,
            name=name,
            flags=_FLAGS.get(met.role, 0)
            | walk.flags
            | (0 if within is None else within.flags)
            | (_TYPE_ONLY if "type_only" in met.parts else 0),
            line=place.start_point[0] + 1,
        )
        bound = local or module.partition(".")[0]
        if local in walk.grammar.manifest.placed_names:  # the module itself, by its own name
            bound = module.rpartition(".")[2]
        walk.names.define(walk.scope, bound)
        self._found.append((place.start_byte, row))

    def give(self, walk: Walk, met: Met) -> None:
        """One name is given out: of another module, or one of the file's own."""
        name = met.needed("name")
        if "alias" in met.parts or self._list_around(name.start_byte) is not None:
            self.take(walk, met)
        elif name.kind_id in walk.grammar.nodes.names:
            walk.value(name)

    def rename(self, walk: Walk, node: ts.Node, *, name: str) -> None:
        """Something of the file itself is what it gives out by default."""
        walk.names.define(walk.scope, DEFAULT)
        if name != DEFAULT:
            line = node.start_point[0] + 1
            row = Import(walk.scope, DEFAULT, 0, "", name, walk.flags, line)
            self._found.append((node.start_byte, row))


def _squeezed(walk: Walk, met: Met, part: str) -> str:
    node = met.part(part)
    text = "" if node is None else walk.text(node)
    return text if text.isidentifier() else "".join(text.split())
