"""Which bindings of a name reach a place in the text, and what is known of it there.

A name that is bound again, or whose type is tested, has *versions*: what it may hold from there on.
What reads it is told that it lives in the version, so that a use costs nothing. Branches are
followed one by one and put together behind them. Where control may come from anywhere inside, as
behind `with` and in the handlers of `try`, all that is bound there counts, and at the beginning of
a loop all that is bound in it. Functions further in see all bindings, for nobody knows when they
run. So no binding that may reach a use is lost.

After Braun et al., "Simple and Efficient Construction of Static Single Assignment Form" (2013), on
the tree of the text: versions are made on the way, and those that nothing reads are left out.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

from mu.model.facts import Binding, BindingKind, Op, Scope, ScopeKind
from mu.syntax.tables.expressions import ExpressionTable
from mu.syntax.tables.names import FIRST_VERSION, NameScopes

_NAME, _NARROWED, _LITERAL = int(Op.NAME), int(Op.NARROWED), int(Op.LITERAL)
_PLAIN = frozenset(map(int, (Op.LITERAL, Op.STRING, Op.COLLECTION, Op.COMPREHENSION, Op.BEGINNING)))
_FLOWING = frozenset(map(int, (ScopeKind.FUNCTION, ScopeKind.MODULE)))
_IN_CLASS = int(ScopeKind.CLASS)
_BOUND = re.compile(rb"(?a)\b(\w+)[^\S\n]*:?=(?!=)")  # what seems to be bound, or is a keyword
MOST_WORK = 1_000_000
"""Versions looked at in one file before its text is followed no further: about 1 s of CPU.

