"""What a change set reaches, and which tests are selected for it."""

from collections.abc import Callable
from pathlib import Path

import pytest

from fakes.git_history import Files, History
from mu.operations.revisions.affected_tests import Selection, change_impact, select_tests
from mu.operations.workspace import Workspace

SHOP = {
    "shop/__init__.py": "",
    "shop/cart.py": """\
from shop.money import rate


class Base:
    def total(self):
        return 0


class Cart(Base):
    def total(self):
        return rate() * 2  # twice


def unrelated():
    return 1
""",
    "shop/money.py": "def rate():\n    return 3\n\n\ndef fee():\n    return 3\n",
    "shop/till.py": "from shop.cart import Cart\n\n\ndef pay():\n    return Cart().total()\n",
    "tests/conftest.py": """\
import pytest

from shop.cart import unrelated


@pytest.fixture
def thing():
    return unrelated()
""",
    "tests/test_till.py": """\
from shop.till import pay


class TestPay:
    def test_pay(self):
        assert pay() == 6


def test_thing(thing):
    assert thing == 1


def test_nothing():
    assert True
""",
}
PAY, THING, NOTHING = (
    f"tests/test_till.py::{name}" for name in ("TestPay::test_pay", "test_thing", "test_nothing")
)

Select = Callable[..., Selection]


@pytest.fixture
def select(tmp_path: Path) -> Select:
    def run(
        *edits: tuple[str, str, str],
        files: Files | None = None,
        before: Files = SHOP,
        is_safe: bool = False,
    ) -> Selection:
        changed = {**before, **(files or {})}
        for path, old, new in edits:
            assert old in changed[path]
            changed[path] = changed[path].replace(old, new)
        history = History(tmp_path / "shop")
        history.commit("Before", before)
        history.commit("After", changed)
        return select_tests(Workspace(tmp_path / "shop"), "HEAD~1..HEAD", is_safe=is_safe)

    return run


def ids(result: Selection) -> list[str]:
    return [row.id for row in result.tests]


def test_a_test_that_reaches_the_change_is_selected_with_the_way(select: Select) -> None:
    result = select(("shop/money.py", "def rate():\n    return 3", "def rate():\n    return 4"))

    assert ids(result) == [PAY]
    (row,) = result.tests
    assert (row.distance, row.reason) == (3, "reaches pay -> total -> rate, which changed")
    assert (result.total, result.suite) == (1, 3)
    assert result.commands == {"python": (f"python -m pytest {PAY}",)}


def test_a_test_that_changed_is_selected(select: Select) -> None:
    result = select(("tests/test_till.py", "assert True", "assert 1"))

    assert [(row.id, row.reason) for row in result.tests] == [(NOTHING, "changed itself")]


def test_what_a_fixture_reaches_selects_the_tests_that_take_it(select: Select) -> None:
    assert ids(select(("shop/cart.py", "return 1", "return 2"))) == [THING]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("  # twice", "  # two times"),
        ("class Cart(Base):", 'class Cart(Base):\n    """A cart."""\n'),
        ("class Cart(Base):", "class Cart(Base):  # a cart"),
    ],
)
def test_comments_and_documentation_select_nothing(select: Select, old: str, new: str) -> None:
    assert ids(select(("shop/cart.py", old, new))) == []


LABEL = """\
def checked(function):
    def wrapper(*values):
        return function(*values)

    return wrapper


class Label(str):
    def shorter(self):
        return self[:1]

    def longer(self):
        return self * 2


@checked
def first():
    return 1


@checked
def second():
    return 2
"""
LABEL_TESTS = """\
from shop.label import Label, first, second


def test_shorter():
    assert Label("ab").shorter() == "a"


def test_longer():
    assert Label("ab").longer() == "abab"


def test_first():
    assert first() == 1


def test_second():
    assert second() == 2
"""


@pytest.mark.parametrize(
    ("old", "new", "test"),
    [("self[:1]", "self[:2]", "test_shorter"), ("return 2", "return 3", "test_second")],
    ids=["a method that its base does not call", "a function behind a decorator"],
)
def test_what_tests_call_by_name_is_reached_by_those_alone(
    select: Select, old: str, new: str, test: str
) -> None:
    before = {**SHOP, "shop/label.py": LABEL, "tests/test_label.py": LABEL_TESTS}

    result = select(("shop/label.py", old, new), before=before)

    assert ids(result) == [f"tests/test_label.py::{test}"]


def test_a_new_override_is_reached_by_callers_of_the_base(select: Select) -> None:
    result = select(
        ("shop/cart.py", "    def total(self):\n        return rate() * 2  # twice", "    pass"),
    )

    assert ids(result) == [PAY]


def test_imports_of_something_else_reach_who_uses_it(select: Select) -> None:
    result = select(("shop/cart.py", "import rate", "import fee as rate"))

    assert ids(result) == [PAY]


def test_users_of_what_is_gone_are_selected(select: Select) -> None:
    result = select(("shop/money.py", "def rate():\n    return 3\n\n\n", ""))

    assert ids(result) == [PAY]
    assert "fn:shop/money.py:rate".rpartition(":")[2] in result.tests[0].reason


