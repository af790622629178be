"""Reaching definitions as SSA versions: what a name may hold at a place in the text.

A name that is assigned again, or whose type is tested, has *versions*. A read refers to the version
that reaches it, so it costs nothing. Branches are walked one by one and merged behind them. Where
control may come from anywhere inside, as after `with` and in the handlers of `try`, all bindings
there count; at the beginning of a loop, all bindings in the loop do. Nested functions see all
bindings, since it is unknown when they run. So no binding that may reach a use is lost.

After Braun et al., "Simple and Efficient Construction of Static Single Assignment Form" (2013), on
the syntax tree: versions are made on the way, and those that nothing reads are left out.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

from mu.model.facts import Binding, BindingKind, Op, Scope, ScopeKind
from mu.syntax.tables.expressions import ExpressionTable
from mu.syntax.tables.name_scopes import FIRST_VERSION, NameScopes

_NAME, _NARROWED, _LITERAL = int(Op.NAME), int(Op.NARROWED), int(Op.LITERAL)
_PLAIN = frozenset(map(int, (Op.LITERAL, Op.STRING, Op.COLLECTION, Op.COMPREHENSION, Op.BEGINNING)))
_FLOWING = frozenset(map(int, (ScopeKind.FUNCTION, ScopeKind.MODULE)))
_IN_CLASS = int(ScopeKind.CLASS)
_BOUND = re.compile(rb"(?a)\b(\w+)[^\S\n]*:?=(?!=)")  # names that seem to be bound
MOST_WORK = 1_000_000
"""Versions looked at in one file before it is cut off: about 1 s of CPU time.

Each path has the versions of all names assigned again, so the work grows with both. The most that
any of 3,464 files (django, networkx, vue, gin, gson, tokio ...) needs is 4,500.
"""
BOUND_LATE = frozenset(("binding.element", "binding.caught"))
"""Roles that bind after their children are walked, but whose binding holds before that."""

_NOTHING = "none"  # the type of the literal for the absence of a value
NOT = "not"

State = dict[str, int]
"""The versions of names at a place; names that were not assigned again are missing."""

TypeTest = tuple[str, int, bool]
"""(name, row of a type, True if the name is an instance of it, False if it is not)."""


@dataclass(slots=True)
class _Version:
    """A version of a name, which has its home in `home` and is read in `scope`.

    `rows` are the values bound, `merged` the versions that it merges (a phi function). A narrowed
    version has its source, a version or home, in `origin`, and the type in `check`.
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
    """The state of the names in one scope.

    `first` are the versions before anything was assigned again, `seen` all rows bound to a name;
    `pending` names are being bound.
    """

    now: State = field(default_factory=dict)
    first: State = field(default_factory=dict)
    seen: dict[str, list[int]] = field(default_factory=dict)
    pending: set[str] = field(default_factory=set)


