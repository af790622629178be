import pytest

from mu.languages.java import RULES
from mu.languages.java_packages import JavaPackages
from mu.resolve import Target
from mu.syntax import Extractor

PATHS = {
    0: "core/src/main/java/app/Main.java",
    1: "core/src/main/java/app/db/Store.java",
    2: "core/src/test/java/app/MainTest.java",
    3: "web/src/main/java/app/Page.java",
    4: "web/src/main/java/app/db/Store.java",
    5: "tools/Loose.java",
}


@pytest.fixture(name="packages")
def packages_fixture() -> JavaPackages:
    return JavaPackages(PATHS, ())


@pytest.mark.parametrize(
    ("importer", "dotted", "target"),
    [
        (0, "app.db.Store", Target(file=1)),
        (2, "app.db.Store", Target(file=1)),
        (3, "app.db.Store", Target(file=4)),
        (1, "app.Page", Target(file=3)),
        (0, "app.db", Target(namespace="app.db")),
        (0, "app.db.Gone", Target(missing="app.db.Gone")),
        (0, "app.Main.run", Target(missing="app.Main.run")),
        (0, "java.util.List", Target(external="java.util")),
    ],
)
def test_qualified_name_leads_to_the_nearest_file(
    packages: JavaPackages, importer: int, dotted: str, target: Target
) -> None:
    assert packages.find(importer, dotted) == target


def test_name_under_several_other_roots_is_nobodys_guess(packages: JavaPackages) -> None:
    assert packages.find(5, "app.db.Store") == Target(missing="app.db.Store")


def test_files_of_a_package_share_their_names_across_source_folders(packages: JavaPackages) -> None:
    assert [packages.beside(2, name) for name in ("Main", "Store")] == [0, -1]


def test_named_roots_come_before_the_usual_ones() -> None:
    packages = JavaPackages({0: "code/app/Main.java", 1: "code/app/Page.java"}, ("code/",))

    assert packages.name_of(0) == "app.Main"
    assert packages.find(0, "app.Page") == Target(file=1)


@pytest.mark.parametrize("module", ["java.lang", "java.util"])
def test_stub_of_a_package_has_no_mistake(module: str) -> None:
    facts = RULES.library(module)

    assert facts is not None
    assert facts.problems == ()


def test_modifiers_of_a_method_tell_what_it_is() -> None:
    text = b"abstract class A { static int a() { return 1; } abstract int b(); int c() {} }"
    rows = Extractor().extract(text, "java").definitions[1:]

    assert [(RULES.is_static(row), RULES.is_abstract(row)) for row in rows] == [
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
