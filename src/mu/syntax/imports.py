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

    def rows(self) -> tuple[Import, ...]:
        """All of them, in the order of the text."""
        return tuple(row for _, row in sorted(self._found, key=itemgetter(0)))

    def take(self, walk: Walk, met: Met) -> None:
        """One name is imported."""
        module, name = _squeezed(walk, met, "module"), _squeezed(walk, met, "name")
        if met.role == "import.default":
            name = DEFAULT
        local = _squeezed(walk, met, "alias") or name
        place = met.part("name") or met.part("module") or met.node
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
        walk.names.define(walk.scope, local or module.partition(".")[0])
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
