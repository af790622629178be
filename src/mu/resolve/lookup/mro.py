"""C3 linearisation: the method resolution order (MRO) of a class.

C3 linearisation as Python defines it (Barrett and others, "A Monotonic Superclass Linearization for
Dylan", 1996). A hierarchy without one (it is inconsistent or cyclic) falls back to depth-first
order, each class once.
"""

from collections import Counter
from collections.abc import Callable, Sequence

from mu.resolve.limits import LONGEST_MRO

Ancestor = int | str | None
"""A class by its number, one without text by its dotted name, or an unknown one."""


def linearise(
    number: int,
    bases_of: Callable[[int], Sequence[Ancestor]],
    *,
    known: dict[int, tuple[Ancestor, ...]],
) -> tuple[Ancestor, ...]:
    """Return the MRO of class `number`, itself first; `known` gets those of all its ancestors.

    Runs on an explicit stack: a chain of classes may be deeper than the interpreter's.
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
    orders = [_order(base, known) for base in bases]
    if len(orders) == 1 and current not in orders[0]:
        return (current, *orders[0])[:LONGEST_MRO]
    queues = [order[::-1] for order in (*orders, list(bases)) if order]  # the first is last
    to_come = Counter(one for queue in queues for one in queue[:-1])  # after the first of a queue
    merged: list[Ancestor] = [current]
    while queues and len(merged) < LONGEST_MRO:
        heads = [queue[-1] for queue in queues if not to_come[queue[-1]]]
        if not heads:
            return _depth_first(current, orders)
        head = heads[0]
        if head != current:
            merged.append(head)
        for queue in queues:
            if queue[-1] == head:
                queue.pop()
                if queue:
                    to_come[queue[-1]] -= 1
        queues = [queue for queue in queues if queue]
    return tuple(dict.fromkeys(merged))


def _order(base: Ancestor, known: dict[int, tuple[Ancestor, ...]]) -> list[Ancestor]:
    """Return the MRO of a base, as far as it is known."""
    return list(known.get(base, (base,))) if isinstance(base, int) else [base]


def _depth_first(current: int, orders: Sequence[list[Ancestor]]) -> tuple[Ancestor, ...]:
    found = dict.fromkeys([current, *(item for order in orders for item in order)])
    return tuple(found)[:LONGEST_MRO]
