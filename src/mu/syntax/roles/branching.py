"""The ways through a text: branches, loops and handlers, walked so that versions come out right.

What each role means stands in `queries/README.md`; what versions are, in `reaching`.
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain

import tree_sitter as ts

from mu.model.facts import Op
from mu.syntax.grammars.grammar import Grammar
from mu.syntax.roles.meeting import Met
from mu.syntax.roles.walk import DEPTH, Walk
from mu.syntax.tables.reaching import BOUND_BEHIND, Check, State

_COLLECTION = int(Op.COLLECTION)
# What seems to set a name, but where it is declared.
_SETTING = re.compile(
    rb"(?<![.\w$\x80-\xff])(?<!const )(?<!let )(?<!var )"
    rb"([\w$\x80-\xff]++)\s*[^\s\w=!<>\x80-\xff]{0,3}=(?![=>])"
)

Told = tuple[Sequence[Check], Sequence[Check]]
"""What is known where a test holds, and where it does not."""

_NOTHING_TOLD: Told = (), ()


class _Fork:
    """A node that control may take several ways through, as the walk meets it."""

    __slots__ = ("_uses", "line", "met", "reaching", "scope", "walk")

    def __init__(self, walk: Walk, met: Met) -> None:
        self.walk = walk
        self.met = met
        self.scope = walk.scope
        self.reaching = walk.reaching
        self.line = met.node.start_point[0] + 1
        self._uses: dict[int, tuple[int, int]] | None = None  # by place: of two branches or more

    def visit(self, name: str) -> None:
        """Walk the children that are a part."""
        met = self.met
        wanted = met.parts.get(name, ())
        for use in met.uses if wanted else ():
            if use[0] in wanted:
                self.walk.use(met.children, (use,), rows=met.rows)

    def visit_others(self, *names: str) -> None:
        """Walk all children but those that are these parts."""
        met = self.met
        left = {place for name in names for place in met.parts.get(name, ())}
        for use in met.uses:
            if use[0] not in left:
                self.walk.use(met.children, (use,), rows=met.rows)

    def visit_one(self, place: int) -> None:
        """Walk one child."""
        met = self.met
        if self._uses is None:
            self._uses = {use[0]: use for use in met.uses}
        if place in self._uses:
            self.walk.use(met.children, (self._uses[place],), rows=met.rows)


class Branching:
    """Walks such nodes; `targets` tells the names that are bound by a target."""

    def __init__(
        self, source: bytes, grammar: Grammar, targets: Callable[[int], Iterable[str]]
    ) -> None:
        self._targets = targets
        self._source = source
        self._there = sorted(
            found.start() for word in grammar.flow.words for found in re.finditer(word, source)
        )
        self._settings: dict[bytes, list[int]] | None = None  # where names seem to be set
        self._tests = grammar.tests
        self._flow = grammar.flow
        self._skipped = grammar.nodes.skipped
        self._left = -1  # the node, by its id, behind which nothing is reached
        # Where branches end, for each choice around; the first: what a syntax error leaves alone.
        self._gathered: list[list[State]] = [[]]
        self._matches: list[tuple[str, State]] = []  # the name that is matched, and the versions

    def follow(self, walk: Walk, met: Met) -> None:
        """Walk the children of a node in the order they run."""
        if self._there or walk.has_flow:
            _HANDLERS[met.role](self, _Fork(walk, met))
        else:
            walk.use(met.children, met.uses, rows=met.rows)

    def _choose(self, fork: _Fork) -> None:
        """Of `then` and what is `other` one runs, by what a `test` says."""
        ends: list[State] = []
        self._gathered.append(ends)
        self._test(fork)
        is_closed = False
        for place in fork.met.parts.get("other", ()):
            fork.visit_one(place)
            child = fork.met.children[place]
            if child.kind_id not in self._flow.also:
                self._end(fork, child)
                is_closed = True
        if not is_closed:
            ends.append(fork.reaching.state(fork.scope))
        self._gathered.pop()
        self._merge(fork, ends)

    def _test(self, fork: _Fork) -> None:
        """Walk a test and what runs then; go on with what holds where it came out otherwise."""
        fork.visit_others("then", "other")
        before = fork.reaching.state(fork.scope)
        holds, fails = self._told(fork)
        fork.reaching.narrow(fork.scope, holds, line=fork.line)
        fork.visit("then")
        for block in fork.met.all("then"):
            self._end(fork, block)
        fork.reaching.restore(fork.scope, before)
        fork.reaching.narrow(fork.scope, fails, line=fork.line)

    def _operand(self, fork: _Fork) -> None:
        """A value one part of which is only asked for where a `test` says so."""
        if not any(self._may_tell(test) for test in fork.met.all("test")):
            fork.visit_others()
            return
        fork.visit_others("then", "other")
        before = fork.reaching.state(fork.scope)
        for part, told in zip(("then", "other"), self._told(fork), strict=True):
            fork.reaching.narrow(fork.scope, told, line=fork.line)
            fork.visit(part)
            fork.reaching.restore(fork.scope, before)

    def _loop(self, fork: _Fork) -> None:
        """What is in it may run any number of times, as long as a `test` holds."""
        reaching, node = fork.reaching, fork.met.node
        fork.visit_others("test", "then", "other")
        text = fork.walk.source[node.start_byte : node.end_byte]
        before = reaching.hold(fork.scope, text, line=fork.line)
        fork.visit("test")
        self._reserve(fork)
        bound = reaching.state(fork.scope)
        reaching.narrow(fork.scope, self._told(fork)[0], line=fork.line)
        fork.visit("then")
        reaching.merge(fork.scope, (before, bound), line=fork.line)
        fork.visit("other")
        reaching.release()

    def _try(self, fork: _Fork) -> None:
        """From anywhere in `then` each `handler` may be reached; `other` runs behind it, and
        `last` whatever has happened.
        """
        reaching, scope = fork.reaching, fork.scope
        before, count = reaching.state(scope), reaching.count
        ends: list[State] = []
        self._gathered.append(ends)
        fork.visit("then")
        fork.visit("other")
        self._end(fork, (fork.met.all("other") or fork.met.all("then"))[-1])
        reaching.merge_since(scope, (before,), line=fork.line, count=count)
        raised = reaching.state(scope)
        for place in fork.met.parts.get("handler", ()):
            reaching.restore(scope, raised)
            fork.visit_one(place)
            self._end(fork, fork.met.children[place])
        self._gathered.pop()
        self._merge(fork, ends)
        if "last" in fork.met.parts:
            self._run_last(fork, before, count)

    def _run_last(self, fork: _Fork, before: State, count: int) -> None:
        """Walk what runs whatever has happened, and go on with what comes of it."""
        reaching, scope = fork.reaching, fork.scope
        merged = reaching.state(scope)
        reaching.merge_since(scope, (before, merged), line=fork.line, count=count)
        entered = reaching.state(scope)
        fork.visit("last")
        after = reaching.state(scope)
        changed = {name: after[name] for name in after if after[name] != entered.get(name)}
        reaching.restore(scope, merged | changed)

    def _clause(self, fork: _Fork) -> None:
        """A part of what is around it; what is caught is bound before what runs `then`."""
        fork.visit_others("then")
        self._reserve(fork)
        fork.visit("then")

    def _inside(self, fork: _Fork) -> None:
        """What is inside may be left at any place."""
        reaching, scope = fork.reaching, fork.scope
        before, count = reaching.state(scope), reaching.count
        fork.visit_others()
        ends = (before, reaching.state(scope))
        reaching.merge_since(scope, ends, line=fork.line, count=count)

    def _match(self, fork: _Fork) -> None:
        """Of the cases inside one runs, by what the `test` holds."""
        subject = fork.met.needed("test")
        is_name = subject.kind_id in fork.walk.grammar.nodes.names
        before = fork.reaching.state(fork.scope)
        self._matches.append((fork.walk.text(subject) if is_name else "", before))
        ends = [before]
        self._gathered.append(ends)
        fork.visit_others()
        self._gathered.pop()
        self._matches.pop()
        self._merge(fork, ends)

    def _case(self, fork: _Fork) -> None:
        """What runs `then` where the pattern that is the `test` fits."""
        name = ""
        if self._matches:  # a syntax error may leave a case alone
            name, before = self._matches[-1]
            fork.reaching.restore(fork.scope, before)
        fork.visit_others("then")
        if name:
            holds, _ = self._read(fork.walk, fork.met.needed("test"))
            checks = [(name, row, is_it) for _, row, is_it in holds]
            fork.reaching.narrow(fork.scope, checks, line=fork.line)
        fork.visit("then")
        for block in fork.met.all("then"):
            self._end(fork, block)

    def _require(self, fork: _Fork) -> None:
        """What comes after is reached only where a `test` holds."""
        fork.visit_others()
        fork.reaching.narrow(fork.scope, self._told(fork)[0], line=fork.line)

    def _reserve(self, fork: _Fork) -> None:
        """What is bound behind the node is bound before what runs in it."""
        for act in fork.met.after if fork.walk.has_flow else ():
            if act.role.name in BOUND_BEHIND:
                for place in act.parts["target"]:
                    for name in self._targets(fork.met.rows[place]):
                        fork.reaching.reserve(fork.scope, name, line=fork.line)

    def _end(self, fork: _Fork, block: ts.Node) -> None:
        """Note the versions at the end of a block, if its end is reached."""
        last = self._last(block) if block.kind_id in self._flow.clauses else block
        if last.kind_id not in self._flow.ends:  # where one statement needs no block
            last = self._last(last)
        if last.id != self._left and last.kind_id not in self._flow.ends:
            self._gathered[-1].append(fork.reaching.state(fork.scope))

    def _last(self, block: ts.Node) -> ts.Node:
        """The last statement of a block, or the block of a clause."""
        for place in range(block.named_child_count - 1, -1, -1):
            node = block.named_child(place)
            if node is not None and node.kind_id not in self._skipped:
                return node
        return block

    def _merge(self, fork: _Fork, ends: Sequence[State]) -> None:
        if ends:
            fork.reaching.merge(fork.scope, ends, line=fork.line)
        else:
            self._left = fork.met.node.id

    def _told(self, fork: _Fork) -> Told:
        """What the tests of a node say."""
        for test in fork.met.all("test"):
            if self._may_tell(test):
                return self._read(fork.walk, test)
        return _NOTHING_TOLD

    def _may_tell(self, node: ts.Node) -> bool:
        """Tell whether a word stands in a test by which it could tell something."""
        first = bisect_left(self._there, node.start_byte)
        return first < len(self._there) and self._there[first] < node.end_byte

    def _is_set(self, walk: Walk, name: str, test: ts.Node) -> bool:
        """Tell whether a name seems to be set again after a test, in its own scope."""
        if self._settings is None:
            self._settings = {}
            for found in _SETTING.finditer(self._source):
                self._settings.setdefault(found[1], []).append(found.start())
        places = self._settings.get(name.encode(), [])
        first = bisect_left(places, test.end_byte)
        home = walk.names.lasting_home(walk.scope, name)
        return first < len(places) and places[first] < walk.found.ends[home]

    def _read(self, walk: Walk, node: ts.Node, depth: int = 0) -> Told:
        """What a test says, or a pattern of what it fits; nothing where it is nested too deep."""
        if depth > DEPTH:
            walk.is_cut = True
            return _NOTHING_TOLD
        shape, inner = self._tests.look(node)
        parts = {
            name: [inner[place] for place in found]
            for name, found in shape.parts.items()
            if name != shape.role
        }
        if shape.role == "test.type":
            return self._read_type(walk, parts)
        if shape.role == "test.not":
            return self._read(walk, parts["of"][0], depth + 1)[::-1]
        if shape.role == "test.same":
            return self._read(walk, parts["of"][0], depth + 1)
        if shape.role in ("test.both", "test.either"):
            sides = [
                self._read(walk, one, depth + 1) for one in parts.get("of", node.named_children)
            ]
            holds, fails = [one for one, _ in sides], [one for _, one in sides]
            if shape.role == "test.both":
                return tuple(chain(*holds)), _any(walk, fails)
            return _any(walk, holds), tuple(chain(*fails))
        return _NOTHING_TOLD

    def _read_type(self, walk: Walk, parts: Mapping[str, Sequence[ts.Node]]) -> Told:
        checks = walk.grammar.manifest.type_checks
        if any(walk.text(node) not in checks for node in parts.get("check", ())):
            return _NOTHING_TOLD
        name = "".join(map(walk.text, parts.get("target", ())))
        if not walk.has_flow and self._is_set(walk, name, parts["type"][0]):
            return _NOTHING_TOLD
        row = walk.again(parts["type"][0])
        return ((name, row, True),), ((name, row, False),)


_HANDLERS = {
    "flow.choice": Branching._choose,
    "flow.also": Branching._test,
    "flow.operand": Branching._operand,
    "flow.loop": Branching._loop,
    "flow.try": Branching._try,
    "flow.clause": Branching._clause,
    "flow.inside": Branching._inside,
    "flow.match": Branching._match,
    "flow.case": Branching._case,
    "flow.require": Branching._require,
}


def _any(walk: Walk, found: Sequence[Sequence[Check]]) -> Sequence[Check]:
    """What is known where one of several holds: something if all say the like of one name."""
    only = [checks[0] for checks in found if len(checks) == 1]
    names = {name for name, _, _ in only}
    if len(only) != len(found) or len(names) != 1 or not all(is_it for _, _, is_it in only):
        return ()
    rows = tuple(row for _, row, _ in only)
    return ((names.pop(), walk.table.row((_COLLECTION, "tuple", 0, rows)), True),)
