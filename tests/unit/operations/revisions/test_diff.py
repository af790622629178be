"""What a difference says of changes of each sort, on real commits."""

from collections.abc import Callable
from pathlib import Path

import pytest

from fakes.git_history import Files, History
from mu.analysis.review.findings import Change, ChangeKind
from mu.errors import MuError
from mu.kernel import BuildSettings
from mu.kernel.graph_cache import CachedGraph
from mu.model.kinds import Verdict
from mu.operations.revisions import snapshots
from mu.operations.revisions.diff import Diff, diff
from mu.operations.revisions.equal_sources import has_equal_sources
from mu.operations.workspace import Workspace

SHOP = {
    "shop/__init__.py": "",
    "shop/cart.py": '''\
import functools


class Cart(list):
    """What is bought."""

    limit: int = 10

    def add(self, item, count=1):
        """Add an item."""
        for _ in range(count):
            self.append(item)
        return self

    def total(self, rate):
        return sum(item.price for item in self) * rate


def price_of(item, currency="EUR"):
    """Look the price up."""
    table = {"box": 3, "bag": 5}
    if currency != "EUR":
        raise ValueError(currency)
    return table[item] * 100


def _secret():
    return 1


PRICES = {
    "bag": 5,  # with a ) in a comment
}
''',
    "shop/till.py": """\
from shop.cart import Cart, price_of


def pay(cart: Cart):
    cart.add("box", 2)
    amount = price_of("box", currency="EUR")
    return amount + cart.total(1)
""",
    "tests/test_till.py": """\
from shop.cart import Cart, price_of
from shop.till import pay


def test_pay():
    assert pay(Cart()) == 3
    assert price_of("bag", "EUR") == 500
""",
}

Compare = Callable[..., Diff]


@pytest.fixture
def compare(tmp_path: Path) -> Compare:
    def run(*edits: tuple[str, str, str], files: Files | None = None, text: str = "") -> Diff:
        """Compare the shop with what edits (path, old, new) or other `files` make of it."""
        changed = dict(SHOP)
        for path, old, new in edits:
            assert old in changed[path]
            changed[path] = changed[path].replace(old, new)
        history = History(tmp_path / "shop")
        history.commit("Before", SHOP)
        history.commit("After", {**changed, **(files or {})})
        return diff(Workspace(tmp_path / "shop"), text or "HEAD~1..HEAD")

    return run


def rows(result: Diff) -> set[tuple[str, str, str]]:
    return {(one.change.value, one.id, ",".join(one.aspects)) for one in result.changes}


def only(result: Diff, kind: ChangeKind) -> Change:
    (found,) = [one for one in result.changes if one.change is kind]
    return found


@pytest.mark.parametrize(
    ("old", "new", "aspects"),
    [
        ("* rate", "* rate + 1", "body"),
        ("        return sum(", "        rate += 0\n        return sum(", "body"),
        ("def total(self, rate)", "def total(self, rate, fee=0)", "signature"),
        ("def total(self, rate)", "def total(self, rate: float) -> float", "types"),
        ("def total(self, rate)", "async def total(self, rate)", "signature"),
        ("    def total", "    @functools.cache\n    def total", "decorators"),
        ("def total(self, rate):", "def total(self, rate):  # in cents", "comments"),
    ],
)
def test_a_method_changes_in_one_aspect(compare: Compare, old: str, new: str, aspects: str) -> None:
    result = compare(("shop/cart.py", old, new))

    found = {row for row in rows(result) if not row[1].startswith("mod:")}
    assert found == {("changed", "fn:shop/cart.py:Cart.total", aspects)}


