"""The text of a reference, put together again from its rows, for people to recognise it."""

from mu.model.facts import Op
from mu.resolve.program import Unit

LONGEST = 120

_SHOWN = {
    Op.CALL: "{}()",
    Op.INDEX: "{}[]",
    Op.AWAIT: "(await {})",
    Op.ELEMENT: "{}",
    Op.ENTERED: "{}",
}


class Texts:
    """Renders the expressions of one file, each once."""

    def __init__(self, unit: Unit) -> None:
        self._rows = unit.expressions
        self._known: dict[int, str] = {}

    def of(self, number: int) -> str:
        """The text of an expression, shortened from the left when it is long."""
        parts: list[int] = []
        current = number
        while current not in self._known:
            parts.append(current)
            op, _, base, _ = self._rows[current]
            if op != Op.ATTRIBUTE and op not in _SHOWN:
                break
            current = base
        for part in reversed(parts):
            self._known[part] = self._render(part)
        return self._known[number]

    def _render(self, number: int) -> str:
        op, text, base, _ = self._rows[number]
        if op == Op.NAME:
            return text
        if op == Op.ATTRIBUTE:
            shown = f"{self._known.get(base, '…')}.{text}"
            return shown if len(shown) <= LONGEST else f"…{shown[-LONGEST:]}"
        if op in _SHOWN:
            return _SHOWN[Op(op)].format(self._known.get(base, "…"))
        if op == Op.STRING:
            return f'"{text}"'
        return f"<{text}>" if text else "…"
