"""Hashes of expressions as written, equal in two versions of a file wherever they are in it."""

from mu.model.facts import Op
from mu.resolve.program.file_symbols import FileSymbols

_NAME, _FUNCTION = int(Op.NAME), int(Op.FUNCTION)


class ExpressionHashes:
    """The hashes of one version of a file; a local name counts with what it is bound to."""

    def __init__(self, unit: FileSymbols) -> None:
        self._unit = unit
        self._known: dict[int, int] = {}

    def of(self, row: int) -> int:
        """Return the hash of an expression; in a cycle, one part counts as nothing."""
        known = self._known.get(row)
        if known is not None:
            return known
        self._known[row] = 0
        unit = self._unit
        op, text, base, args = unit.expressions[row]
        if op == _NAME:
            entry = unit.names[base].get(text)
            bindings = entry.bindings if entry is not None and entry.is_local else ()
            parts = sorted({self.of(one.value) for one in bindings})
        else:
            inside = args if op == _FUNCTION else (base, *args)
            parts = [self.of(one) if one else 0 for one in inside]
        self._known[row] = hash((op, text, *parts))
        return self._known[row]