@pytest.mark.parametrize(
    ("old", "new", "id_", "aspects"),
    [
        ("class Cart(list)", "class Cart(dict)", "cls:shop/cart.py:Cart", "bases"),
        ("What is bought", "All that is bought", "cls:shop/cart.py:Cart", "docstring"),
        ("limit: int = 10", "limit: int = 12", "var:shop/cart.py:Cart.limit", "value"),
        ("limit: int = 10", "limit: float = 10", "var:shop/cart.py:Cart.limit", "types"),
        ("import functools", "import functools, sys", "mod:shop/cart.py", "body"),
        ('    "bag": 5,', '    "bag": 6,', "var:shop/cart.py:PRICES", "value"),
        ("class Cart(list)", "class Cart(list[int])", "cls:shop/cart.py:Cart", "types"),
    ],
)
def test_others_change_in_one_aspect(
    compare: Compare, old: str, new: str, id_: str, aspects: str
) -> None:
    assert rows(compare(("shop/cart.py", old, new))) == {("changed", id_, aspects)}


def test_lines_and_space_alone_change_nothing(compare: Compare) -> None:
    result = compare(("shop/cart.py", "\n\n\ndef price_of", "\n\n\n\n\ndef price_of"))

    assert (result.files_changed, result.changes) == (1, ())


def test_a_whole_class_that_comes_or_goes_is_one_row(compare: Compare) -> None:
    text = "class Bag:\n    def put(self):\n        pass\n\n    def take(self):\n        pass\n"

    result = compare(files={"shop/bag.py": text})

    added = only(result, ChangeKind.ADDED)
    assert (added.id, added.inner, added.breaking) == ("mod:shop/bag.py", 3, ())
    assert added.members == ("Bag",)


def test_a_renamed_function_is_no_removal_and_breaks_its_name(compare: Compare) -> None:
    result = compare(("shop/cart.py", "def price_of(", "def cost_of("))

    found = only(result, ChangeKind.RENAMED)
    assert (found.before_id, found.id) == ("fn:shop/cart.py:price_of", "fn:shop/cart.py:cost_of")
    assert found.breaking == ("was renamed to shop.cart.cost_of",)
    assert {(site.path, site.line) for site in found.broken} >= {
        ("shop/till.py", 1),
        ("tests/test_till.py", 1),
    }
    assert ChangeKind.REMOVED not in {one.change for one in result.changes}


def test_a_moved_function_that_its_old_module_imports_breaks_nothing(compare: Compare) -> None:
    start = SHOP["shop/cart.py"].index("def price_of")
    end = SHOP["shop/cart.py"].index("def _secret")
    text = SHOP["shop/cart.py"][start:end]

    result = compare(
        ("shop/cart.py", text, "from shop.prices import price_of\n\n\n"),
        files={"shop/prices.py": text},
    )

    assert result.breaking == result.broken == 0
    added = {(row.source, row.target) for row in result.dependencies}
    assert added >= {("mod:shop/cart.py", "mod:shop/prices.py")}


def test_a_moved_file_takes_what_is_in_it_along(compare: Compare, tmp_path: Path) -> None:
    history = History(tmp_path / "moved")
    history.commit("Before", SHOP)
    moved = {path.replace("cart", "basket"): text for path, text in SHOP.items()}
    history.commit("After", {**moved, "shop/till.py": SHOP["shop/till.py"]})

    result = diff(Workspace(tmp_path / "moved"), "HEAD~1..HEAD")

    found = only(result, ChangeKind.MOVED)
    assert (found.before_id, found.id) == ("mod:shop/cart.py", "mod:shop/basket.py")
    assert found.breaking == ("was moved to shop.basket",)
    assert ("shop/till.py", 1) in {(site.path, site.line) for site in found.broken}
    assert {one.id for one in result.changes} == {"mod:shop/basket.py"}


def test_removed_definitions_break_those_that_still_use_them(compare: Compare) -> None:
    start = SHOP["shop/cart.py"].index("def price_of")
    end = SHOP["shop/cart.py"].index("def _secret")

    result = compare(("shop/cart.py", SHOP["shop/cart.py"][start:end], ""))

    gone = only(result, ChangeKind.REMOVED)
    assert (gone.id, gone.breaking) == ("fn:shop/cart.py:price_of", ("was removed",))
    assert ("shop/till.py", 6, "refers to what is gone") in {
        (site.path, site.line, site.why) for site in gone.broken
    }