def test_safe_adds_tests_of_files_that_import_the_change(select: Select) -> None:
    result = select(("shop/money.py", "def fee():\n    return 3", "def fee():\n    return 4"))
    assert ids(result) == []

    safe = select(
        ("shop/money.py", "def fee():\n    return 3", "def fee():\n    return 4"), is_safe=True
    )

    assert set(ids(safe)) == {PAY, THING, NOTHING}
    assert {row.distance for row in safe.tests} == {-1}


SHAPES = {
    "shop/shapes.py": """\
class Shape:
    def area(self):
        return 0


class Square(Shape):
    def area(self):
        return 4


class Circle(Shape):
    def area(self):
        return 3


def measure(shape: Shape):
    return shape.area()


def twice(anything):
    return 2 * anything.area()
""",
    "tests/test_shapes.py": """\
from shop.shapes import Circle, Square, measure, twice


def test_square():
    assert measure(Square()) == 4


def test_circle():
    assert measure(Circle()) == 3


def test_twice():
    assert twice(Square()) == 8
""",
}


def test_an_override_is_reached_by_tests_that_make_its_class(select: Select) -> None:
    result = select(("shop/shapes.py", "return 4", "return 5"), before=SHAPES)

    assert set(ids(result)) == {
        "tests/test_shapes.py::test_square",
        "tests/test_shapes.py::test_twice",  # by the name of a call that is not resolved
    }


def test_inherited_and_imported_tests_are_listed_where_they_are_collected(select: Select) -> None:
    base = """\
import pytest

from shop.till import pay


class TestBase:
    @pytest.fixture
    def due(self):
        return 6

    def test_due(self, due):
        assert pay() == due
"""
    derived = """\
from tests.test_base import TestBase as _TestBase


class TestDerived(_TestBase):
    def test_more(self):
        pass


class Checks(_TestBase):
    pass
"""
    files = {
        "tests/__init__.py": "",
        "tests/test_base.py": base,
        "tests/test_derived.py": derived,
        "tests/test_imported.py": "from tests.test_base import TestBase\n",
    }
    before = {**SHOP, **files}

    result = select(
        ("shop/money.py", "def rate():\n    return 3", "def rate():\n    return 4"),
        before=before,
    )

    assert set(ids(result)) == {
        PAY,
        "tests/test_base.py::TestBase::test_due",
        "tests/test_derived.py::TestDerived::test_due",
        "tests/test_imported.py::TestBase::test_due",
    }
    assert result.suite == 7


def test_what_is_far_from_the_change_is_left_to_safe(select: Select) -> None:
    links = "".join(f"def link{n}():\n    return link{n + 1}()\n\n\n" for n in range(25))
    files = {
        "shop/chain.py": f"{links}def link25():\n    return 1\n",
        "tests/test_chain.py": "from shop.chain import link0\n\n\n"
        "def test_chain():\n    assert link0() == 1\n",
    }
    edit = ("shop/chain.py", "return 1", "return 2")

    likely = select(edit, before={**SHOP, **files})
    safe = select(edit, before={**SHOP, **files}, is_safe=True)

    assert ids(likely) == []
    assert likely.notes == ("1 more test can reach what changed, less likely: --safe adds it",)
    assert "tests/test_chain.py::test_chain" in ids(safe)


def test_other_languages_have_ids_of_their_own(select: Select) -> None:
    go = 'package shop\n\nimport "testing"\n\nfunc TestPay(t *testing.T) { Pay() }\n'
    java = (
        "import org.junit.jupiter.api.Test;\nclass TillTest {\n    @Test\n    void pays() {}\n}\n"
    )

    result = select(files={"till/pay_test.go": go, "TillTest.java": java})

    assert result.commands["go"] == ("go test ./till -run '^(TestPay)$'",)
    assert result.commands["java"] == ("mvn test -Dtest='TillTest#pays'",)


def test_the_impact_of_a_change_set_begins_with_what_changed(
    select: Select, tmp_path: Path
) -> None:
    select(("shop/money.py", "def rate():\n    return 3", "def rate():\n    return 4"))
    workspace = Workspace(tmp_path / "shop")

    result = change_impact(workspace, "HEAD~1..HEAD")
    second = change_impact(workspace, "HEAD~1..HEAD", limit=1, offset=1)

    columns = result.answer.columns
    rows = [dict(zip(columns, row, strict=True)) for row in result.answer.rows]
    assert (rows[0]["id"], rows[0]["distance"]) == ("fn:shop/money.py:rate", 0)
    by_id = {row["id"]: row for row in rows}
    total = by_id["fn:shop/cart.py:Cart.total"]
    assert (total["distance"], total["via"]) == (1, "calls")
    assert total["from_id"] == total["changed"] == "fn:shop/money.py:rate"
    assert by_id["fn:tests/test_till.py:TestPay.test_pay"]["is_test"]
    assert second.answer.rows == result.answer.rows[1:2]
    assert second.next_offset == 2
