"""One call, or one decorator without arguments, that means something to a framework."""

from typing import NamedTuple

from mu.model.facts import Op
from mu.resolve.program.file_symbols import FileSymbols

_ATTRIBUTE = int(Op.ATTRIBUTE)


class Told(NamedTuple):
    """Where a framework is told of something.

    `call` is the row of the call, 0 for a decorator without arguments; `function` that of what is
    called. `owner` is the definition in whose text it stands, `decorated` the one it stands on
    (numbered within the file; -1: none).
    """

    unit: FileSymbols
    call: int
    function: int
    owner: int
    decorated: int
    line: int

    @property
    def args(self) -> tuple[int, ...]:
        """The rows of the arguments."""
        return self.unit.expressions[self.call][3]

    @property
    def receiver(self) -> int:
        """The row of what the method is called on; 0 where it is no method."""
        op, _, base, _ = self.unit.expressions[self.function]
        return base if op == _ATTRIBUTE else 0