Each of several ways holds all names that were bound again, so the work grows with both. Of 3,464
files (django, networkx, vue, gin, gson, tokio ...) the one that needs the most needs 4,500.
"""
BOUND_BEHIND = frozenset(("binding.element", "binding.caught"))
"""The roles of what is bound when all inside has been walked, and holds before that."""

_NOTHING = "none"  # the literal that stands for the absence of a value
NOT = "not"

State = dict[str, int]
"""The versions of names at a place; a name that is not here has not been bound again."""

Check = tuple[str, int, bool]
"""(name, row of a type, whether the name holds something of it or something else)."""


@dataclass(slots=True)
class _Version:
    """What a name, which lives in `home` and is read in `scope`, holds in a part of the text.

    `rows` are what it is bound to, `merged` the versions that come together in it; one that is
    narrowed has the version, or home, that it comes from in `origin`, and the type in `check`.
    """

    scope: int
    home: int
    name: str
    line: int
    rows: list[int] = field(default_factory=list)
    merged: Sequence[int] = ()
    origin: int = -1
    check: tuple[int, str] = 0, ""


@dataclass(slots=True)
class _Local:
    """What is known of the names read in one scope: `first` are the versions from before anything
    was bound again, `seen` all rows they are bound to; `pending` names are being bound.
    """

    now: State = field(default_factory=dict)
    first: State = field(default_factory=dict)
    seen: dict[str, list[int]] = field(default_factory=dict)
    pending: set[str] = field(default_factory=set)


class Reaching:
    """Keeps the versions of names on the walk over a file."""

    def __init__(self, names: NameScopes, table: ExpressionTable) -> None:
        self._names = names
        self._table = table
        self._versions: list[_Version] = []
        self._locals: dict[int, _Local] = {}
        self._frames: list[tuple[int, State]] = []  # where control may come back to
        self._declared: set[tuple[int, str]] = set()
        self._reserved: dict[tuple[int, str], list[list[int]]] = {}  # rows of what is not yet bound
        self._is_over = False
        self._held = 0  # of the frames, those from before it was over
        self._work = 0
        self.cut_at = 0  # the line from which on nothing is followed, where it was too much

    def state(self, scope: int) -> State:
        """The versions at this place."""
        local = self._locals.get(scope)
        if local is None or self._is_over:
            return {}
        self._work += len(local.now)
        return dict(local.now)

    def restore(self, scope: int, state: State) -> None:
        """Go on with other versions."""
        local = self._locals.get(scope)
        if local is None or self._is_over or local.now == state:
            return
        before, local.now = local.now, dict(state)
        self._work += len(before) + len(state)
        for name in {*before, *state}:
            if before.get(name) != state.get(name):
                self._tell(scope, local, name)

    def merge(
        self,
        scope: int,
        ends: Sequence[State],
        *,
        line: int,
        made: Mapping[str, Sequence[int]] | None = None,
    ) -> None:
        """Go on with what any of several ways here leaves, and with versions that were `made`."""
        local = self._locals.get(scope)
        if local is None or self._is_over:
            return
        made = made or {}
        merged: State = {}
        names = dict.fromkeys(chain(*ends, made))
        self._work += (len(ends) + 1) * len(names)
        if self._work > MOST_WORK:
            self.cut_at = line
            self.finish()
            return
        for name in names:
            found = list(dict.fromkeys(self._version(scope, local, end, name) for end in ends))
            if name in made:
                found = list(dict.fromkeys((*found, *made[name])))
            if len(found) > 1:
                origins = dict.fromkeys(map(self._unnarrowed, found))
                found = list(origins) if len(origins) == 1 else found
            if len(found) == 1:
                merged[name] = found[0]
            elif min(found) >= FIRST_VERSION:
                home = self._home(scope, name)
                merged[name] = self._add(_Version(scope, home, name, line, merged=found))
        self.restore(scope, merged)

    def hold(self, scope: int, text: bytes, *, line: int) -> State:
        """Say that control may come back here from inside of a text, until that is `released`.

        What the text seems to bind has a version of its own from here on; if it binds anything
        else, that counts for the version before, too. Returns the versions here.
        """
        local = self._locals.get(scope)
        if local is not None and not self._is_over:
            for one in dict.fromkeys(_BOUND.findall(text)):
                self._begin(scope, local, one.decode("utf-8", "replace"), line)
        state = self.state(scope)
        self._frames.append((scope, state))
        return state

    def release(self) -> None:
        """Say that it may no longer come back to where it was last held."""
        self._frames.pop()
        self._held = min(self._held, len(self._frames))

    @property
    def count(self) -> int:
        """How many versions there are so far."""
        return len(self._versions)

    def merge_since(self, scope: int, ends: Sequence[State], *, line: int, count: int) -> None:
        """Go on with what any of several ways leaves, and all that was bound since there were so
        many versions.
        """
        made: dict[str, list[int]] = {}
        for number, version in enumerate(self._versions[count:], FIRST_VERSION + count):
            if version.scope == scope and (version.origin < 0 or version.rows):
                made.setdefault(version.name, []).append(number)
        self.merge(scope, ends, line=line, made=made)

    def enter(self, scope: int, outer: int) -> None:
        """A scope is entered whose text runs where it stands."""
        local = self._locals.get(outer)
        if local is not None and not self._is_over:
            self._work += len(local.first) + len(local.now)
            self._locals[scope] = _Local(dict(local.now), dict(local.first))
            homes = self._names.homes
            around, inside = homes[outer], homes[scope]
            for name in {*local.first, *local.now}:
                # What a scope binds is known when a file is walked again; what the one around it
                # binds, and was not read there yet, is told nowhere.
                if name in around and not self._names.is_bound(scope, name):
                    inside[name] = around[name]

    def reserve(self, scope: int, name: str, *, line: int) -> None:
        """A name will be bound to something once what follows has been walked."""
        local = self._locals.setdefault(scope, _Local())
        version = _Version(scope, scope, name, line)
        self._reserved.setdefault((scope, name), []).append(version.rows)
        if self._is_over:
            return
        if not self._is_again(scope, local, name):
            local.pending.add(name)
            return
        self._split(scope, name, line)
        local.now[name] = self._add(version)
        self._tell(scope, local, name)

    def bind(self, scope: int, name: str, *, row: int, role: str, line: int) -> None:
        """A name is bound to a row, in a role of `binding`.

        What is plain data is added to what there was before: telling the two apart would lead to no
        more than methods of the library.
        """
        if role == "binding.declared":
            self._declared.add((scope, name))
            return
        op, text, _, _ = self._table.rows[row]
        reserved = None
        if role in BOUND_BEHIND and self._reserved.get((scope, name)):
            reserved = self._reserved[scope, name].pop()
            self._locals[scope].pending.discard(name)
        if not op or (op == _LITERAL and text == _NOTHING):
            return
        if self._names.scopes[scope].kind not in _FLOWING:
            return
        if self._is_over:
            self._bind_held(scope, name, row, reserved)
            return
        local = self._locals.get(scope)
        if local is None:
            local = self._locals[scope] = _Local()
        is_added = op in _PLAIN or role == "binding.added"
        is_again = not is_added and reserved is None and self._is_again(scope, local, name)
        if is_again:
            self._split(scope, name, line)
        local.seen.setdefault(name, []).append(row)
        for held_in, state in self._frames:
            if held_in == scope:
                self._bind(self._version(scope, local, state, name), row)
        if reserved is not None:
            reserved.append(row)
        elif is_added:
            self._bind(self._version(scope, local, local.now, name), row)
        elif is_again:
            local.now[name] = self._add(_Version(scope, scope, name, line, [row]))
            self._tell(scope, local, name)

    def _bind_held(self, scope: int, name: str, row: int, reserved: list[int] | None) -> None:
        """Bind a name, when all is over, where control comes back to from here."""
        local = self._locals.get(scope)
        if reserved is not None:
            reserved.append(row)
        for held_in, state in self._frames[: self._held] if local is not None else ():
            if held_in == scope and local is not None:
                self._bind(self._version(scope, local, state, name), row)

    def narrow(self, scope: int, checks: Sequence[Check], *, line: int) -> None:
        """From here on, names hold only what these say."""
        if not checks or self._is_over:
            return
        for name, row, is_it in checks:
            home = self._home(scope, name)
            if self._names.scopes[home].kind == _IN_CLASS:
                continue
            if not self._may_have_versions(scope, name):
                continue
            local = self._locals.setdefault(scope, _Local())
            before = self._version(scope, local, local.now, name)
            check = row, "" if is_it else NOT
            version = _Version(scope, home, name, line, origin=before, check=check)
            local.now[name] = self._add(version)
            self._tell(scope, local, name)

    def finish(self) -> None:
        """Forget what holds at a place: what is walked from here on may stand anywhere."""
        self._is_over, self._held = True, len(self._frames)
        for scope, local in self._locals.items():
            for name in {*local.first, *local.now}:
                self._names.tell(scope, name, home=self._home(scope, name))

    def bindings(self, scopes: list[Scope]) -> list[Binding]:
        """What the versions that are read hold; they are added to the scopes."""
        found, table = [], self._table
        for number in range(len(self._versions) - 1, -1, -1):  # one comes from others before it
            version, scope = self._versions[number], len(scopes)
            name, line = version.name, version.line
            if not table.move(name, home=FIRST_VERSION + number, new=scope):
                continue
            scopes.append(Scope(ScopeKind.VERSION, version.home, -1, line, line))
            rows = version.rows + [table.row((_NAME, name, one, ())) for one in version.merged]
            if version.origin >= 0:
                row, how = version.check
                held = table.row((_NAME, name, version.origin, ()))
                rows.append(table.row((_NARROWED, how, held, (row,))))
            found += [
                Binding(BindingKind.VALUE, scope, 0, name, row, line) for row in dict.fromkeys(rows)
            ]
        return found

    def _is_again(self, scope: int, local: _Local, name: str) -> bool:
        """Tell whether a scope that binds a name has bound it before, to values alone."""
        names = self._names
        is_before = name in local.seen or name in local.pending or names.is_taken(scope, name)
        is_plain = names.is_value(scope, name) and (scope, name) not in self._declared
        return is_before and is_plain

    def _begin(self, scope: int, local: _Local, name: str, line: int) -> None:
        """Give a name that has been bound before a version of its own."""
        if name in local.seen and self._is_again(scope, local, name):
            self._split(scope, name, line)
            version = self._version(scope, local, local.now, name)
            if version >= FIRST_VERSION:
                version = self._add(_Version(scope, scope, name, line, merged=[version]))
                local.now[name] = version
                self._tell(scope, local, name)

    def _split(self, scope: int, name: str, line: int) -> None:
        """Make what has been read of a name so far a version of its own, if nothing stands
        against it: a parameter, which holds what is passed, or a function further in that reads it.
        """
        local, names = self._locals[scope], self._names
        if name in local.first or name in local.now or name in local.pending:
            return
        if names.is_taken(scope, name) or names.is_read_inside(scope, name):
            return
        version = self._add(_Version(scope, scope, name, line, [*local.seen[name]]))
        local.first[name] = version
        self._table.move(name, home=scope, new=version)

    def _bind(self, version: int, row: int) -> None:
        """Let a version, if it is one, hold a row too."""
        if version >= FIRST_VERSION:
            self._versions[version - FIRST_VERSION].rows.append(row)

    def _add(self, version: _Version) -> int:
        self._versions.append(version)
        self._names.versions.append(version.home)
        return FIRST_VERSION + len(self._versions) - 1

    def _version(self, scope: int, local: _Local, state: State, name: str) -> int:
        """The version of a name in a state, or where it lives.

        A block has the versions of what is around it, also of names that it then binds itself.
        """
        home = self._home(scope, name)
        version = state.get(name)
        if version is None:
            version = local.first.get(name)
        is_other = version is not None and self._names.unversioned(version) != home
        return home if version is None or is_other else version

    def _unnarrowed(self, version: int) -> int:
        while version >= FIRST_VERSION and self._versions[version - FIRST_VERSION].origin >= 0:
            version = self._versions[version - FIRST_VERSION].origin
        return version

    def _home(self, scope: int, name: str) -> int:
        return self._names.lasting_home(scope, name)

    def _may_have_versions(self, scope: int, name: str) -> bool:
        """Tell whether a name of a scope, or one further out, is no definition or import here."""
        home = self._home(scope, name)
        return home != scope or self._names.is_value(scope, name)

    def _tell(self, scope: int, local: _Local, name: str) -> None:
        """Tell what reads a name in a scope where it lives now."""
        version = self._version(scope, local, local.now, name)
        if version >= FIRST_VERSION and not self._may_have_versions(scope, name):
            version = self._home(scope, name)
        self._names.tell(scope, name, home=version)
