"""What names and attributes may hold, target by target, unpacking followed into its parts."""

from collections.abc import Callable

import tree_sitter as ts

from mu.model.facts import Binding, BindingKind, Op
from mu.syntax.expressions import ExpressionTable
from mu.syntax.grammar import Captures, NodeQuery

_ITEM = int(Op.ITEM)

_VALUES: tuple[tuple[str, Op | None], ...] = (
    ("binding.value", None),
    ("binding.element", Op.ELEMENT),
    ("binding.entered", Op.ENTERED),
    ("binding.caught", Op.CAUGHT),
)

_NAMES = (
    ("binding.opaque", BindingKind.VALUE),
    ("binding.deleted", BindingKind.DELETED),
)


def collect_bindings(
    matches: dict[str, list[Captures]],
    query: NodeQuery,
    *,
    values: ExpressionTable,
    declare: Callable[[ts.Node], int],
) -> list[Binding]:
    """Every binding of the file but those of parameters, definitions and imports.

    `declare` reads an annotation and notes what it names.
    """
    targets = _Targets(values, query)
    rows = targets.rows
    for parts in matches.get("binding.declared", ()):
        declared = declare(parts["type"][0])
        targets.bind(parts["target"][0], declared, kind=BindingKind.DECLARED)
    for role, op in _VALUES:
        for parts in matches.get(role, ()):
            value = values.build(parts["value"][0])
            if op is not None:
                value = values.row((int(op), "", value, ()))
            targets.bind(parts["target"][0], value, kind=BindingKind.VALUE)
    for role, kind in _NAMES:
        for parts in matches.get(role, ()):
            for target in parts["target"]:
                targets.bind(target, 0, kind=kind)
    return rows


class _Targets:
    """Turns the left side of a binding into rows."""

    def __init__(self, values: ExpressionTable, query: NodeQuery) -> None:
        self.rows: list[Binding] = []
        self._values = values
        self._ask = query.ask

    def bind(self, target: ts.Node, value: int, *, kind: BindingKind) -> None:
        """Add the rows of one target, which may be a pattern of several."""
        found = self._ask(target)
        if found is None:
            self._bind_one(target, value, kind)
        elif found[0].name == "target.rest":
            self.bind(found[1]["name"][0], value, kind=kind)
        else:
            self._bind_parts(target, value, kind)

    def _bind_parts(self, target: ts.Node, value: int, kind: BindingKind) -> None:
        parts = target.named_children
        rests = [n for n, part in enumerate(parts) if self._is_rest(part)]
        rest = rests[0] if rests else len(parts)
        for number, part in enumerate(parts):
            place = str(number) if number < rest else str(number - len(parts))
            if number == rest:
                place = "*"
            item = self._values.row((_ITEM, place, value, ())) if value else 0
            self.bind(part, item, kind=kind)

    def _is_rest(self, node: ts.Node) -> bool:
        found = self._ask(node)
        return found is not None and found[0].name == "target.rest"

    def _bind_one(self, target: ts.Node, value: int, kind: BindingKind) -> None:
        values = self._values
        line = target.start_point[0] + 1
        scope = values.scope_at(target.start_byte)
        if values.is_name(target):
            name = values.text(target)
            home = values.names.home(scope, name)
            if kind == BindingKind.DELETED and not values.names.is_deleted(home, name):
                return
            if value or not values.names.is_data(home, name):
                self.rows.append(Binding(kind, home, 0, name, value, line))
            return
        op, text, base, _ = values.rows[values.build(target)]
        if op == Op.ATTRIBUTE:
            self.rows.append(Binding(kind, scope, base, text, value, line))
        elif op == Op.INDEX:
            values.stored.append(target)
            self.rows.append(Binding(kind, scope, base, "", value, line))