def test_private_and_inherited_members_may_go(compare: Compare) -> None:
    result = compare(("shop/cart.py", "def _secret():\n    return 1\n", ""))

    assert only(result, ChangeKind.REMOVED).breaking == ()


def test_a_constructor_that_another_class_gets_has_not_moved(tmp_path: Path) -> None:
    method = "    def __init__(self, {}*rows):\n        super().__init__(*rows)\n"
    bag, box = "class Bag(list):\n    size = 3\n", "class Box(list):\n    size = 4\n"
    history = History(tmp_path / "shop")
    history.commit("Before", {"shop/bag.py": bag + method.format(""), "shop/box.py": box})
    history.commit("After", {"shop/bag.py": bag, "shop/box.py": box + method.format("first, ")})

    result = diff(Workspace(tmp_path / "shop"), "HEAD~1..HEAD")

    assert {(one.change.value, one.id) for one in result.changes} == {
        ("removed", "fn:shop/bag.py:Bag.__init__"),
        ("added", "fn:shop/box.py:Box.__init__"),
    }


def test_a_renamed_override_leaves_what_is_inherited(tmp_path: Path) -> None:
    base = "class Base:\n    def sql(self, model, default=1):\n        return model\n\n\n"
    body = "(self, model{}):\n        found = self.parts(model)\n        return found.join(model)\n"
    history = History(tmp_path / "shop")
    for name, parameter in (("sql", ", default=1"), ("_index_sql", "")):
        text = f"{base}class Editor(Base):\n    def {name}{body.format(parameter)}"
        history.commit(name, {"shop/__init__.py": "", "shop/editor.py": text})

    found = only(diff(Workspace(tmp_path / "shop"), "HEAD~1..HEAD"), ChangeKind.RENAMED)

    assert (found.name, found.breaking) == ("shop.editor.Editor._index_sql", ())


def test_calls_that_do_not_fit_new_parameters_are_listed(compare: Compare) -> None:
    result = compare(
        ("shop/cart.py", 'item, currency="EUR"', "item, *, money"),
        ("shop/cart.py", "currency", "money"),
    )

    change = next(one for one in result.changes if one.id == "fn:shop/cart.py:price_of")
    assert change.breaking == (
        "parameter currency was removed",
        "new parameter money is required",
    )
    assert change.sites == 2
    assert {(site.path, site.line, site.why, site.is_test) for site in change.broken} == {
        ("shop/till.py", 6, "passes currency, which is not taken", False),
        ("tests/test_till.py", 7, "passes 2 arguments by position, where 1 are taken", True),
    }


def test_a_new_import_makes_a_cycle_and_is_a_dependency(compare: Compare) -> None:
    result = compare(("shop/cart.py", "import functools", "from shop.till import pay"))

    assert [(row.change, row.source, row.target, row.line) for row in result.dependencies] == [
        ("added", "mod:shop/cart.py", "mod:shop/till.py", 1)
    ]
    (cycle,) = result.cycles
    assert (cycle.change, cycle.before, cycle.after) == ("made", 0, 2)
    assert {step.path for step in cycle.steps} == {"shop/cart.py", "shop/till.py"}


def test_a_new_package_is_a_dependency(compare: Compare) -> None:
    result = compare(("shop/cart.py", "import functools", "import requests"))

    assert [(row.change, row.target, row.is_external) for row in result.dependencies] == [
        ("added", "ext:requests", True)
    ]


def test_complexity_is_added_up(compare: Compare) -> None:
    result = compare(("shop/cart.py", "* rate", "* (rate if rate else 1)"))

    assert (result.complexity_before, result.complexity_after) == (2, 3)


