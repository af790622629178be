"""Which patterns fit a node: asked of tree-sitter once for each shape, then known.

Asking costs microseconds, and a file has tens of thousands of nodes. But what flat patterns say of
a node depends only on its kind and those of its children, so each such shape is asked about once in
the life of a process. Patterns that look deeper are asked of the few nodes whose first level they
fit, once for all nodes that look and are spelled alike to them; see `deeper`.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter

import tree_sitter as ts
from msgspec.structs import replace

from mu.syntax.matching.deeper import Deeper, Path, answer_of, kind_of, path_to, paths_to, spelling
from mu.syntax.matching.patterns import Pattern
from mu.syntax.matching.shapes import Act, Family, Shape, make_shape
from mu.syntax.matching.vocabulary import Role

MOST_SHAPES = 20_000
MOST_CHILDREN = 20  # of a node whose shape is kept
MOST_LEVELS = 2  # below the children of a node, where what it comes to by its texts is kept

ERROR = 65535  # the kind of what the parser could not make sense of
ANY = -1  # any kind
SPELLED, STRING, TYPE_NAME = -1, -2, -3
_FIRST = ("binding.", "import.", "definition.", "flow.require")
"""What comes first in a block, wherever it stands: so names are known where they are read."""

_USED = ("reference.value", "reference.type")

NOTHING, USE, GO_IN, LOOK = range(4)
"""What to do with a child where no more than kinds matter: `GO_IN` does the same with its own."""

Captures = dict[str, list[ts.Node]]

KeptShapes = dict[tuple[int, ...], Shape]
"""Shapes by the kind of a node and those of its children."""


@dataclass(frozen=True, slots=True, eq=False)
class KnownPattern:
    """A pattern of a language: its text, its role, and what it looks at."""

    text: str
    role: Role
    sight: Pattern
    roots: tuple[int, ...]
    lone: tuple[int, ...] | None  # `sight.children` as kinds of the grammar
    inner: Mapping[int, int]  # `sight.inner` likewise

    @property
    def capture(self) -> str:
        """The name that its role is captured by."""
        return f"{self.role.name}.{self.role.type}" if self.role.type else self.role.name

    @property
    def levels(self) -> int:
        """How many levels it looks below the children of a node."""
        return max(self.inner.values(), default=0)


Match = tuple[KnownPattern, Captures]


class Recognition:
    """The shapes of nodes by one set of patterns.

    `alike` has those of the kinds whose nodes are all alike, and None for a kind whose children
    matter one by one: see `shape_of`. `ways` tells for each kind whether its value is known without
    its children: `SPELLED`, `STRING` and `TYPE_NAME` (one
    that is of a type wherever it stands) are read off the text, above 0 is the place in `literals`
    of the type of a literal, from 1.
    """

    def __init__(
        self, language: ts.Language, known: Sequence[KnownPattern], *, values_first: bool = False
    ) -> None:
        self.known = known
        self._values_first = values_first
        self._by_kind: dict[int, list[KnownPattern]] = {}
        for one in known:
            for kind in one.roots:
                self._by_kind.setdefault(kind, []).append(one)
        self.names = self.kinds_of("expression.name")
        self.skipped = self.kinds_of("skip")
        self.leaves = self.names | self.skipped | self.kinds_of("expression.dotted")
        self.calls = self.kinds_of("expression.call")
        self.indexes = self.kinds_of("expression.index")
        self.same = self.kinds_of("expression.same")
        self.stand_for = self.leaves | self.indexes | self.same
        self.stand_for |= self.kinds_of("expression.comprehension")
        self.stand_for |= self.kinds_of("expression.attribute")
        self.binders = frozenset(
            kind
            for kind, found in self._by_kind.items()
            if any(one.sight.is_flat and one.role.name.startswith(_FIRST) for one in found)
        )
        self._built = self.calls | self.indexes | self.kinds_of("expression.operator")
        self._always = self._built | frozenset(
            kind
            for kind, found in self._by_kind.items()
            if any(one.sight.is_bare and one.role.name in _USED for one in found)
        )
        self._marked = frozenset(
            kind
            for one in known
            if one.role.name == "expression.attribute" and one.role.type
            for kind in one.roots
        )
        self.literals, self.ways = self._ways(language, known)
        self.alike: dict[int, Shape | None] = dict.fromkeys(self.ways, Shape(wanted=self._always))
        for kind, found in self._by_kind.items():
            self.alike[kind] = self._alike(found) if all(map(_is_alike, found)) else None
        keyed = [one for one in known if any(self.alike[kind] is None for kind in one.roots)]
        gists = [one.text if one.sight.is_flat else one.sight.gist for one in keyed]
        self.blocks = self._blocks()
        self.todo = self._todo()
        self.bare = self.todo[frozenset()]
        self.inner = {
            kind: self.todo[shape.wanted] for kind, shape in self.alike.items() if shape is not None
        }
        self.deep = tuple(one for one in keyed if not one.sight.is_flat)
        self._first = Question(language, keyed, gists)
        self._second = Question(language, self.deep, [one.text for one in self.deep])
        self._numbers = {one: number for number, one in enumerate(known)}
        textual = [one for one in self.deep if one.sight.is_textual]
        watched = [one for one in textual if one.sight.watched and one.levels <= MOST_LEVELS]
        self._loose = Question(language, watched, [one.sight.loose for one in watched])
        self._worded = [(self._numbers[one], word) for one in self.deep for word in one.sight.words]
        self._unwatched = frozenset(self._numbers[one] for one in textual if one not in watched)
        self.kept: KeptShapes = {}
        self.learned = 0  # how often `kept` came to tell more

    def compile(self) -> None:
        """Compile all patterns now, which is else done for those that are asked.

        Raises tree_sitter.QueryError for a mistake in one.
        """
        for question in (self._first, self._second, self._loose):
            question.compile()

    def _ways(
        self, language: ts.Language, known: Sequence[KnownPattern]
    ) -> tuple[tuple[str, ...], dict[int, int]]:
        """The types of literals, and the way each kind of node is built: see `ways`."""
        kinds = (*range(language.node_kind_count), ERROR)
        types = {
            kind: one.role.type
            for one in known
            if one.sight.is_bare and one.role.name == "expression.literal"
            for kind in one.roots
        }
        literals = tuple(dict.fromkeys(types.values()))
        spelled = self.names | self.kinds_of("expression.dotted")
        spelled |= self.kinds_of("expression.attribute") - self._marked
        return literals, {
            **dict.fromkeys(kinds, 0),
            **{kind: literals.index(name) + 1 for kind, name in types.items()},
            **dict.fromkeys(self.kinds_of("expression.string"), STRING),
            **dict.fromkeys(spelled, SPELLED),
            **{
                kind: TYPE_NAME
                for one in known
                if one.sight.is_bare and one.role.name == "reference.type"
                for kind in one.roots
            },
        }

    def dormant(self, text: bytes) -> frozenset[int]:
        """The numbers of the patterns that cannot fit anywhere in a text."""
        return frozenset([number for number, word in self._worded if word not in text])

    def kinds_of(self, role: str) -> frozenset[int]:
        """The node kinds that patterns of a role, or of roles that begin so, begin with."""
        return frozenset(
            kind
            for kind, found in self._by_kind.items()
            if any(one.role.name.startswith(role) for one in found)
        )

    def _blocks(self) -> dict[int, Shape]:
        """The shapes of nodes that are blocks for what stands in them: see `Shape.opens`."""
        return {
            kind: replace(shape, is_plain=False, is_inside=True, is_block=True)
            for kind, shape in self.alike.items()
            if shape is not None and shape.opens
        }

    def _todo(self) -> dict[frozenset[int], dict[int, int]]:
        """What to do with a child of each kind where all children are alike, by what is wanted."""
        holders = {
            kind
            for kind, shape in self.alike.items()
            if shape is not None
            and shape.is_plain
            and not (shape.role or shape.opens or self.ways[kind])
        }
        rest = {kind: GO_IN if kind in holders else LOOK for kind in self.ways}
        rest |= dict.fromkeys(self.leaves, NOTHING)
        every = {shape.wanted for shape in self.alike.values() if shape is not None}
        return {wanted: rest | dict.fromkeys(wanted, USE) for wanted in (frozenset[int](), *every)}

    def shape_of(self, node: ts.Node, children: Sequence[ts.Node]) -> Shape:
        """The shape of a node whose children matter one by one."""
        key = (node.kind_id, *map(kind_of, children))
        shape = self.kept.get(key)
        if shape is None:
            shape = self._learn(node, children)
            if len(children) <= MOST_CHILDREN and len(self.kept) < MOST_SHAPES:
                self.kept[key] = shape
                self.learned += 1
        return shape

    def may_fit(self, shape: Shape, children: Sequence[ts.Node], *, source: bytes) -> bool:
        """Tell whether one of the patterns that a shape asks, as those that look deeper must be,
        may fit a node: not where a child is spelled otherwise than all of them say.
        """
        for number in shape.asks:
            places = shape.spelled.get(number)
            if places is None:
                return True
            for place, word in places:
                child = children[place]
                if source[child.start_byte : child.end_byte] != word:
                    break
            else:
                return True
        return False

    def ask(
        self,
        node: ts.Node,
        shape: Shape,
        *,
        children: Sequence[ts.Node],
        dormant: frozenset[int] = frozenset(),
    ) -> tuple[Shape, Sequence[ts.Node]]:
        """The same for a shape that `asks`: with what looks deeper, and what its places refer to.

        What stands between the node and a capture further down is looked through: the capture has a
        place of its own, as if it were a child. One inside another comes after all of them.
        """
        deeper = shape.deeper
        if deeper is None or not (shape.asks & self._unwatched) <= dormant:
            return self._answer(node, shape)
        likes = deeper.likes(children)
        if likes is None:
            likes = deeper.look_like(children, self._watched(node))
        words = spelling(likes, children) if likes.watched else ()
        known = likes.answers.get(words)
        if known is not None:
            answer, nodes = answer_of(known, children)
            return answer or shape, nodes
        found, nodes = self._answer(node, shape)
        likes.answers[words] = None if found is shape else found, paths_to(node, nodes)
        self.learned += 1
        return found, nodes

    def _watched(self, node: ts.Node) -> dict[Path, frozenset[bytes]]:
        """Whose texts the patterns compare that may fit a node."""
        watched: dict[Path, frozenset[bytes]] = {}
        for one, captures in self._loose.ask(node):
            for name, words in one.sight.watched:
                for part in captures.get(name, ()):
                    path = path_to(node, part)
                    watched[path] = watched.get(path, frozenset()) | words
        return watched

    def captures(self, node: ts.Node) -> Captures | None:
        """What the first pattern captures that looks deeper and fits a node of any kind."""
        if self.alike[node.kind_id] is not None or not self.shape_of(node, node.children).asks:
            return None
        return next((captures for _, captures in self._second.ask(node)), None)

    def look(self, node: ts.Node) -> tuple[Shape, Sequence[ts.Node]]:
        """The shape of a node of any kind, every pattern asked, and what its places refer to."""
        shape = self.alike[node.kind_id]
        if shape is not None and not shape.opens:
            return shape, ()
        children = node.children
        if shape is not None:
            is_block = not shape.opens.isdisjoint(map(kind_of, children))
            return (self.blocks[node.kind_id] if is_block else shape), ()
        shape = self.shape_of(node, children)
        return self.ask(node, shape, children=children) if shape.asks else (shape, children)

    def _answer(self, node: ts.Node, shape: Shape) -> tuple[Shape, Sequence[ts.Node]]:
        deep = self._second.ask(node)
        if not deep:
            return shape, node.children
        found = [match for match in self._first.ask(node) if match[0].sight.is_flat] + deep
        return self._made(node, sorted(found, key=lambda match: self._numbers[match[0]]))

    def _made(self, node: ts.Node, found: Sequence[Match]) -> tuple[Shape, Sequence[ts.Node]]:
        """The shape that these matches come to, given in the order of the patterns."""
        captured = {
            part.id: part
            for _, captures in found
            for nodes in captures.values()
            for part in nodes
            if part.id != node.id
        }
        outer = tuple(_opened(node, captured))
        shown = {child.id for child in outer}
        inner = tuple(part for part in captured.values() if part.id not in shown)
        family = self._family((*outer, *inner), len(outer))
        return make_shape(_acts(node, family, found), family), family.nodes

    def _learn(self, node: ts.Node, children: Sequence[ts.Node]) -> Shape:
        found = self._first.ask(node)
        asks = frozenset(self._numbers[one] for one, _ in found if not one.sight.is_flat)
        flat = [match for match in found if match[0].sight.is_flat]
        family = self._family(children, len(children))
        shape = make_shape(_acts(node, family, flat), family, asks=asks)
        if not asks:
            return shape
        is_kept = len(children) <= MOST_CHILDREN
        places = tuple(self._looked_into(children, asks))
        deeper: Deeper[Shape] | None = Deeper(places) if is_kept else None
        return replace(shape, spelled=self._spelled(children, found), deeper=deeper)

    def _looked_into(
        self, children: Sequence[ts.Node], asks: Iterable[int]
    ) -> Iterator[tuple[int, int]]:
        """The places of the children that patterns look into, and how many levels."""
        inner = [self.known[number].inner for number in asks]
        for place, child in enumerate(children):
            levels = (max(one.get(child.kind_id, 0), one.get(ANY, 0)) for one in inner)
            if depth := max(levels, default=0):
                yield place, depth

    def _spelled(
        self, children: Sequence[ts.Node], found: Iterable[Match]
    ) -> dict[int, tuple[tuple[int, bytes], ...]]:
        """What the patterns that look deeper say of how children are spelled: see `Shape`."""
        places = {child.id: place for place, child in enumerate(children)}
        spelled: dict[int, tuple[tuple[int, bytes], ...]] = {}
        for one, captures in found:
            number = self._numbers[one]
            said = [(captures.get(name, []), word) for name, word in one.sight.spelled]
            if number in spelled or not all(len(nodes) == 1 for nodes, _ in said):
                spelled[number] = ()  # it fits in more than one way
            else:
                spelled[number] = tuple((places[nodes[0].id], word) for nodes, word in said)
        return {number: said for number, said in spelled.items() if said}

    def _alike(self, found: Sequence[KnownPattern]) -> Shape:
        bare = [Act(one.role, {one.role.name: (-1,)}) for one in found if one.sight.is_bare]
        opening = [one for one in found if _opens(one)]
        wanted = (kind for one in found if one not in opening for kind in one.lone or ())
        opens = frozenset(kind for one in opening for kind in one.lone or ())
        return replace(make_shape(bare, wanted=self._always.union(wanted)), opens=opens)

    def _family(self, nodes: Sequence[ts.Node], again: int) -> Family:
        return Family(
            nodes,
            again,
            self._built,
            self._always,
            self.leaves,
            self.skipped,
            self.binders,
            self._values_first,
        )


class Question:
    """Patterns as one query, asked of one node at a time and never of what is further in."""

    def __init__(
        self, language: ts.Language, known: Sequence[KnownPattern], texts: Iterable[str]
    ) -> None:
        self._language = language
        self._known = known
        self._text = "\n".join(texts)
        self._cursor: ts.QueryCursor | None = None

    def compile(self) -> None:
        """Compile the query unless that was done: up to 60 ms for Python's."""
        if self._known and self._cursor is None:
            self._cursor = ts.QueryCursor(ts.Query(self._language, self._text))
            self._cursor.set_max_start_depth(0)

    def ask(self, node: ts.Node) -> list[Match]:
        """What fits the node, in the order of the patterns."""
        self.compile()
        if self._cursor is None:
            return []
        found = sorted(self._cursor.matches(node), key=itemgetter(0))
        return [(self._known[number], captures) for number, captures in found]


