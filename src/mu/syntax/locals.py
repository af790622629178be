"""Names that mean nothing beyond their own function.

A bare name that only ever holds the function's own data is no dependency, so it gives no reference.
"""

from collections.abc import Iterable, Sequence

from mu.model.facts import Binding, BindingKind, Expression, Import, Op, Scope, ScopeKind
from mu.syntax.outline import Outline


class LocalNames:
    """Answers whether a row is a name bound to plain data by a function around it."""

    def __init__(
        self, outline: Outline, imports: Iterable[Import], bindings: Iterable[Binding]
    ) -> None:
        self._scopes: Sequence[Scope] = outline.scopes
        self._meaning: dict[tuple[int, str], bool] = {}
        for row in bindings:
            if not row.base:
                is_data = row.kind in (BindingKind.VALUE, BindingKind.DECLARED)
                key = (row.scope, row.name)
                self._meaning[key] = is_data and self._meaning.get(key, True)
        for draft in outline.drafts:
            if draft.name is not None:
                scope = outline.scope_map.at(draft.node.start_byte)
                name = outline.source[draft.name.start_byte : draft.name.end_byte]
                self._meaning[scope, name.decode("utf-8", "replace")] = False
        for taken in imports:
            self._meaning[taken.scope, taken.local or taken.module.split(".")[0]] = False
        self._answers: dict[tuple[int, str], bool] = {}

    def holds(self, row: Expression) -> bool:
        """Whether `row` is such a name."""
        op, name, scope, _ = row
        if op != Op.NAME:
            return False
        key = (scope, name)
        if key not in self._answers:
            self._answers[key] = self._look_up(scope, name)
        return self._answers[key]

    def _look_up(self, scope: int, name: str) -> bool:
        first = True
        while scope >= 0:
            kind, parent, *_ = self._scopes[scope]
            if first or kind != ScopeKind.CLASS:
                is_data = self._meaning.get((scope, name))
                if is_data is not None:
                    return is_data and kind in (ScopeKind.FUNCTION, ScopeKind.BLOCK)
            first = first and kind == ScopeKind.BLOCK
            scope = parent
        return False
