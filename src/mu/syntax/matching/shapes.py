"""The shape of a node: what is known from its kind and those of its children, for the walk."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

import msgspec
import tree_sitter as ts
from msgspec.structs import replace

from mu.model.facts import Flag, Op
from mu.syntax.matching.deep_matches import DeepMatchCache
from mu.syntax.matching.vocabulary import (
    AFTER,
    ASSIGNED,
    BEFORE,
    DEFINING,
    REREAD,
    SKIP,
    STEPS,
    VALUE,
    VISIT,
    Role,
    is_of_node,
    use_of,
)

Parts = dict[str, tuple[int, ...]]
"""The child indices of each capture; -1 is the node itself."""

Uses = tuple[tuple[int, int], ...]
"""(child index, use of the child), in the order in which the children are walked."""

_OPS = {
    "expression.call": int(Op.CALL),
    "expression.attribute": int(Op.ATTRIBUTE),
    "expression.index": int(Op.INDEX),
    "expression.await": int(Op.AWAIT),
    "expression.spread": int(Op.SPREAD),
    "expression.collection": int(Op.COLLECTION),
}
_BUILT = ("expression.call", "expression.index", "expression.composite")
_OF_MEMBERS = ("expression.call", "expression.attribute")
_FLOW = "flow."
_USED = frozenset(("reference.value", "reference.type"))
_ASSIGNMENT = "binding.value"
_ITERATIONS = frozenset(("binding.element", "binding.key"))
_FLAGS = {"region.conditional": int(Flag.CONDITIONAL), "region.type_only": int(Flag.TYPE_ONLY)}


class RoleCaptures(msgspec.Struct, frozen=True, array_like=True):
    """A role that matched, with the child indices of its captures, the role itself included."""

    role: Role
    parts: Parts


class Shape(msgspec.Struct, frozen=True, array_like=True):
    """What is known of all nodes with the same kind and the same kinds of children.

    `role` is the expression, target, parameter or test that the node is, empty if none; `type`,
    `parts` and `base` belong to it. `visited` are the uses of the children when the node is
    visited, `valued` when its value is needed; a child in neither contains nothing of interest. In
    a uniform shape, children of a kind in `value_kinds` are evaluated and the others visited; a
    child of a kind in `block_kinds` makes the node a block. `deep_patterns` are the numbers of
    patterns whose first level matches; `child_texts` are the words that children must equal for
    them.
    """

    role: str = ""
    type: str = ""
    parts: Parts = {}  # msgspec copies such defaults
    op: int = 0  # of the row, if the walk itself builds it
    base: int = -1
    member: int = -1  # the index of a member name, of an attribute or a method call
    argument_list: int = -1  # the index of the node that holds the arguments
    arguments: tuple[int, ...] = ()  # the indices of arguments without such a node
    assigned: tuple[int, ...] = ()  # the indices of assigned targets that are options, too
    is_uniform: bool = True
    value_kinds: frozenset[int] = frozenset()
    visited: Uses = ()
    valued: Uses = ()
    block_kinds: frozenset[int] = frozenset()
    deep_patterns: frozenset[int] = frozenset()
    child_texts: Mapping[int, tuple[tuple[int, bytes], ...]] = {}
    deep_cache: "DeepMatchCache[Shape] | None" = None  # None if results are not cached
    is_plain_call: bool = False  # a call of a base or its member with a list of arguments
    is_pure: bool = False  # only its row is built: no role is handled, and no other child used
    is_plain: bool = True  # no role is handled: all that follows has its default
    is_value: bool = False  # evaluated even where its value is not needed
    is_region: bool = False  # a scope or a region: one of the four that follow
    is_type: bool = False
    is_generic: bool = False
    is_block: bool = False
    flags: int = 0
    branches: int = 0
    definition: RoleCaptures | None = None  # it walks its children itself
    before: tuple[RoleCaptures, ...] = ()
    after: tuple[RoleCaptures, ...] = ()
    flow: RoleCaptures | None = None  # how the node branches


@dataclass(frozen=True, slots=True)
class ChildNodes:
    """The child nodes of a match; those from `nested_from` on are inside of others before them.

    `operations` are kinds that are evaluated wherever they occur, `values` those that are where no
    role says otherwise. `leaves` contain nothing of interest, and the `skipped` ones of them have
    no value. `binders` may bind a name. With `values_first`, an assigned value is read before its
    targets are bound, as at run time.
    """

    all: Sequence[ts.Node]
    nested_from: int
    operations: Collection[int]
    values: Collection[int]
    leaves: Collection[int]
    skipped: Collection[int]
    binders: Collection[int]
    values_first: bool


def make_shape(
    matches: Iterable[RoleCaptures],
    nodes: ChildNodes | None = None,
    *,
    value_kinds: frozenset[int] = frozenset(),
    deep_patterns: frozenset[int] = frozenset(),
) -> Shape:
    """Return the shape of a node with these roles; without child nodes, a uniform one."""
    matches = tuple(matches)
    own = next((one for one in matches if is_of_node(one.role)), RoleCaptures(Role(""), {}))
    others = [one for one in matches if not is_of_node(one.role)]
    stands = [
        one.role.name
        for one in others
        if one.parts[one.role.name] == (-1,) and not one.role.name.startswith(_FLOW)
    ]
    definition = _definition(others)
    is_block = "scope.block" in stands
    visited: Uses = ()
    valued: Uses = ()
    if nodes is not None and definition is None:
        visited = _uses(others, nodes, is_block=is_block)
        valued = _uses([*others, own], nodes, is_block=is_block)
    shape = Shape(
        role=own.role.name,
        op=_OPS.get(own.role.name, 0),
        type=own.role.type,
        parts=own.parts,
        base=own.parts["base"][0] if own.role.name in STEPS else -1,
        member=own.parts.get("name", (-1,))[0] if own.role.name in _OF_MEMBERS else -1,
        argument_list=own.parts.get("arguments", (-1,))[0],
        arguments=_arguments(own, nodes),
        assigned=_assigned(own, valued),
        is_uniform=nodes is None,
        value_kinds=value_kinds,
        visited=visited,
        valued=valued,
        deep_patterns=deep_patterns,
        is_value=not _USED.isdisjoint(stands) or own.role.name in _BUILT,
        is_type="region.annotation" in stands,
        is_generic="region.generic" in stands,
        is_block=is_block,
        flags=sum(flag for role, flag in _FLAGS.items() if role in stands),
        branches=stands.count("branch"),
        definition=definition,
        before=tuple(one for one in others if one.role.name in BEFORE),
        after=tuple(one for one in matches if one.role.name in AFTER),
        flow=_flow(others),
    )
    has_roles = bool(shape.before or shape.after or definition or shape.flow)
    is_plain = not (has_roles or stands)
    is_pure = not (has_roles or shape.branches or is_block or shape.is_uniform or shape.valued)
    is_call = shape.op == Op.CALL and shape.argument_list >= 0
    return replace(
        shape,
        is_plain=is_plain,
        is_pure=is_pure,
        is_plain_call=is_plain and is_pure and is_call,
        is_region=bool(shape.is_type or shape.is_block or shape.is_generic or shape.flags),
    )


def _definition(matches: Iterable[RoleCaptures]) -> RoleCaptures | None:
    """Return the definition that a node is: the first pattern decides which parts it has."""
    found = [one for one in matches if one.role.name in DEFINING]
    return _together([one for one in found if one.parts.keys() == found[0].parts.keys()])


def _flow(matches: Iterable[RoleCaptures]) -> RoleCaptures | None:
    """Return how the node branches, with the captures of all patterns together."""
    found = [one for one in matches if one.role.name.startswith(_FLOW) and len(one.parts) > 1]
    return _together(found)


def _together(found: Sequence[RoleCaptures]) -> RoleCaptures | None:
    """Return several matches as one, with the captures of all."""
    parts: dict[str, dict[int, None]] = {}
    for one in found:
        for name, indices in one.parts.items():
            parts.setdefault(name, {}).update(dict.fromkeys(indices))
    return (
        RoleCaptures(found[0].role, {name: (*one,) for name, one in parts.items()})
        if found
        else None
    )


def _arguments(own: RoleCaptures, nodes: ChildNodes | None) -> tuple[int, ...]:
    """Return the indices of arguments beside the base: one, or all children of an index."""
    if "argument" in own.parts or "arguments" in own.parts or nodes is None:
        return own.parts.get("argument", ())
    if own.role.name != "expression.index":
        return ()
    return tuple(
        index
        for index, child in enumerate(nodes.all)
        if child.is_named and index not in own.parts["base"] and child.kind_id not in nodes.skipped
    )


def _assigned(own: RoleCaptures, uses: Uses) -> tuple[int, ...]:
    options = own.parts.get("option", ())
    return tuple([index for index, use in uses if use == ASSIGNED and index in options])


def _uses(matches: Iterable[RoleCaptures], nodes: ChildNodes, *, is_block: bool) -> Uses:
    """Return the use of each child; where roles disagree, the highest one."""
    chosen: dict[int, int] = {}
    for one in matches:
        for part, indices in one.parts.items():
            use = use_of(one.role, part)
            for index in indices:
                chosen[index] = SKIP if use == SKIP else max(chosen.get(index, use), use)
        chosen |= dict.fromkeys(_arguments(one, nodes), VALUE)
    uses = []
    for index, child in enumerate(nodes.all):
        use = chosen.get(index, VISIT)
        if index >= nodes.nested_from:
            uses += [(index, use | REREAD)] if use > VISIT else []
        elif use == VISIT and (
            child.kind_id in nodes.operations
            or (index not in chosen and child.kind_id in nodes.values)
        ):
            uses.append((index, VALUE))
        elif use > VISIT or (use == VISIT and child.is_named and child.kind_id not in nodes.leaves):
            uses.append((index, use))
    if is_block:  # bindings come first, since earlier siblings read them, too
        read = _read_first(matches) if nodes.values_first else frozenset()
        uses.sort(
            key=lambda use: (use[0] not in read, nodes.all[use[0]].kind_id not in nodes.binders)
        )
    elif nodes.values_first:
        targets = _bound_last(matches, nodes)
        uses.sort(key=lambda use: use[0] in targets)
    return tuple(uses)


def _read_first(matches: Iterable[RoleCaptures]) -> frozenset[int]:
    """Return the indices of values in a block that are read before their targets are bound."""
    bound = [one.parts["value"] for one in matches if one.role.name == _ASSIGNMENT]
    return frozenset(index for indices in bound for index in indices)


def _bound_last(matches: Iterable[RoleCaptures], nodes: ChildNodes) -> set[int]:
    """Return the indices of targets that are bound after everything else in the node is read."""
    last = nodes.nested_from - 1  # a loop binds its targets before its body, which comes last
    return {
        index
        for one in matches
        if one.role.name == _ASSIGNMENT
        or (one.role.name in _ITERATIONS and last in one.parts["value"])
        for index in one.parts["target"]
    }
