"""Imports as rows: which name comes from where, and under what condition."""

from operator import itemgetter

from mu.model.facts import Flag, Import
from mu.syntax.meeting import Met
from mu.syntax.walk import Walk

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
        local = _squeezed(walk, met, "alias") or name
        place = met.part("name") or met.part("module") or met.node
        row = Import(
            scope=walk.scope,
            local=local,
            level=len(_squeezed(walk, met, "level")),
            module=module,
            name=name,
            flags=_FLAGS.get(met.role, 0) | walk.flags,
            line=place.start_point[0] + 1,
        )
        walk.names.define(walk.scope, local or module.partition(".")[0])
        self._found.append((place.start_byte, row))


def _squeezed(walk: Walk, met: Met, part: str) -> str:
    node = met.part(part)
    text = "" if node is None else walk.text(node)
    return text if text.isidentifier() else "".join(text.split())
