"""Imports as rows: which name comes from where, and under what condition."""

from operator import itemgetter

import tree_sitter as ts

from mu.model.facts import Flag, Import
from mu.syntax.meeting import Met
from mu.syntax.walk import Walk

DEFAULT = "default"
"""The name by which a module gives out what it gives out as its default."""

_TYPE_ONLY = int(Flag.TYPE_ONLY)
_FLAGS = {"import.wildcard": int(Flag.WILDCARD)}


class Imports:
    """Gathers the imported names of a file."""

    def __init__(self) -> None:
        self._found: list[tuple[int, Import]] = []
        self._around: list[tuple[int, int, str]] = []  # (first byte, end, module) of lists

    def rows(self) -> tuple[Import, ...]:
        """All of them, in the order of the text."""
        return tuple(row for _, row in sorted(self._found, key=itemgetter(0)))

    def enter(self, walk: Walk, met: Met) -> None:
        """What is imported inside the node is taken out of a module."""
        node = met.node
        self._around.append((node.start_byte, node.end_byte, _squeezed(walk, met, "module")))

    def _module(self, walk: Walk, met: Met, place: ts.Node) -> str:
        """The dotted name of the module, with those that the lists around it name."""
        manifest = walk.grammar.manifest
        own = _squeezed(walk, met, "module")
        if not manifest.path_separator:
            return own
        around = [text for start, end, text in self._around if start <= place.start_byte < end]
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
        row = Import(
            scope=walk.scope,
            local=local,
            level=len(_squeezed(walk, met, "level")),
            module=module,
            name=name,
            flags=_FLAGS.get(met.role, 0)
            | walk.flags
            | (_TYPE_ONLY if "type_only" in met.parts else 0),
            line=place.start_point[0] + 1,
        )
        bound = local or module.partition(".")[0]
        if local in walk.grammar.manifest.placed_names:  # the module itself, by its own name
            bound = module.rpartition(".")[2]
        walk.names.define(walk.scope, bound)
        self._found.append((place.start_byte, row))

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