@pytest.mark.slow
def test_without_revisions_the_working_tree_is_compared_then_the_branch(tmp_path: Path) -> None:
    history = History(tmp_path / "shop")
    history.commit("Before", SHOP)
    history.check_out()
    workspace = Workspace(tmp_path / "shop")
    assert diff(workspace).files_changed == 0

    (tmp_path / "shop/shop/cart.py").write_text(SHOP["shop/cart.py"] + "\n\nnew = 1\n")
    working = diff(workspace)

    assert working.after == "working tree"
    assert rows(working) == {("added", "var:shop/cart.py:new", "")}
    assert not (tmp_path / "shop/.mubase").exists()
    (tmp_path / "shop/shop/cart.py").write_text(SHOP["shop/cart.py"])
    history.repository.references.create("refs/heads/topic", history.repository.head.target)
    history.repository.set_head("refs/heads/topic")
    history.repository.references.create("refs/heads/elsewhere", history.repository.head.target)
    made = history.commit("On main", {**SHOP, "shop/more.py": "more = 1\n"})
    history.repository.references.create("refs/heads/topic", history.commits["On main"], force=True)
    history.repository.references.create("refs/heads/main", history.commits["Before"], force=True)
    (tmp_path / "shop/shop/more.py").write_text("more = 1\n")

    branch = diff(workspace)

    assert branch.before.startswith("merge base of main and HEAD")
    assert made in branch.after
    assert rows(branch) == {("added", "mod:shop/more.py", "")}


def test_rows_come_in_pages_and_within_a_path(compare: Compare, tmp_path: Path) -> None:
    compare(("shop/cart.py", "* rate", "+ rate"), ("shop/till.py", "+ cart", "- cart"))
    workspace = Workspace(tmp_path / "shop")

    first = diff(workspace, "HEAD~1..HEAD", limit=1)
    second = diff(workspace, "HEAD~1..HEAD", limit=1, offset=1)
    inside = diff(workspace, "HEAD~1..HEAD", within="shop/till.py")

    assert (first.total, first.next_offset, second.next_offset) == (2, 1, None)
    assert [one.id for one in (*first.changes, *second.changes)] == [
        "fn:shop/cart.py:Cart.total",
        "fn:shop/till.py:pay",
    ]
    assert [one.id for one in inside.changes] == ["fn:shop/till.py:pay"]


@pytest.mark.slow
def test_a_graph_that_proves_damaged_is_built_again(
    compare: Compare, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = compare(("shop/cart.py", "* rate", "+ rate"))
    real = snapshots.revision_graph
    harmed: list[Path] = []

    def harm(*given: object, **more: object) -> CachedGraph:
        kept: CachedGraph = real(*given, **more)  # type: ignore[arg-type] # as it was called
        if not harmed:
            harmed.append(kept.path)
            data = bytearray(kept.path.read_bytes())
            third = len(data) // 3
            data[third : 2 * third] = bytes(third)
            kept.path.write_bytes(data)
        return kept

    monkeypatch.setattr(snapshots, "revision_graph", harm)

    assert diff(Workspace(tmp_path / "shop"), "HEAD~1..HEAD") == whole
    assert harmed


def test_a_revision_that_is_not_there_is_an_error(compare: Compare) -> None:
    with pytest.raises(MuError, match="no revision is called v9"):
        compare(text="v9..HEAD")


def test_states_with_the_same_sources_need_no_graph(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> CachedGraph:
        raise AssertionError

    monkeypatch.setattr(snapshots, "revision_graph", fail)
    monkeypatch.setattr(snapshots, "working_graph", fail)
    history = History(tmp_path)
    history.commit("one", SHOP)
    history.commit("two", {**SHOP, "data.bin": "1"})
    history.check_out()

    for text in ("HEAD~1", "HEAD~1..HEAD", "HEAD..HEAD"):
        found = diff(Workspace(tmp_path), text)
        assert (found.total, found.files_changed, found.verdict) == (0, 0, Verdict.EXACT)
        assert found.before.startswith("HEAD")


def test_a_manifest_that_differs_is_compared_by_graphs(tmp_path: Path) -> None:
    project = '[project]\nname = "shop"\n[project.scripts]\nshop = "shop.till:pay"\n'
    history = History(tmp_path)
    history.commit("one", {**SHOP, "pyproject.toml": project.replace("till", "cart")})
    history.commit("two", {**SHOP, "pyproject.toml": project})
    span = snapshots.read_range(tmp_path, "HEAD~1..HEAD")

    assert not has_equal_sources(tmp_path, span, settings=BuildSettings())