def _is_alike(one: KnownPattern) -> bool:
    """Tell whether a pattern says of a node what it says of all nodes of its kind."""
    is_value = one.role.name == "reference.value" and one.lone is not None
    return one.sight.is_bare or is_value or _opens(one)


def _opens(one: KnownPattern) -> bool:
    """Tell whether a pattern says that a node is a block if it has a child of a kind."""
    return one.role.name == "scope.block" and one.sight.is_of_root and one.lone is not None


def _acts(node: ts.Node, family: Family, found: Iterable[Match]) -> list[Act]:
    """What is to be done; what is skipped, such as a comment, is no part of anything."""
    places = {child.id: place for place, child in enumerate(family.nodes)}
    places[node.id] = -1
    acts = []
    for one, captures in found:
        parts = [part for nodes in captures.values() for part in nodes if part.id != node.id]
        if any(part.kind_id in family.skipped for part in parts):
            continue
        named = (
            (one.role.name if name == one.capture else name, captures[name]) for name in captures
        )
        where = {
            name: tuple(places[part.id] for part in nodes)
            for name, nodes in named
            if not name.startswith("_")
        }
        acts.append(Act(one.role, where))
    return acts


def _opened(node: ts.Node, captured: Mapping[int, ts.Node]) -> Iterator[ts.Node]:
    """The children of a node, those that hold a capture replaced by what is in them."""
    spans = sorted((part.start_byte, part.end_byte) for part in captured.values())
    waiting = node.children[::-1]
    while waiting:
        child = waiting.pop()
        place = bisect_left(spans, (child.start_byte, child.start_byte))
        holds = place < len(spans) and spans[place][1] <= child.end_byte
        if holds and child.id not in captured:
            waiting += reversed(child.children)
        else:
            yield child
