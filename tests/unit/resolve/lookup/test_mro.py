from collections.abc import Mapping

import pytest

from mu.resolve.limits import LONGEST_MRO
from mu.resolve.lookup.mro import Ancestor, linearise


def order(number: int, bases: Mapping[int, tuple[Ancestor, ...]]) -> tuple[Ancestor, ...]:
    return linearise(number, lambda n: bases.get(n, ()), known={})


def test_a_class_without_bases_stands_alone() -> None:
    assert order(1, {}) == (1,)


def test_single_inheritance_goes_upwards() -> None:
    assert order(3, {3: (2,), 2: (1,)}) == (3, 2, 1)


def test_a_diamond_asks_the_common_base_last() -> None:
    assert order(4, {4: (2, 3), 2: (1,), 3: (1,)}) == (4, 2, 3, 1)


def test_the_order_is_the_one_of_python() -> None:
    class O: ...  # noqa: E742

    class A(O): ...

    class B(O): ...

    class C(O): ...

    class D(O): ...

    class E(O): ...

    class K1(A, B, C): ...

    class K2(D, B, E): ...

    class K3(D, A): ...

    class Z(K1, K2, K3): ...

    classes = [O, A, B, C, D, E, K1, K2, K3, Z]
    bases = {
        number: tuple(classes.index(base) for base in row.__bases__ if base is not object)
        for number, row in enumerate(classes)
    }

    found = order(classes.index(Z), bases)

    assert found == tuple(classes.index(row) for row in Z.__mro__ if row is not object)


def test_external_and_unknown_bases_keep_their_places() -> None:
    assert order(2, {2: (1, "lib.Mixin", None)}) == (2, 1, "lib.Mixin", None)


def test_a_hierarchy_that_contradicts_itself_is_asked_depth_first() -> None:
    bases: dict[int, tuple[Ancestor, ...]] = {5: (3, 4), 3: (1, 2), 4: (2, 1)}

    assert order(5, bases) == (5, 3, 1, 2, 4)


def test_classes_in_a_circle_have_an_order_each_once() -> None:
    bases: dict[int, tuple[Ancestor, ...]] = {1: (2,), 2: (3,), 3: (1,)}

    found = order(1, bases)

    assert found[0] == 1
    assert sorted(map(str, found)) == ["1", "2", "3"]


def test_a_class_that_is_its_own_base_stands_alone() -> None:
    assert order(1, {1: (1,)}) == (1,)


def test_a_chain_longer_than_the_stack_is_cut() -> None:
    bases: dict[int, tuple[Ancestor, ...]] = {n: (n - 1,) for n in range(1, 5000)}

    assert order(4999, bases) == tuple(range(4999, 4999 - LONGEST_MRO, -1))


class Compared(str):
    """The name of a class outside, counting how often it is compared."""

    count = 0

    def __eq__(self, other: object) -> bool:
        Compared.count += 1
        return super().__eq__(other)

    __hash__ = str.__hash__


def test_many_bases_are_compared_with_each_other_once(monkeypatch: pytest.MonkeyPatch) -> None:
    counts = []
    for many in (40, 80):
        monkeypatch.setattr(Compared, "count", 0)
        bases = tuple(Compared(f"c{number}") for number in range(many))
        assert order(0, {0: bases}) == (0, *bases)
        counts.append(Compared.count)

    assert counts[1] < 5 * counts[0]  # 4 times for each pair once, 8 for each three


def test_the_orders_of_ancestors_are_kept() -> None:
    known: dict[int, tuple[Ancestor, ...]] = {}

    linearise(3, lambda n: {3: (2,), 2: (1,)}.get(n, ()), known=known)

    assert known == {1: (1,), 2: (2, 1), 3: (3, 2, 1)}
