"""One way for a text to grow: a unit that is repeated, or nested in itself."""

from dataclasses import dataclass
from math import isqrt

_MARK = "§"  # in a unit, the number of its repetition


@dataclass(frozen=True, slots=True)
class Case:
    """`before`, then `unit` as often as there is room, `middle`, each `closing`, and `after`.

    With `is_indented` each unit and closing is one space further in than the one around it.
    """

    name: str
    suffix: str
    unit: str
    before: str = ""
    middle: str = ""
    closing: str = ""
    after: str = ""
    is_indented: bool = False

    def count(self, size: int) -> int:
        """Give how many units a text of `size` bytes has."""
        each = len((self.unit + self.closing).replace(_MARK, "12345"))
        if self.is_indented:
            return max(1, isqrt(each * each + 2 * size) - each)
        return max(1, size // each)

    def text(self, size: int) -> str:
        """Make a text of about `size` bytes."""
        count = self.count(size)
        pads = [" " * place if self.is_indented else "" for place in range(count)]
        units = [pad + self.unit.replace(_MARK, str(n)) for n, pad in enumerate(pads)]
        closings = [pad + self.closing for pad in reversed(pads)] if self.closing else []
        middle = " " * count + self.middle if self.is_indented else self.middle
        return "".join((self.before, *units, middle, *closings, self.after))
