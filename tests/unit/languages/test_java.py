import pytest

from mu.languages.java import RULES
from mu.languages.java.packages import JavaPackages
from mu.resolve import Layout, Target
from mu.resolve.semantics.module_resolver import top_names
from mu.syntax import Extractor

TEXTS = {
    "core/src/main/java/app/Main.java": b"package app; class Main {}",
    "core/src/main/java/app/db/Store.java": b"package app.db; class Store {} class Row {}",
    "core/src/test/java/app/MainTest.java": b"package app; class MainTest {}",
    "web/src/main/java/app/Page.java": b"package app; class Page {}",
    "web/src/main/java/app/db/Store.java": b"package app.db; class Store {}",
    "tools/Loose.java": b"class Loose {}",
}


def _packages(texts: dict[str, bytes], *, is_outlined: bool = False) -> JavaPackages:
    """Those of some files; where they are outlined, of outlines and not of their facts."""
    extractor, paths = Extractor(), dict(enumerate(texts))
    facts = {key: extractor.extract(text, "java") for key, text in enumerate(texts.values())}
    if not is_outlined:
        return JavaPackages(Layout(paths, facts))
    outlined = {key: (one.package, top_names(one)) for key, one in facts.items() if one.package}
    empty = extractor.extract(b"", "java")
    return JavaPackages(Layout(paths, facts | dict.fromkeys(outlined, empty), outlined=outlined))


@pytest.fixture(name="packages", params=[False, True], ids=["of facts", "of outlines"])
def packages_fixture(request: pytest.FixtureRequest) -> JavaPackages:
    return _packages(TEXTS, is_outlined=request.param)


@pytest.mark.parametrize(
    ("importer", "dotted", "target"),
    [
        (0, "app.db.Store", Target(file=1, inside=("Store",))),
        (2, "app.db.Store", Target(file=1, inside=("Store",))),
        (3, "app.db.Store", Target(file=4, inside=("Store",))),
        (1, "app.Page", Target(file=3, inside=("Page",))),
        (3, "app.db.Row", Target(file=1, inside=("Row",))),
        (0, "app.db", Target(namespace="app.db")),
        (0, "app.db.Gone", Target(missing="app.db.Gone")),
        (0, "app.Main.Inner", Target(file=0, inside=("Main", "Inner"))),
        (0, "java.util", Target(external="java.util")),
        (0, "java.util.Map.Entry", Target(external="java.util", inside=("Map", "Entry"))),
        (0, "apple.Pie", Target(external="apple", inside=("Pie",))),
    ],
)
def test_qualified_name_resolves_to_the_nearest_file(
    packages: JavaPackages, importer: int, dotted: str, target: Target
) -> None:
    assert packages.find(importer, dotted) == target


def test_name_under_several_other_roots_is_missing(packages: JavaPackages) -> None:
    assert packages.find(5, "app.db.Store") == Target(missing="app.db.Store")


def test_files_of_a_package_share_their_names_across_source_folders(packages: JavaPackages) -> None:
    assert [packages.beside(2, name) for name in ("Main", "Store")] == [0, -1]


def test_package_is_what_the_text_says_wherever_the_file_lies() -> None:
    packages = _packages({"a/b/Main.java": b"package x.y; class Main {}", "a/Loose.java": b""})

    assert [packages.name_of(file) for file in (0, 1)] == ["x.y.Main", "a.Loose"]
    assert packages.find(1, "x.y.Main") == Target(file=0, inside=("Main",))


@pytest.mark.parametrize(
    "module",
    [
        "java.io",
        "java.lang",
        "java.nio.file",
        "java.time",
        "java.time.temporal",
        "java.util",
        "java.util.concurrent",
        "java.util.concurrent.atomic",
        "java.util.function",
        "java.util.regex",
        "java.util.stream",
    ],
)
def test_stub_of_a_package_has_no_mistake(module: str) -> None:
    facts = RULES.modules.stub(module)

    assert facts is not None
    assert facts.problems == ()


def test_modifiers_of_a_method_tell_what_it_is() -> None:
    text = b"abstract class A { static int a() { return 1; } abstract int b(); int c() {} }"
    rows = Extractor().extract(text, "java").definitions[1:]

    assert [(RULES.members.is_static(row), RULES.members.is_abstract(row)) for row in rows] == [
        (True, False),
        (False, True),
        (False, False),
    ]


def test_bare_name_lives_in_the_class_around_it() -> None:
    facts = Extractor().extract(b"class A { void a(int x) { b(x, y); } }", "java")
    homes = {text: home for op, text, home, _ in facts.expressions if op == 1}

    assert [facts.scopes[homes[name]].kind.name for name in ("b", "x", "y")] == [
        "CLASS",
        "FUNCTION",
        "CLASS",
    ]


def test_type_parameters_are_bound_where_they_are_seen() -> None:
    facts = Extractor().extract(b"class A<T extends B> extends C<T> { <U> U a(T t) {} }", "java")
    bound = [row for row in facts.bindings if row.kind.name == "TYPE_PARAMETER"]

    assert [(row.name, facts.scopes[row.scope].kind.name) for row in bound] == [
        ("T", "CLASS"),
        ("U", "FUNCTION"),
    ]
    assert facts.expressions[bound[0].value][1] == "B"
