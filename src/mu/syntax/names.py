"""In which scope a bare name lives.

Answered here, in the workers, so that linking finds `self`, `len` or `request` as one row wherever
the same name is meant: a third fewer expressions, and no climbing through scopes for each.
"""

from collections.abc import Iterable, Iterator

import tree_sitter as ts

from mu.model.facts import Import, ScopeKind
from mu.syntax.grammar import Captures, Grammar
from mu.syntax.outline import Draft, Outline

_BINDINGS = tuple(
    f"binding.{kind}" for kind in ("value", "declared", "element", "entered", "caught", "opaque")
)
_DATA = frozenset(map(int, (ScopeKind.FUNCTION, ScopeKind.BLOCK)))


class NameScopes:
    """Knows what each scope binds before any value is read.

    The first parameter of an undecorated method lives in the scope of its class: it is the same
    thing in all of them. So `self.name` is one expression in a whole class.
    """

    def __init__(
        self,
        outline: Outline,
        matches: dict[str, list[Captures]],
        *,
        grammar: Grammar,
        imports: Iterable[Import],
    ) -> None:
        self._outline = outline
        self._grammar = grammar
        self._has_receivers = grammar.manifest.first_parameter_is_receiver
        self._is_data: dict[tuple[int, str], bool] = {}
        self._elsewhere: dict[tuple[int, str], int] = {}
        self._nonlocal: set[tuple[int, str]] = set()
        self._deleted: set[tuple[int, str]] = set()
        self._homes: dict[tuple[int, str], int] = {}
        self._note_targets(matches)
        for number, draft in enumerate(outline.drafts):
            self._note_draft(number, draft)
        for row in imports:
            self._is_data[row.scope, row.local or row.module.partition(".")[0]] = False

    def home(self, scope: int, name: str) -> int:
        """The scope whose binding `name` means where it is read in `scope`; the file's for others.

        A name its scope has deleted means nothing further in: there it stays where it is read.
        """
        key = (scope, name)
        home = self._homes.get(key)
        if home is None:
            home = self._homes[key] = self._find(scope, name)
        return home

    def is_data(self, home: int, name: str) -> bool:
        """Whether `name`, at home in `home`, only ever holds data of a function."""
        if self._outline.scopes[home].kind not in _DATA:
            return (home, name) in self._elsewhere
        return self._is_data.get((home, name), True)

    def is_deleted(self, home: int, name: str) -> bool:
        """Whether its scope takes the name away again, whatever happens."""
        return (home, name) in self._deleted

    def _find(self, scope: int, name: str) -> int:
        is_first = True
        current = scope
        while current >= 0:
            row = self._outline.scopes[current]
            if is_first or row.kind != ScopeKind.CLASS:
                key = (current, name)
                elsewhere = self._elsewhere.get(key)
                if elsewhere is not None:
                    return elsewhere
                if key in self._is_data and key not in self._nonlocal:
                    return scope if key in self._deleted and current != scope else current
            is_first = is_first and row.kind == ScopeKind.BLOCK
            current = row.parent
        return scope if name in self._grammar.manifest.placed_names else 0

    def _note_targets(self, matches: dict[str, list[Captures]]) -> None:
        at = self._outline.scope_map.at
        for role in _BINDINGS:
            for parts in matches.get(role, ()):
                for target in parts["target"]:
                    for name in self._names_in(target):
                        self._is_data.setdefault((at(target.start_byte), name), True)
        for role, note in (
            ("binding.global", self._note_global),
            ("binding.nonlocal", self._nonlocal.add),
            ("binding.deleted", self._deleted.add),
        ):
            for parts in matches.get(role, ()):
                for target in parts["target"]:
                    if role != "binding.deleted" or not self._outline.condition_of(target):
                        note((at(target.start_byte), self._text(target)))

    def _note_global(self, key: tuple[int, str]) -> None:
        self._elsewhere[key] = 0
        self._is_data.setdefault((0, key[1]), True)

    def _note_draft(self, number: int, draft: Draft) -> None:
        scope = self._outline.scope_map.at(draft.node.start_byte)
        if draft.name is not None:
            self._is_data[scope, self._text(draft.name)] = False
        body = self._outline.body_scopes[number]
        for place, (node, role, parts) in enumerate(draft.parameters):
            name = self._text(parts["name"][0] if "name" in parts else node)
            is_bound_anew = (body, name) in self._is_data
            if place == 0 and role == "parameter" and not is_bound_anew:
                self._note_receiver(draft, (body, name), scope)
            self._is_data.setdefault((body, name), True)

    def _note_receiver(self, draft: Draft, key: tuple[int, str], scope: int) -> None:
        is_method = self._outline.scopes[scope].kind == ScopeKind.CLASS
        if is_method and self._has_receivers and not draft.decorators:
            self._elsewhere[key] = scope

    def _names_in(self, target: ts.Node) -> Iterator[str]:
        if target.kind_id in self._grammar.name_kinds:
            yield self._text(target)
            return
        found = self._grammar.targets.ask(target)
        if found is not None:
            inner = found[1].get("name") or target.named_children
            for part in inner:
                yield from self._names_in(part)

    def _text(self, node: ts.Node) -> str:
        return self._outline.source[node.start_byte : node.end_byte].decode("utf-8", "replace")
