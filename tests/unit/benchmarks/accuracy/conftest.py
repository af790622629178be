"""A small project whose calls are known, run for real under the tracer."""

from pathlib import Path

import pytest
from benchmarks.accuracy.packages import find_interpreter
from benchmarks.accuracy.tracing import Trace, trace_program

SHOP = """\
import functools
from contextlib import contextmanager


def leaf(x=0):
    return x


def numbers(count):
    for number in range(count):
        yield leaf(number)


def hand_on():
    return numbers(2)


class Basket:
    size = leaf(3)

    def __init__(self):
        self.items = [leaf(item) for item in (1, 2)]

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return None

    def __iter__(self):
        yield 1

    def __add__(self, other):
        return self

    def __call__(self):
        return leaf()

    @property
    def total(self):
        return self.add(1)

    def add(self, amount):
        return amount


class Crate(Basket):
    def add(self, amount):
        return super().add(amount)


def traced(function):
    @functools.wraps(function)
    def wrapper(*arguments):
        return function(*arguments)

    return wrapper


@traced
def decorated():
    return leaf()


def named(name):
    def apply(function):
        return function

    return apply


@named("two")
def labelled():
    return None


double = lambda x: leaf(x)


@contextmanager
def opened():
    yield leaf()
"""

MAIN = """\
from shop import Basket, Crate, decorated, double, hand_on, leaf, opened


def consume():
    list(hand_on())


def operators():
    basket = Basket()
    with basket:
        pass
    for _ in basket:
        pass
    basket.total
    basket + basket
    basket()


def through_c():
    list(map(leaf, [1, 2, 3]))
    sorted([1], key=lambda x: leaf(x))
    [].sort()


def others():
    decorated()
    double(1)
    Crate().total
    with opened():
        pass
    list(leaf(x) for x in (1, 2))


consume()
operators()
through_c()
others()
"""


@pytest.fixture(scope="session")
def interpreter() -> str:
    found = find_interpreter()
    if found is None:
        pytest.skip("no Python >= 3.12 to trace with")
    return found


@pytest.fixture(scope="session")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("project")
    (root / "shop.py").write_text(SHOP, encoding="utf-8")
    (root / "main.py").write_text(MAIN, encoding="utf-8")
    return root


@pytest.fixture(scope="session")
def trace(interpreter: str, project: Path, tmp_path_factory: pytest.TempPathFactory) -> Trace:
    output = tmp_path_factory.mktemp("traces") / "project.json.gz"
    return trace_program(interpreter, project, output, ["main.py"])
