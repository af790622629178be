"""Constants of other modules named by a string: `settings["CACHE_DIR"]`, `config.get("CACHE_DIR")`.

The constant is only found at run time, so there is no edge, but a ledger row with the reason
`dynamic`: dependents of the constant have to be `at least`.
"""

import re
from collections import defaultdict
from collections.abc import Iterator

from mu.model.facts import Op, ReferenceKind
from mu.model.kinds import NodeKind, Reason, SiteKind
from mu.resolve.emit.ledger import Mention, unresolved
from mu.resolve.emit.nodes import NodeTable
from mu.resolve.program.file_symbols import FileSymbols

_STRING = int(Op.STRING)
_ASKING = frozenset(map(int, (ReferenceKind.CALL, ReferenceKind.OPERATION)))
_CONSTANT = re.compile(r"[A-Z][A-Z0-9]*(_[A-Z0-9]+)+")


class StringUses:
    """Finds such strings in calls and subscripts."""

    def __init__(self, nodes: NodeTable) -> None:
        self._nodes = nodes
        self._files: dict[str, set[int]] = defaultdict(set)
        modules = {row.key for row in nodes.rows if row.kind == NodeKind.MODULE}
        for row in nodes.rows:
            is_global = row.kind == NodeKind.VARIABLE and row.parent in modules
            if is_global and _CONSTANT.fullmatch(row.name):
                self._files[row.name].add(row.file)

    def of(self, unit: FileSymbols) -> Iterator[Mention]:
        """What became of the strings of a file: rows of the ledger, and no edges."""
        rows, own = unit.expressions, {unit.file.key}
        spelling = {
            number: text
            for number, (op, text, _, _) in enumerate(rows)
            if op == _STRING and text in self._files and self._files[text] != own
        }
        if not spelling:
            return
        owners = self._nodes.owners(unit)
        for kind, number, owner, line in unit.facts.references:
            if kind in _ASKING and owners[owner] >= 0:
                for name in filter(None, map(spelling.get, rows[number][3])):
                    outcome = unresolved(f'"{name}"', name, reason=Reason.DYNAMIC)
                    yield SiteKind.VALUE, owners[owner], line, outcome