class ReachingDefinitions:
    """Track the versions of names during the walk over a file."""

    def __init__(self, names: NameScopes, table: ExpressionTable) -> None:
        self._names = names
        self._table = table
        self._versions: list[_Version] = []
        self._locals: dict[int, _Local] = {}
        self._loops: list[tuple[int, State]] = []  # scope and state at each loop's start
        self._declared: set[tuple[int, str]] = set()
        self._reserved: dict[tuple[int, str], list[list[int]]] = {}  # rows of reserved versions
        self._is_finished = False
        self._live_loops = 0  # the number of loops entered before tracking finished
        self._work = 0
        self.cut_at = 0  # the line at which `MOST_WORK` was reached

    def state(self, scope: int) -> State:
        """Return the current versions in a scope."""
        local = self._locals.get(scope)
        if local is None or self._is_finished:
            return {}
        self._work += len(local.now)
        return dict(local.now)

    def restore(self, scope: int, state: State) -> None:
        """Make a state current."""
        local = self._locals.get(scope)
        if local is None or self._is_finished or local.now == state:
            return
        before, local.now = local.now, dict(state)
        self._work += len(before) + len(state)
        for name in {*before, *state}:
            if before.get(name) != state.get(name):
                self._publish(scope, local, name)

    def merge(
        self,
        scope: int,
        ends: Sequence[State],
        *,
        line: int,
        made: Mapping[str, Sequence[int]] | None = None,
    ) -> None:
        """Make the merge of several states current; `made` are versions that reach it as well."""
        local = self._locals.get(scope)
        if local is None or self._is_finished:
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

    def enter_loop(self, scope: int, text: bytes, *, line: int) -> State:
        """Begin a region that control may re-enter at the top; return the state there.

        Each name that its text seems to bind gets a new version here. Other bindings inside count
        for the version before the loop, too.
        """
        local = self._locals.get(scope)
        if local is not None and not self._is_finished:
            for one in dict.fromkeys(_BOUND.findall(text)):
                self._start_version(scope, local, one.decode("utf-8", "replace"), line)
        state = self.state(scope)
        self._loops.append((scope, state))
        return state

    def leave_loop(self) -> None:
        """End the region of the last `enter_loop`."""
        self._loops.pop()
        self._live_loops = min(self._live_loops, len(self._loops))

    @property
    def count(self) -> int:
        """The number of versions so far."""
        return len(self._versions)

    def merge_since(self, scope: int, ends: Sequence[State], *, line: int, count: int) -> None:
        """Merge several states and all versions made since there were `count` of them."""
        made: dict[str, list[int]] = {}
        for number, version in enumerate(self._versions[count:], FIRST_VERSION + count):
            if version.scope == scope and (version.origin < 0 or version.rows):
                made.setdefault(version.name, []).append(number)
        self.merge(scope, ends, line=line, made=made)

    def enter(self, scope: int, outer: int) -> None:
        """Enter a scope that runs in place, such as a block or comprehension."""
        local = self._locals.get(outer)
        if local is not None and not self._is_finished:
            self._work += len(local.first) + len(local.now)
            self._locals[scope] = _Local(dict(local.now), dict(local.first))
            homes = self._names.homes
            outer_homes, inner_homes = homes[outer], homes[scope]
            for name in {*local.first, *local.now}:
                # On a second walk the bindings of the scope are known; the outer scope has no
                # home yet for a name that it has not read.
                if name in outer_homes and not self._names.is_bound(scope, name):
                    inner_homes[name] = outer_homes[name]

    def reserve(self, scope: int, name: str, *, line: int) -> None:
        """Make a version for a name that will be bound after what follows is walked."""
        local = self._locals.setdefault(scope, _Local())
        version = _Version(scope, scope, name, line)
        self._reserved.setdefault((scope, name), []).append(version.rows)
        if self._is_finished:
            return
        if not self._is_rebound(scope, local, name):
            local.pending.add(name)
            return
        self._split(scope, name, line)
        local.now[name] = self._add(version)
        self._publish(scope, local, name)

    def bind(self, scope: int, name: str, *, row: int, role: str, line: int) -> None:
        """Bind a name to a row, in a `binding` role.

        Plain data is added to the version before: telling them apart would only lead to methods of
        the library.
        """
        if role == "binding.declared":
            self._declared.add((scope, name))
            return
        op, text, _, _ = self._table.rows[row]
        reserved = None
        if role in BOUND_LATE and self._reserved.get((scope, name)):
            reserved = self._reserved[scope, name].pop()
            self._locals[scope].pending.discard(name)
        if not op or (op == _LITERAL and text == _NOTHING):
            return
        if self._names.scopes[scope].kind not in _FLOWING:
            return
        if self._is_finished:
            self._bind_in_loops(scope, name, row, reserved)
            return
        local = self._locals.get(scope)
        if local is None:
            local = self._locals[scope] = _Local()
        is_added = op in _PLAIN or role == "binding.added"
        is_rebound = not is_added and reserved is None and self._is_rebound(scope, local, name)
        if is_rebound:
            self._split(scope, name, line)
        local.seen.setdefault(name, []).append(row)
        for loop_scope, state in self._loops:
            if loop_scope == scope:
                self._bind(self._version(scope, local, state, name), row)
        if reserved is not None:
            reserved.append(row)
        elif is_added:
            self._bind(self._version(scope, local, local.now, name), row)
        elif is_rebound:
            local.now[name] = self._add(_Version(scope, scope, name, line, [row]))
            self._publish(scope, local, name)

    def _bind_in_loops(self, scope: int, name: str, row: int, reserved: list[int] | None) -> None:
        """Bind a name in the loops entered before versions were finished."""
        local = self._locals.get(scope)
        if reserved is not None:
            reserved.append(row)
        for loop_scope, state in self._loops[: self._live_loops] if local is not None else ():
            if loop_scope == scope and local is not None:
                self._bind(self._version(scope, local, state, name), row)

    def narrow(self, scope: int, checks: Sequence[TypeTest], *, line: int) -> None:
        """Narrow names to the outcomes of type tests, from here on."""
        if not checks or self._is_finished:
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
            self._publish(scope, local, name)

    def finish(self) -> None:
        """Stop tracking: what is walked from now on may be anywhere in the text."""
        self._is_finished, self._live_loops = True, len(self._loops)
        for scope, local in self._locals.items():
            for name in {*local.first, *local.now}:
                self._names.set_home(scope, name, home=self._home(scope, name))

    def bindings(self, scopes: list[Scope]) -> list[Binding]:
        """Return the bindings of all versions that are read, and add a scope for each."""
        found, table = [], self._table
        for number in range(len(self._versions) - 1, -1, -1):  # versions refer to earlier ones
            version, scope = self._versions[number], len(scopes)
            name, line = version.name, version.line
            if not table.move(name, home=FIRST_VERSION + number, new=scope):
                continue
            scopes.append(Scope(ScopeKind.VERSION, version.home, -1, line, line))
            rows = version.rows + [table.row((_NAME, name, one, ())) for one in version.merged]
            if version.origin >= 0:
                row, negation = version.check
                held = table.row((_NAME, name, version.origin, ()))
                rows.append(table.row((_NARROWED, negation, held, (row,))))
            found += [
                Binding(BindingKind.VALUE, scope, 0, name, row, line) for row in dict.fromkeys(rows)
            ]
        return found

    def _is_rebound(self, scope: int, local: _Local, name: str) -> bool:
        """Tell whether a scope that binds a name has bound it before, and only to values."""
        names = self._names
        is_before = name in local.seen or name in local.pending or names.is_parameter(scope, name)
        is_plain = names.is_value(scope, name) and (scope, name) not in self._declared
        return is_before and is_plain

    def _start_version(self, scope: int, local: _Local, name: str, line: int) -> None:
        """Give a name that was bound before a new version."""
        if name in local.seen and self._is_rebound(scope, local, name):
            self._split(scope, name, line)
            version = self._version(scope, local, local.now, name)
            if version >= FIRST_VERSION:
                version = self._add(_Version(scope, scope, name, line, merged=[version]))
                local.now[name] = version
                self._publish(scope, local, name)

    def _split(self, scope: int, name: str, line: int) -> None:
        """Make the bindings and reads of a name so far a version of its own.

        This is not done for a parameter, which holds what is passed, and not if an inner function
        reads the name.
        """
        local, names = self._locals[scope], self._names
        if name in local.first or name in local.now or name in local.pending:
            return
        if names.is_parameter(scope, name) or names.is_read_inside(scope, name):
            return
        version = self._add(_Version(scope, scope, name, line, [*local.seen[name]]))
        local.first[name] = version
        self._table.move(name, home=scope, new=version)

    def _bind(self, version: int, row: int) -> None:
        """Add a row to a version; ignore a home that is a scope."""
        if version >= FIRST_VERSION:
            self._versions[version - FIRST_VERSION].rows.append(row)

    def _add(self, version: _Version) -> int:
        self._versions.append(version)
        self._names.versions.append(version.home)
        return FIRST_VERSION + len(self._versions) - 1

    def _version(self, scope: int, local: _Local, state: State, name: str) -> int:
        """Return the version of a name in a state, or its home.

        A block shares the versions of its surroundings, also for names that it then binds itself.
        """
        home = self._home(scope, name)
        version = state.get(name)
        if version is None:
            version = local.first.get(name)
        is_other = version is not None and self._names.scope_of(version) != home
        return home if version is None or is_other else version

    def _unnarrowed(self, version: int) -> int:
        """Return the version that a narrowed version comes from."""
        while version >= FIRST_VERSION and self._versions[version - FIRST_VERSION].origin >= 0:
            version = self._versions[version - FIRST_VERSION].origin
        return version

    def _home(self, scope: int, name: str) -> int:
        return self._names.current_home(scope, name)

    def _may_have_versions(self, scope: int, name: str) -> bool:
        """Tell whether a name is not a definition or import of this scope."""
        home = self._home(scope, name)
        return home != scope or self._names.is_value(scope, name)

    def _publish(self, scope: int, local: _Local, name: str) -> None:
        """Set the home of a name in a scope to its current version."""
        version = self._version(scope, local, local.now, name)
        if version >= FIRST_VERSION and not self._may_have_versions(scope, name):
            version = self._home(scope, name)
        self._names.set_home(scope, name, home=version)
