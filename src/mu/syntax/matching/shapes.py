"""What is known of a node by its kind and those of its children, ready for the walk to act on."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

import msgspec
import tree_sitter as ts
from msgspec.structs import replace

from mu.model.facts import Flag, Op
from mu.syntax.matching.deeper import Deeper
from mu.syntax.matching.vocabulary import (
    AFTER,
    AGAIN,
    ASSIGNED,
    BEFORE,
    SKIP,
    STEPS,
    VALUE,
    VISIT,
    WHOLE,
    Role,
    is_of_node,
    use_of,
)

Parts = dict[str, tuple[int, ...]]
"""Where each part is: its places among the children; -1 is the node itself."""

Uses = tuple[tuple[int, int], ...]
"""(place among the children, what to do with the child), in the order of the text."""

_OPS = {
    "expression.call": int(Op.CALL),
    "expression.attribute": int(Op.ATTRIBUTE),
    "expression.index": int(Op.INDEX),
    "expression.await": int(Op.AWAIT),
    "expression.spread": int(Op.SPREAD),
    "expression.collection": int(Op.COLLECTION),
}
_BUILT = ("expression.call", "expression.index")
_OF_MEMBERS = ("expression.call", "expression.attribute")
_FLOW = "flow."
_USED = frozenset(("reference.value", "reference.type"))
_ASSIGNMENT = "binding.value"
_ITERATIONS = frozenset(("binding.element", "binding.key"))
_FLAGS = {"region.conditional": int(Flag.CONDITIONAL), "region.type_only": int(Flag.TYPE_ONLY)}


class Act(msgspec.Struct, frozen=True, array_like=True):
    """A role found in a node, and where its parts are; the place of the role itself among them."""

    role: Role
    parts: Parts


class Shape(msgspec.Struct, frozen=True, array_like=True):
    """What is known of a node, and so of every node that looks like it.

    `role` is what the node is where it is asked for itself, empty if nothing is known; `type`,
    `parts` and `base` (the place of that part) belong to it. `visited` says what to do with the
    children, `valued` the same where the node's value is wanted; a child in neither has nothing in
    it. Where all children are alike, those of a kind in `wanted` are used and the rest visited; a
    child of a kind in `opens` makes it a block. `spelled` has the texts that children must have for
    a pattern that it `asks` to fit, by place.
    """

    role: str = ""
    type: str = ""
    parts: Parts = {}  # msgspec copies it, as it does the next one
    op: int = 0  # of the row that is made, where the walk itself makes it
    base: int = -1
    member: int = -1  # the place of the name of an attribute, and of what is called as a member
    holder: int = -1  # the place of what holds the arguments
    arguments: tuple[int, ...] = ()  # the places of arguments without one
    assigned: tuple[int, ...] = ()  # the places of what is assigned to and is an option as well
    is_alike: bool = True
    wanted: frozenset[int] = frozenset()
    visited: Uses = ()
    valued: Uses = ()
    opens: frozenset[int] = frozenset()
    asks: frozenset[int] = frozenset()  # patterns that look deeper and may fit
    spelled: Mapping[int, tuple[tuple[int, bytes], ...]] = {}
    deeper: "Deeper[Shape] | None" = None  # what these come to; None where they are asked each time
    is_plain_call: bool = False  # it has nothing but what is called, and what holds the arguments
    is_idle: bool = False  # nothing is done in it but to build what it is from its parts
    is_plain: bool = True  # none of what follows
    is_value: bool = False  # it is used, or calls: its value is built wherever it stands
    is_inside: bool = False  # a scope or a region: the four that follow
    is_type: bool = False
    is_generic: bool = False
    is_block: bool = False
    flags: int = 0
    branches: int = 0
    whole: Act | None = None  # a definition, which sees to its children itself
    before: tuple[Act, ...] = ()
    after: tuple[Act, ...] = ()
    flow: Act | None = None  # how control runs through it


@dataclass(frozen=True, slots=True)
class Family:
    """The children of a node: those from `again` on are parts of others before them.

    `built` are the kinds that are built wherever they stand, `used` those that are where no role
    says otherwise, `leaves` those that have nothing in
    them, `skipped` those of the leaves that are no values, `binders` those that may bind a name.
    With `values_first` what is assigned is read before the targets are bound, as when it runs.
    """

    nodes: Sequence[ts.Node]
    again: int
    built: Collection[int]
    used: Collection[int]
    leaves: Collection[int]
    skipped: Collection[int]
    binders: Collection[int]
    values_first: bool


def make_shape(
    acts: Iterable[Act],
    family: Family | None = None,
    *,
    wanted: frozenset[int] = frozenset(),
    asks: frozenset[int] = frozenset(),
) -> Shape:
    """The shape of a node in which `acts` were found; without a family, its children are alike."""
    acts = tuple(acts)
    own = next((act for act in acts if is_of_node(act.role)), Act(Role(""), {}))
    others = [act for act in acts if not is_of_node(act.role)]
    stands = [
        act.role.name
        for act in others
        if act.parts[act.role.name] == (-1,) and not act.role.name.startswith(_FLOW)
    ]
    whole = _whole(others)
    is_block = "scope.block" in stands
    visited: Uses = ()
    valued: Uses = ()
    if family is not None and whole is None:
        visited = _uses(others, family, is_block=is_block)
        valued = _uses([*others, own], family, is_block=is_block)
    shape = Shape(
        role=own.role.name,
        op=_OPS.get(own.role.name, 0),
        type=own.role.type,
        parts=own.parts,
        base=own.parts["base"][0] if own.role.name in STEPS else -1,
        member=own.parts.get("name", (-1,))[0] if own.role.name in _OF_MEMBERS else -1,
        holder=own.parts.get("arguments", (-1,))[0],
        arguments=_arguments(own, family),
        assigned=_assigned(own, valued),
        is_alike=family is None,
        wanted=wanted,
        visited=visited,
        valued=valued,
        asks=asks,
        is_value=not _USED.isdisjoint(stands) or own.role.name in _BUILT,
        is_type="region.annotation" in stands,
        is_generic="region.generic" in stands,
        is_block=is_block,
        flags=sum(flag for role, flag in _FLAGS.items() if role in stands),
        branches=stands.count("branch"),
        whole=whole,
        before=tuple(act for act in others if act.role.name in BEFORE),
        after=tuple(act for act in others if act.role.name in AFTER),
        flow=_flow(others),
    )
    is_plain = not (shape.before or shape.after or whole or stands or shape.flow)
    is_idle = not (shape.before or shape.after or whole or shape.branches or is_block or shape.flow)
    is_idle = is_idle and not shape.is_alike and not shape.valued
    is_call = shape.op == Op.CALL and shape.holder >= 0
    return replace(
        shape,
        is_plain=is_plain,
        is_idle=is_idle,
        is_plain_call=is_plain and is_idle and is_call,
        is_inside=bool(shape.is_type or shape.is_block or shape.is_generic or shape.flags),
    )


def _whole(acts: Iterable[Act]) -> Act | None:
    """What a node defines: what the first pattern says of it, wherever that fits."""
    found = [act for act in acts if act.role.name in WHOLE]
    return _together([act for act in found if act.parts.keys() == found[0].parts.keys()])


def _flow(acts: Iterable[Act]) -> Act | None:
    """How control runs through a node: what all patterns say of it, put together."""
    found = [act for act in acts if act.role.name.startswith(_FLOW) and len(act.parts) > 1]
    return _together(found)


def _together(found: Sequence[Act]) -> Act | None:
    """Several acts as one, which has the parts of all."""
    parts: dict[str, dict[int, None]] = {}
    for act in found:
        for name, places in act.parts.items():
            parts.setdefault(name, {}).update(dict.fromkeys(places))
    return Act(found[0].role, {name: (*one,) for name, one in parts.items()}) if found else None


def _arguments(own: Act, family: Family | None) -> tuple[int, ...]:
    """The places of arguments that stand beside the base: one, or all of an index."""
    if "argument" in own.parts or "arguments" in own.parts or family is None:
        return own.parts.get("argument", ())
    if own.role.name != "expression.index":
        return ()
    return tuple(
        place
        for place, child in enumerate(family.nodes)
        if child.is_named and place not in own.parts["base"] and child.kind_id not in family.skipped
    )


def _assigned(own: Act, uses: Uses) -> tuple[int, ...]:
    options = own.parts.get("option", ())
    return tuple([place for place, use in uses if use == ASSIGNED and place in options])


def _uses(acts: Iterable[Act], family: Family, *, is_block: bool) -> Uses:
    """What to do with each child; where roles differ, the one that does more."""
    chosen: dict[int, int] = {}
    for act in acts:
        for part, places in act.parts.items():
            use = use_of(act.role, part)
            for place in places:
                chosen[place] = SKIP if use == SKIP else max(chosen.get(place, use), use)
        chosen |= dict.fromkeys(_arguments(act, family), VALUE)
    uses = []
    for place, child in enumerate(family.nodes):
        use = chosen.get(place, VISIT)
        if place >= family.again:
            uses += [(place, use | AGAIN)] if use > VISIT else []
        elif use == VISIT and (
            child.kind_id in family.built or (place not in chosen and child.kind_id in family.used)
        ):
            uses.append((place, VALUE))
        elif use > VISIT or (
            use == VISIT and child.is_named and child.kind_id not in family.leaves
        ):
            uses.append((place, use))
    if is_block:  # what it binds comes first, for what stands before is read in it too
        read = _read_first(acts) if family.values_first else frozenset()
        uses.sort(
            key=lambda use: (
                use[0] not in read,
                family.nodes[use[0]].kind_id not in family.binders,
            )
        )
    elif family.values_first:
        targets = _bound_last(acts, family)
        uses.sort(key=lambda use: use[0] in targets)
    return tuple(uses)


def _read_first(acts: Iterable[Act]) -> frozenset[int]:
    """The values of a block that are read before what it binds to them is known."""
    bound = [act.parts["value"] for act in acts if act.role.name == _ASSIGNMENT]
    return frozenset(place for places in bound for place in places)


def _bound_last(acts: Iterable[Act], family: Family) -> set[int]:
    """The targets that are bound when all in the node has been read, where values come first."""
    last = family.again - 1  # a loop that ends in its body binds its targets before that
    return {
        place
        for act in acts
        if act.role.name == _ASSIGNMENT
        or (act.role.name in _ITERATIONS and last in act.parts["value"])
        for place in act.parts["target"]
    }
