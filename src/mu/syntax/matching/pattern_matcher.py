"""Which patterns match a node, cached by its shape: its kind and those of its children.

A query takes microseconds for each node, and a file has tens of thousands of nodes. But whether a
flat pattern matches depends only on the kinds of the node and its children, so tree-sitter is asked
once per such combination in the life of a process. Other patterns are asked only where their first
level matches, and once for all nodes that agree in everything these patterns look at; see
`deep_matches`.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter

import tree_sitter as ts
from msgspec.structs import replace

from mu.syntax.matching.deep_matches import (
    DeepMatchCache,
    Path,
    compared_texts,
    kind_of,
    path_to,
    paths_to,
    resolve_result,
)
from mu.syntax.matching.patterns import PatternAnalysis
from mu.syntax.matching.shapes import ChildNodes, RoleCaptures, Shape, make_shape
from mu.syntax.matching.vocabulary import Role

MOST_SHAPES = 20_000
MOST_CHILDREN = 20  # of a node whose shape is cached
MOST_LEVELS = 2  # below the children, of patterns that compare texts and are cached

ERROR = 65535  # the kind of error nodes
ANY = -1  # any kind
DOTTED, STRING, TYPE_NAME = -1, -2, -3
_FIRST = ("binding.", "import.", "definition.", "flow.require")
"""Roles that come first in a block, wherever they occur: names are bound before they are read."""

_USED = ("reference.value", "reference.type")

IGNORE, EVALUATE, DESCEND, INSPECT = range(4)
"""Actions for a child whose kind alone matters; `DESCEND` applies them to its children."""

Captures = dict[str, list[ts.Node]]

ShapeCache = dict[tuple[int, ...], Shape]
"""Shapes by the kinds of the node and of its children."""


@dataclass(frozen=True, slots=True, eq=False)
class QueryPattern:
    """A pattern of a language, with its role and its analysis."""

    text: str
    role: Role
    analysis: PatternAnalysis
    roots: tuple[int, ...]
    only_child: tuple[int, ...] | None  # `analysis.only_child` as kinds of the grammar
    inner_depths: Mapping[int, int]  # `analysis.inner_depths` likewise

    @property
    def capture(self) -> str:
        """The capture name of its role."""
        return f"{self.role.name}.{self.role.type}" if self.role.type else self.role.name

    @property
    def levels(self) -> int:
        """The number of levels that it looks below the children of a node."""
        return max(self.inner_depths.values(), default=0)


PatternMatch = tuple[QueryPattern, Captures]


class PatternMatcher:
    """The shapes of nodes under one set of patterns.

    `uniform_shapes` has the shape of each kind whose nodes all have the same one, and None for the
    other kinds; for these see `shape_of`. `value_modes` says for each kind how its value is read:
    above 0 it is a literal whose type is number `mode - 1` of `literals`; `DOTTED`, `STRING` and
    `TYPE_NAME` are read off their text; 0 is for all other kinds.
    """

    def __init__(
        self, language: ts.Language, known: Sequence[QueryPattern], *, values_first: bool = False
    ) -> None:
        self.known = known
        self._values_first = values_first
        self._by_kind: dict[int, list[QueryPattern]] = {}
        for one in known:
            for kind in one.roots:
                self._by_kind.setdefault(kind, []).append(one)
        self.names = self.kinds_of("expression.name")
        self.skipped = self.kinds_of("skip")
        self.leaves = self.names | self.skipped | self.kinds_of("expression.dotted")
        self.calls = self.kinds_of("expression.call")
        self.indexes = self.kinds_of("expression.index")
        self.wrappers = self.kinds_of("expression.same")
        self.standalone = self.leaves | self.indexes | self.wrappers
        self.standalone |= self.kinds_of("expression.comprehension")
        self.standalone |= self.kinds_of("expression.attribute")
        self.binders = self._kinds_where(
            lambda one: one.analysis.is_flat and one.role.name.startswith(_FIRST)
        )
        self._operation_kinds = self.calls | self.indexes | self.kinds_of("expression.operator")
        self._evaluated = self._operation_kinds | self._kinds_where(
            lambda one: one.analysis.is_bare and one.role.name in _USED
        )
        self._marked_attributes = self._kinds_where(
            lambda one: one.role.name == "expression.attribute" and bool(one.role.type)
        )
        self.literals, self.value_modes = self._value_modes(language, known)
        other = Shape(value_kinds=self._evaluated)
        self.uniform_shapes: dict[int, Shape | None] = dict.fromkeys(self.value_modes, other)
        for kind, found in self._by_kind.items():
            is_uniform = all(map(_is_uniform, found))
            self.uniform_shapes[kind] = self._uniform_shape(found) if is_uniform else None
        keyed = [one for one in known if any(self.uniform_shapes[k] is None for k in one.roots)]
        texts = [one.text if one.analysis.is_flat else one.analysis.first_level for one in keyed]
        self.blocks = self._blocks()
        self.child_actions = self._child_actions()
        self.default_actions = self.child_actions[frozenset()]
        self.inner_actions = {
            kind: self.child_actions[shape.value_kinds]
            for kind, shape in self.uniform_shapes.items()
            if shape is not None
        }
        self.deep = tuple(one for one in keyed if not one.analysis.is_flat)
        self._shape_query = PatternQuery(language, keyed, texts)
        self._deep_query = PatternQuery(language, self.deep, [one.text for one in self.deep])
        self._numbers = {one: number for number, one in enumerate(known)}
        textual = [one for one in self.deep if one.analysis.is_textual]
        cached = [one for one in textual if one.analysis.compared and one.levels <= MOST_LEVELS]
        textless = [one.analysis.textless for one in cached]
        self._text_query = PatternQuery(language, cached, textless)
        self._words = [(self._numbers[one], w) for one in self.deep for w in one.analysis.words]
        self._uncached = frozenset(self._numbers[one] for one in textual if one not in cached)
        self.shape_cache: ShapeCache = {}
        self.additions = 0  # how often a shape or a deep match was added to the caches

    def compile(self) -> None:
        """Compile all queries now; by default each is compiled when it is first asked.

        Raises tree_sitter.QueryError for an invalid pattern.
        """
        for query in (self._shape_query, self._deep_query, self._text_query):
            query.compile()

    def _value_modes(
        self, language: ts.Language, known: Sequence[QueryPattern]
    ) -> tuple[tuple[str, ...], dict[int, int]]:
        """Return the types of literals, and the value mode of each kind of node."""
        kinds = (*range(language.node_kind_count), ERROR)
        types = {
            kind: one.role.type
            for one in known
            if one.analysis.is_bare and one.role.name == "expression.literal"
            for kind in one.roots
        }
        literals = tuple(dict.fromkeys(types.values()))
        dotted = self.names | self.kinds_of("expression.dotted")
        dotted |= self.kinds_of("expression.attribute") - self._marked_attributes
        return literals, {
            **dict.fromkeys(kinds, 0),
            **{kind: literals.index(name) + 1 for kind, name in types.items()},
            **dict.fromkeys(self.kinds_of("expression.string"), STRING),
            **dict.fromkeys(dotted, DOTTED),
            **{
                kind: TYPE_NAME
                for one in known
                if one.analysis.is_bare and one.role.name == "reference.type"
                for kind in one.roots
            },
        }

    def dormant(self, text: bytes) -> frozenset[int]:
        """Return the numbers of patterns that need a word which a text does not contain."""
        return frozenset([number for number, word in self._words if word not in text])

    def kinds_of(self, role: str) -> frozenset[int]:
        """Return the root kinds of all patterns whose role begins with `role`."""
        return self._kinds_where(lambda one: one.role.name.startswith(role))

    def _kinds_where(self, condition: Callable[[QueryPattern], bool]) -> frozenset[int]:
        """Return the root kinds of all patterns that meet a condition."""
        return frozenset(
            kind for kind, found in self._by_kind.items() if any(map(condition, found))
        )

    def _blocks(self) -> dict[int, Shape]:
        """Return the shapes of nodes that are blocks because of a child: `Shape.block_kinds`."""
        return {
            kind: replace(shape, is_plain=False, is_region=True, is_block=True)
            for kind, shape in self.uniform_shapes.items()
            if shape is not None and shape.block_kinds
        }

    def _child_actions(self) -> dict[frozenset[int], dict[int, int]]:
        """Return the action for each kind of child, by `Shape.value_kinds` of the parent."""
        holders = {
            kind
            for kind, shape in self.uniform_shapes.items()
            if shape is not None
            and shape.is_plain
            and not (shape.role or shape.block_kinds or self.value_modes[kind])
        }
        rest = {kind: DESCEND if kind in holders else INSPECT for kind in self.value_modes}
        rest |= dict.fromkeys(self.leaves, IGNORE)
        every = {shape.value_kinds for shape in self.uniform_shapes.values() if shape is not None}
        return {
            value_kinds: rest | dict.fromkeys(value_kinds, EVALUATE)
            for value_kinds in (frozenset[int](), *every)
        }

    def shape_of(self, node: ts.Node, children: Sequence[ts.Node]) -> Shape:
        """Return the shape of a node by its flat patterns, cached by the kinds of its children."""
        key = (node.kind_id, *map(kind_of, children))
        shape = self.shape_cache.get(key)
        if shape is None:
            shape = self._new_shape(node, children)
            if len(children) <= MOST_CHILDREN and len(self.shape_cache) < MOST_SHAPES:
                self.shape_cache[key] = shape
                self.additions += 1
        return shape

    def may_match(self, shape: Shape, children: Sequence[ts.Node], *, source: bytes) -> bool:
        """Tell whether one of a shape's deep patterns may match a node.

        None does if each of them needs a word that a child of the node does not have.
        """
        for number in shape.deep_patterns:
            indices = shape.child_texts.get(number)
            if indices is None:
                return True
            for index, word in indices:
                child = children[index]
                if source[child.start_byte : child.end_byte] != word:
                    break
            else:
                return True
        return False

    def match_deep(
        self,
        node: ts.Node,
        shape: Shape,
        *,
        children: Sequence[ts.Node],
        dormant: frozenset[int] = frozenset(),
    ) -> tuple[Shape, Sequence[ts.Node]]:
        """Return the shape of a node with its deep patterns, and the nodes its indices refer to.

        Nodes between the root and a capture further down are replaced by their children, so that
        the capture has an index of its own. A capture inside another capture comes after all of
        them.
        """
        cache = shape.deep_cache
        if cache is None or not (shape.deep_patterns & self._uncached) <= dormant:
            return self._match_all(node, shape)
        entry = cache.entry(children)
        if entry is None:
            entry = cache.add_entry(children, self._compared(node))
        words = compared_texts(entry, children) if entry.compared else ()
        known = entry.results.get(words)
        if known is not None:
            cached, nodes = resolve_result(known, children)
            return cached or shape, nodes
        found, nodes = self._match_all(node, shape)
        entry.results[words] = None if found is shape else found, paths_to(node, nodes)
        self.additions += 1
        return found, nodes

    def _compared(self, node: ts.Node) -> dict[Path, frozenset[bytes]]:
        """Return the paths to nodes whose texts are compared at a node, with the words."""
        compared: dict[Path, frozenset[bytes]] = {}
        for one, captures in self._text_query.matches(node):
            for name, words in one.analysis.compared:
                for part in captures.get(name, ()):
                    path = path_to(node, part)
                    compared[path] = compared.get(path, frozenset()) | words
        return compared

    def captures(self, node: ts.Node) -> Captures | None:
        """Return the captures of the first deep pattern that matches a node, or None."""
        if self.uniform_shapes[node.kind_id] is not None:
            return None
        if not self.shape_of(node, node.children).deep_patterns:
            return None
        return next((captures for _, captures in self._deep_query.matches(node)), None)

    def match_shape(self, node: ts.Node) -> tuple[Shape, Sequence[ts.Node]]:
        """Return the shape of a node by all patterns, and the nodes its indices refer to."""
        shape = self.uniform_shapes[node.kind_id]
        if shape is not None and not shape.block_kinds:
            return shape, ()
        children = node.children
        if shape is not None:
            is_block = not shape.block_kinds.isdisjoint(map(kind_of, children))
            return (self.blocks[node.kind_id] if is_block else shape), ()
        shape = self.shape_of(node, children)
        if not shape.deep_patterns:
            return shape, children
        return self.match_deep(node, shape, children=children)

    def _match_all(self, node: ts.Node, shape: Shape) -> tuple[Shape, Sequence[ts.Node]]:
        deep = self._deep_query.matches(node)
        if not deep:
            return shape, node.children
        found = [
            match for match in self._shape_query.matches(node) if match[0].analysis.is_flat
        ] + deep
        return self._shape_of_matches(
            node, sorted(found, key=lambda match: self._numbers[match[0]])
        )

    def _shape_of_matches(
        self, node: ts.Node, found: Sequence[PatternMatch]
    ) -> tuple[Shape, Sequence[ts.Node]]:
        """Return the shape for these matches, in the order of the patterns, and its nodes."""
        captured = {
            part.id: part
            for _, captures in found
            for nodes in captures.values()
            for part in nodes
            if part.id != node.id
        }
        outer = tuple(_expanded(node, captured))
        shown = {child.id for child in outer}
        inner = tuple(part for part in captured.values() if part.id not in shown)
        siblings = self._child_nodes((*outer, *inner), len(outer))
        return make_shape(_role_captures(node, siblings, found), siblings), siblings.all

    def _new_shape(self, node: ts.Node, children: Sequence[ts.Node]) -> Shape:
        found = self._shape_query.matches(node)
        deep_patterns = frozenset(
            self._numbers[one] for one, _ in found if not one.analysis.is_flat
        )
        flat = [match for match in found if match[0].analysis.is_flat]
        siblings = self._child_nodes(children, len(children))
        shape = make_shape(
            _role_captures(node, siblings, flat), siblings, deep_patterns=deep_patterns
        )
        if not deep_patterns:
            return shape
        is_kept = len(children) <= MOST_CHILDREN
        indices = tuple(self._inspected_children(children, deep_patterns))
        cache: DeepMatchCache[Shape] | None = DeepMatchCache(indices) if is_kept else None
        return replace(shape, child_texts=self._required_texts(children, found), deep_cache=cache)

    def _inspected_children(
        self, children: Sequence[ts.Node], deep_patterns: Iterable[int]
    ) -> Iterator[tuple[int, int]]:
        """Yield the indices of the children that patterns look into, with the number of levels."""
        inner = [self.known[number].inner_depths for number in deep_patterns]
        for index, child in enumerate(children):
            levels = (max(one.get(child.kind_id, 0), one.get(ANY, 0)) for one in inner)
            if depth := max(levels, default=0):
                yield index, depth

    def _required_texts(
        self, children: Sequence[ts.Node], found: Iterable[PatternMatch]
    ) -> dict[int, tuple[tuple[int, bytes], ...]]:
        """Return the words that children must equal for deep patterns; see `Shape.child_texts`."""
        indices = {child.id: index for index, child in enumerate(children)}
        required: dict[int, tuple[tuple[int, bytes], ...]] = {}
        for one, captures in found:
            number = self._numbers[one]
            words = [(captures.get(name, []), word) for name, word in one.analysis.child_words]
            if number in required or not all(len(nodes) == 1 for nodes, _ in words):
                required[number] = ()  # it matches in more than one way
            else:
                required[number] = tuple((indices[nodes[0].id], word) for nodes, word in words)
        return {number: words for number, words in required.items() if words}

    def _uniform_shape(self, found: Sequence[QueryPattern]) -> Shape:
        bare = [
            RoleCaptures(one.role, {one.role.name: (-1,)}) for one in found if one.analysis.is_bare
        ]
        opening = [one for one in found if _makes_block(one)]
        value_kinds = (kind for one in found if one not in opening for kind in one.only_child or ())
        block_kinds = frozenset(kind for one in opening for kind in one.only_child or ())
        return replace(
            make_shape(bare, value_kinds=self._evaluated.union(value_kinds)),
            block_kinds=block_kinds,
        )

    def _child_nodes(self, nodes: Sequence[ts.Node], nested_from: int) -> ChildNodes:
        return ChildNodes(
            nodes,
            nested_from,
            self._operation_kinds,
            self._evaluated,
            self.leaves,
            self.skipped,
            self.binders,
            self._values_first,
        )


class PatternQuery:
    """Several patterns as one query, matched at one node and not at its descendants."""

    def __init__(
        self, language: ts.Language, known: Sequence[QueryPattern], texts: Iterable[str]
    ) -> None:
        self._language = language
        self._known = known
        self._text = "\n".join(texts)
        self._cursor: ts.QueryCursor | None = None

    def compile(self) -> None:
        """Compile the query if that was not done yet: up to 60 ms for Python."""
        if self._known and self._cursor is None:
            self._cursor = ts.QueryCursor(ts.Query(self._language, self._text))
            self._cursor.set_max_start_depth(0)

    def matches(self, node: ts.Node) -> list[PatternMatch]:
        """Return the matches at a node, in the order of the patterns."""
        self.compile()
        if self._cursor is None:
            return []
        found = sorted(self._cursor.matches(node), key=itemgetter(0))
        return [(self._known[number], captures) for number, captures in found]


def _is_uniform(one: QueryPattern) -> bool:
    """Tell whether a pattern treats all nodes of its root kinds alike."""
    is_value = one.role.name == "reference.value" and one.only_child is not None
    return one.analysis.is_bare or is_value or _makes_block(one)


def _makes_block(one: QueryPattern) -> bool:
    """Tell whether a pattern makes a node a block because it has a child of some kind."""
    return (
        one.role.name == "scope.block"
        and one.analysis.captures_root_only
        and one.only_child is not None
    )


def _role_captures(
    node: ts.Node, siblings: ChildNodes, found: Iterable[PatternMatch]
) -> list[RoleCaptures]:
    """Return the roles of matches, except matches that capture a skipped node such as a comment."""
    indices = {child.id: index for index, child in enumerate(siblings.all)}
    indices[node.id] = -1
    matches = []
    for one, captures in found:
        parts = [part for nodes in captures.values() for part in nodes if part.id != node.id]
        if any(part.kind_id in siblings.skipped for part in parts):
            continue
        named = (
            (one.role.name if name == one.capture else name, captures[name]) for name in captures
        )
        where = {
            name: tuple(indices[part.id] for part in nodes)
            for name, nodes in named
            if not name.startswith("_")
        }
        matches.append(RoleCaptures(one.role, where))
    return matches


def _expanded(node: ts.Node, captured: Mapping[int, ts.Node]) -> Iterator[ts.Node]:
    """Yield the children of a node, replacing each that contains a capture by its children."""
    spans = sorted((part.start_byte, part.end_byte) for part in captured.values())
    stack = node.children[::-1]
    while stack:
        child = stack.pop()
        index = bisect_left(spans, (child.start_byte, child.start_byte))
        holds = index < len(spans) and spans[index][1] <= child.end_byte
        if holds and child.id not in captured:
            stack += reversed(child.children)
        else:
            yield child
