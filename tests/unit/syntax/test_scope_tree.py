"""Which scope around another is the nearest that binds a name, however deep it stands."""

import random

import pytest

from mu.syntax.tables.scope_tree import ScopeTree


class Scopes:
    """Scopes of which each stands in one before it, and what some of them bind."""

    def __init__(self, seed: int, *, deep: float) -> None:
        draw = random.Random(seed)
        self.parents = [-1]
        self.bound: list[set[str]] = [set()]
        self.tree = ScopeTree()
        self.tree.open(-1)
        for number in range(1, 400):
            parent = number - 1 if draw.random() < deep else draw.randrange(number)
            self.parents.append(parent)
            self.tree.open(parent)
            self.bound.append(set())
            for _ in range(draw.randrange(3)):
                self.bind(draw.randrange(number + 1), draw.choice("abcdefgh"))

    def bind(self, scope: int, name: str) -> None:
        if name not in self.bound[scope]:
            self.bound[scope].add(name)
            self.tree.bind(scope, name)

    def around(self, scope: int) -> list[int]:
        found = []
        while scope >= 0:
            found.append(scope)
            scope = self.parents[scope]
        return found


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("deep", [0.0, 0.5, 0.95, 1.0])
def test_nearest_is_what_a_walk_outwards_meets_first(seed: int, deep: float) -> None:
    scopes = Scopes(seed, deep=deep)
    draw = random.Random(seed)

    for scope, name in ((scope, name) for scope in range(400) for name in "abchz"):
        around = scopes.around(scope)
        place = draw.randrange(len(around))
        met = [one for one in around[:place] if name in scopes.bound[one]]
        nearest = scopes.tree.nearest(scope, name, limit=around[place])
        assert nearest == (met[0] if met else around[place])
