"""Control flow: branches, loops and handlers, walked so that each name has the right version.

The roles are described in `queries/README.md`, the versions in `reaching_definitions`.
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain

import tree_sitter as ts

from mu.model.facts import Op
from mu.syntax.grammars.grammar import Grammar
from mu.syntax.roles.role_match import RoleMatch
from mu.syntax.roles.tree_walk import DEPTH, Walk
from mu.syntax.tables.reaching_definitions import BOUND_LATE, State, TypeTest

_COLLECTION = int(Op.COLLECTION)
# What seems to assign a name, except where it is declared.
_ASSIGNMENT = re.compile(
    rb"(?<![.\w$\x80-\xff])(?<!const )(?<!let )(?<!var )"
    rb"([\w$\x80-\xff]++)\s*[^\s\w=!<>\x80-\xff]{0,3}=(?![=>])"
)

Narrowings = tuple[Sequence[TypeTest], Sequence[TypeTest]]
"""The type tests known to hold if a condition is true, and if it is false."""

_NO_NARROWINGS: Narrowings = (), ()


class _Fork:
    """A match of a role at a node with several control-flow paths."""

    __slots__ = ("_uses", "line", "match", "reaching", "scope", "walk")

    def __init__(self, walk: Walk, match: RoleMatch) -> None:
        self.walk = walk
        self.match = match
        self.scope = walk.scope
        self.reaching = walk.reaching
        self.line = match.node.start_point[0] + 1
        self._uses: dict[int, tuple[int, int]] | None = None  # by child index

    def visit(self, name: str) -> None:
        """Walk the children that are a part."""
        match = self.match
        indices = match.parts.get(name, ())
        for use in match.uses if indices else ():
            if use[0] in indices:
                self.walk.use(match.children, (use,), rows=match.rows)

    def visit_others(self, *names: str) -> None:
        """Walk all children except those of these parts."""
        match = self.match
        left = {index for name in names for index in match.parts.get(name, ())}
        for use in match.uses:
            if use[0] not in left:
                self.walk.use(match.children, (use,), rows=match.rows)

    def visit_one(self, index: int) -> None:
        """Walk one child, by its index."""
        match = self.match
        if self._uses is None:
            self._uses = {use[0]: use for use in match.uses}
        if index in self._uses:
            self.walk.use(match.children, (self._uses[index],), rows=match.rows)


class ControlFlow:
    """Walk nodes that branch; `targets` returns the names that a target binds, by its number."""

    def __init__(
        self, source: bytes, grammar: Grammar, targets: Callable[[int], Iterable[str]]
    ) -> None:
        self._targets = targets
        self._source = source
        self._check_offsets = sorted(
            found.start() for word in grammar.flow.words for found in re.finditer(word, source)
        )
        self._assignments: dict[bytes, list[int]] | None = None  # offsets, by name
        self._tests = grammar.tests
        self._flow = grammar.flow
        self._skipped = grammar.nodes.skipped
        self._unreachable = -1  # the id of a node whose end is unreachable
        # The states at the ends of branches, for each enclosing node that branches. The first
        # list is for clauses that a syntax error has separated from their node.
        self._ends: list[list[State]] = [[]]
        self._subjects: list[tuple[str, State]] = []  # the name matched, and the state there

    def follow(self, walk: Walk, match: RoleMatch) -> None:
        """Walk the children of a node in the order of execution."""
        if self._check_offsets or walk.has_flow:
            _HANDLERS[match.role](self, _Fork(walk, match))
        else:
            walk.use(match.children, match.uses, rows=match.rows)

    def _choose(self, fork: _Fork) -> None:
        """Walk a conditional: `then` runs if `test` holds, else what is `other`."""
        ends: list[State] = []
        self._ends.append(ends)
        self._test(fork)
        is_closed = False
        for index in fork.match.parts.get("other", ()):
            fork.visit_one(index)
            child = fork.match.children[index]
            if child.kind_id not in self._flow.also:
                self._end(fork, child)
                is_closed = True
        if not is_closed:
            ends.append(fork.reaching.state(fork.scope))
        self._ends.pop()
        self._merge(fork, ends)

    def _test(self, fork: _Fork) -> None:
        """Walk a test and its `then`; continue with the state in which the test failed."""
        fork.visit_others("then", "other")
        before = fork.reaching.state(fork.scope)
        holds, fails = self._narrowings(fork)
        fork.reaching.narrow(fork.scope, holds, line=fork.line)
        fork.visit("then")
        for block in fork.match.all("then"):
            self._end(fork, block)
        fork.reaching.restore(fork.scope, before)
        fork.reaching.narrow(fork.scope, fails, line=fork.line)

    def _operand(self, fork: _Fork) -> None:
        """Walk a short-circuit operator or conditional expression."""
        if not any(self._may_narrow(test) for test in fork.match.all("test")):
            fork.visit_others()
            return
        fork.visit_others("then", "other")
        before = fork.reaching.state(fork.scope)
        for part, tests in zip(("then", "other"), self._narrowings(fork), strict=True):
            fork.reaching.narrow(fork.scope, tests, line=fork.line)
            fork.visit(part)
            fork.reaching.restore(fork.scope, before)

    def _loop(self, fork: _Fork) -> None:
        """Walk a loop, whose body may run any number of times while `test` holds."""
        reaching, node = fork.reaching, fork.match.node
        fork.visit_others("test", "then", "other")
        text = fork.walk.source[node.start_byte : node.end_byte]
        before = reaching.enter_loop(fork.scope, text, line=fork.line)
        fork.visit("test")
        self._reserve(fork)
        bound = reaching.state(fork.scope)
        reaching.narrow(fork.scope, self._narrowings(fork)[0], line=fork.line)
        fork.visit("then")
        reaching.merge(fork.scope, (before, bound), line=fork.line)
        fork.visit("other")
        reaching.leave_loop()

    def _try(self, fork: _Fork) -> None:
        """Walk a `try`: each `handler` may be entered from any point of `then`.

        `other` runs after `then`, and `last` in any case.
        """
        reaching, scope = fork.reaching, fork.scope
        before, count = reaching.state(scope), reaching.count
        ends: list[State] = []
        self._ends.append(ends)
        fork.visit("then")
        fork.visit("other")
        self._end(fork, (fork.match.all("other") or fork.match.all("then"))[-1])
        reaching.merge_since(scope, (before,), line=fork.line, count=count)
        raised = reaching.state(scope)
        for index in fork.match.parts.get("handler", ()):
            reaching.restore(scope, raised)
            fork.visit_one(index)
            self._end(fork, fork.match.children[index])
        self._ends.pop()
        self._merge(fork, ends)
        if "last" in fork.match.parts:
            self._run_last(fork, before, count)

    def _run_last(self, fork: _Fork, before: State, count: int) -> None:
        """Walk a `finally` block, entered from any point; continue with what it binds."""
        reaching, scope = fork.reaching, fork.scope
        merged = reaching.state(scope)
        reaching.merge_since(scope, (before, merged), line=fork.line, count=count)
        entered = reaching.state(scope)
        fork.visit("last")
        after = reaching.state(scope)
        changed = {name: after[name] for name in after if after[name] != entered.get(name)}
        reaching.restore(scope, merged | changed)

    def _clause(self, fork: _Fork) -> None:
        """Walk a clause of another node; what it catches is bound before `then` runs."""
        fork.visit_others("then")
        self._reserve(fork)
        fork.visit("then")

    def _inside(self, fork: _Fork) -> None:
        """Walk a block that an exception may leave at any point, without ending the function."""
        reaching, scope = fork.reaching, fork.scope
        before, count = reaching.state(scope), reaching.count
        fork.visit_others()
        ends = (before, reaching.state(scope))
        reaching.merge_since(scope, ends, line=fork.line, count=count)

    def _match(self, fork: _Fork) -> None:
        """Walk a `match` or `switch`, of whose cases one may run."""
        subject = fork.match.required("test")
        is_name = subject.kind_id in fork.walk.grammar.nodes.names
        before = fork.reaching.state(fork.scope)
        self._subjects.append((fork.walk.text(subject) if is_name else "", before))
        ends: list[State] = []
        self._ends.append(ends)
        fork.visit_others()
        self._ends.pop()
        ends.insert(0, self._subjects.pop()[1])  # no case fits
        self._merge(fork, ends)

    def _case(self, fork: _Fork) -> None:
        """Walk a case: the subject has the type of the pattern, and in later cases it has not."""
        name, before = self._subjects[-1] if self._subjects else ("", None)
        if before is not None:  # a syntax error may separate a case
            fork.reaching.restore(fork.scope, before)
        fork.visit_others("then")
        holds, fails = self._case_tests(fork, name)
        fork.reaching.narrow(fork.scope, holds, line=fork.line)
        fork.visit("then")
        for block in fork.match.all("then"):
            self._end(fork, block)
        if before is not None and fails:
            fork.reaching.restore(fork.scope, before)
            fork.reaching.narrow(fork.scope, fails, line=fork.line)
            self._subjects[-1] = name, fork.reaching.state(fork.scope)

    def _case_tests(self, fork: _Fork, name: str) -> Narrowings:
        """Return what a case tells about the subject `name` where it fits and where it does not."""
        patterns = fork.match.all("test")
        if not name or len(patterns) > 1:  # a sequence of patterns
            return _NO_NARROWINGS
        found = self._read_test(fork.walk, patterns[0])
        holds, fails = ([(name, row, is_it) for _, row, is_it in side] for side in found)
        return holds, () if fork.match.all("guard") else fails

    def _require(self, fork: _Fork) -> None:
        """Walk an assertion: what follows runs only if `test` holds."""
        fork.visit_others()
        fork.reaching.narrow(fork.scope, self._narrowings(fork)[0], line=fork.line)

    def _reserve(self, fork: _Fork) -> None:
        """Reserve versions for names that the node binds after its children are walked."""
        for one in fork.match.after if fork.walk.has_flow else ():
            if one.role.name in BOUND_LATE:
                for index in one.parts["target"]:
                    for name in self._targets(fork.match.rows[index]):
                        fork.reaching.reserve(fork.scope, name, line=fork.line)

    def _end(self, fork: _Fork, block: ts.Node) -> None:
        """Record the state at the end of a block, if its end is reachable."""
        last = self._last(block) if block.kind_id in self._flow.clauses else block
        if last.kind_id not in self._flow.ends:  # a single statement needs no block
            last = self._last(last)
        if last.id != self._unreachable and last.kind_id not in self._flow.ends:
            self._ends[-1].append(fork.reaching.state(fork.scope))

    def _last(self, block: ts.Node) -> ts.Node:
        """Return the last statement of a block, or the block of a clause."""
        for index in range(block.named_child_count - 1, -1, -1):
            node = block.named_child(index)
            if node is not None and node.kind_id not in self._skipped:
                return node
        return block

    def _merge(self, fork: _Fork, ends: Sequence[State]) -> None:
        if ends:
            fork.reaching.merge(fork.scope, ends, line=fork.line)
        else:
            self._unreachable = fork.match.node.id

    def _narrowings(self, fork: _Fork) -> Narrowings:
        """Return what the tests of a node tell about types."""
        for test in fork.match.all("test"):
            if self._may_narrow(test):
                return self._read_test(fork.walk, test)
        return _NO_NARROWINGS

    def _may_narrow(self, node: ts.Node) -> bool:
        """Tell whether a test contains a word that all type tests contain."""
        first = bisect_left(self._check_offsets, node.start_byte)
        return first < len(self._check_offsets) and self._check_offsets[first] < node.end_byte

    def _is_reassigned(self, walk: Walk, name: str, test: ts.Node) -> bool:
        """Tell whether a name seems to be assigned after a test, in its own scope."""
        if self._assignments is None:
            self._assignments = {}
            for found in _ASSIGNMENT.finditer(self._source):
                self._assignments.setdefault(found[1], []).append(found.start())
        indices = self._assignments.get(name.encode(), [])
        first = bisect_left(indices, test.end_byte)
        home = walk.names.current_home(walk.scope, name)
        return first < len(indices) and indices[first] < walk.records.ends[home]

    def _read_test(self, walk: Walk, node: ts.Node, depth: int = 0) -> Narrowings:
        """Return what a test tells about types; nothing if it is nested too deep."""
        if depth > DEPTH:
            walk.is_truncated = True
            return _NO_NARROWINGS
        shape, inner = self._tests.match_shape(node)
        parts = {
            name: [inner[index] for index in found]
            for name, found in shape.parts.items()
            if name != shape.role
        }
        if shape.role == "test.type":
            return self._read_type_test(walk, parts)
        if shape.role == "test.not":
            return self._read_test(walk, parts["of"][0], depth + 1)[::-1]
        if shape.role == "test.same":
            return self._read_test(walk, parts["of"][0], depth + 1)
        if shape.role in ("test.both", "test.either"):
            sides = [
                self._read_test(walk, one, depth + 1)
                for one in parts.get("of", node.named_children)
            ]
            holds, fails = [one for one, _ in sides], [one for _, one in sides]
            if shape.role == "test.both":
                return tuple(chain(*holds)), _any_of(walk, fails)
            return _any_of(walk, holds), tuple(chain(*fails))
        return _NO_NARROWINGS

    def _read_type_test(self, walk: Walk, parts: Mapping[str, Sequence[ts.Node]]) -> Narrowings:
        checks = walk.grammar.manifest.type_checks
        if any(walk.text(node) not in checks for node in parts.get("check", ())):
            return _NO_NARROWINGS
        name = "".join(map(walk.text, parts.get("target", ())))
        if not walk.has_flow and self._is_reassigned(walk, name, parts["type"][0]):
            return _NO_NARROWINGS
        row = walk.reread(parts["type"][0])
        fails = () if "inside" in parts else ((name, row, False),)
        return ((name, row, True),), fails


_HANDLERS = {
    "flow.choice": ControlFlow._choose,
    "flow.also": ControlFlow._test,
    "flow.operand": ControlFlow._operand,
    "flow.loop": ControlFlow._loop,
    "flow.try": ControlFlow._try,
    "flow.clause": ControlFlow._clause,
    "flow.inside": ControlFlow._inside,
    "flow.match": ControlFlow._match,
    "flow.case": ControlFlow._case,
    "flow.require": ControlFlow._require,
}


def _any_of(walk: Walk, found: Sequence[Sequence[TypeTest]]) -> Sequence[TypeTest]:
    """Return the disjunction of conditions: one test if all are positive and on the same name."""
    only = [checks[0] for checks in found if len(checks) == 1]
    names = {name for name, _, _ in only}
    if len(only) != len(found) or len(names) != 1 or not all(is_it for _, _, is_it in only):
        return ()
    rows = tuple(row for _, row, _ in only)
    return ((names.pop(), walk.table.row((_COLLECTION, "tuple", 0, rows)), True),)
