"""The order in which the classes of a hierarchy are asked for a member.

C3 linearisation as Python defines it (Barrett and others, "A Monotonic Superclass Linearization for
Dylan", 1996). A hierarchy that has none (it contradicts itself, or goes in a circle) falls back to
depth first, each class once.
"""

from collections.abc import Callable, Sequence

Ancestor = int | str | None
"""A class of the repository, an external one by its dotted name, or one that nothing is known of."""

LONGEST = 200


def linearise(
    number: int,
    bases_of: Callable[[int], Sequence[Ancestor]],
    known: dict[int, tuple[Ancestor, ...]],
) -> tuple[Ancestor, ...]:
    """The order for class `number`, itself first; `known` keeps the orders of all it asks for.

    Runs over an explicit stack: a chain of classes may be longer than the interpreter's own.
    """
    stack = [number]
    opened: set[int] = set()
    while stack:
        current = stack[-1]
        if current in known:
            stack.pop()
            continue
        bases = bases_of(current)
        waiting = [b for b in bases if isinstance(b, int) and b not in known and b not in opened]
        opened.add(current)
        if waiting:
            stack += waiting
            continue
        known[current] = _merge(current, bases, known)
        stack.pop()
    return known[number]


def _merge(
    current: int, bases: Sequence[Ancestor], known: dict[int, tuple[Ancestor, ...]]
) -> tuple[Ancestor, ...]:
    orders = [list(known.get(b, (b,))) if isinstance(b, int) else [b] for b in bases]
    queues = [order for order in (*orders, list(bases)) if order]
    merged: list[Ancestor] = [current]
    while queues and len(merged) < LONGEST:
        head = _next(queues)
        if head is _NOTHING:
            return _depth_first(current, orders)
        if head != current:
            merged.append(head)
        queues = [rest for q in queues if (rest := q[1:] if q[0] == head else q)]
    return tuple(dict.fromkeys(merged))


_NOTHING = object()


def _next(queues: Sequence[list[Ancestor]]) -> Ancestor | object:
    """The first head that stands in no tail."""
    for queue in queues:
        head = queue[0]
        if not any(head in other[1:] for other in queues):
            return head
    return _NOTHING


def _depth_first(current: int, orders: Sequence[list[Ancestor]]) -> tuple[Ancestor, ...]:
    found = dict.fromkeys([current, *(item for order in orders for item in order)])
    return tuple(found)[:LONGEST]
