"""Source text of a reference, rebuilt from its rows."""

from collections.abc import Sequence
from sys import intern

from mu.model.facts import Expression, Op
from mu.resolve.limits import LONGEST_REFERENCE

_SUFFIXES = {
    int(Op.CALL): "()",
    int(Op.INDEX): "[]",
    int(Op.AWAIT): "",
    int(Op.ELEMENT): "[]",
    int(Op.ENTERED): "",
    int(Op.STORED): "",
}
_OPERATOR, _INDEX, _UNION = int(Op.OPERATOR), int(Op.INDEX), int(Op.UNION)
_NAME, _ATTRIBUTE, _STRING = int(Op.NAME), int(Op.ATTRIBUTE), int(Op.STRING)


class ReferenceText:
    """Renders the expressions of one file, and caches the texts."""

    def __init__(self, rows: Sequence[Expression]) -> None:
        self._rows = rows
        self._known: dict[int, str] = {}

    def of(self, number: int) -> str:
        """Return the text of an expression, shortened from the left if it is long."""
        op, text, base, _ = self._rows[number]
        if op == _NAME:
            return text
        if op == _ATTRIBUTE and self._rows[base][0] == _NAME:  # most of the others
            return _shortened(f"{self._rows[base][1]}.{text}")
        known = self._known.get(number)
        if known is not None:
            return known
        chain: list[int] = []
        current = number
        while current not in self._known:
            chain.append(current)
            op, _, base, _ = self._rows[current]
            if op != _ATTRIBUTE and op not in _SUFFIXES:
                break
            current = base
        for part in reversed(chain):
            self._known[part] = self._render(part)
        return self._known[number]

    def _render(self, number: int) -> str:
        op, text, base, args = self._rows[number]
        if op == _INDEX and text.isidentifier():
            return self._known[base]
        if op in (_NAME, _UNION):
            return text or "…"
        if op == _ATTRIBUTE:
            return _shortened(f"{self._known[base]}.{text}")
        if op == _OPERATOR:
            return f"… {text} …" if len(args) > 1 else f"{text} …"
        if op in _SUFFIXES:
            return self._known[base] + _SUFFIXES[op]
        if op == _STRING:
            return f'"{text}"'
        return f"<{text}>" if text else "…"


def _shortened(text: str) -> str:
    return intern(text if len(text) <= LONGEST_REFERENCE else f"…{text[-LONGEST_REFERENCE:]}")
