import pytest

from mu.languages.go import RULES
from mu.languages.go.packages import GoPackages, package_name
from mu.model.facts import FileFacts
from mu.model.references import References
from mu.resolve import Layout, Target
from mu.syntax import Extractor

FILES = {
    "main.go": "main",
    "db/open.go": "db",
    "db/open_test.go": "db",
    "db/outside_test.go": "db_test",
    "go-color/red.go": "paint",
    "tools/gen/gen.go": "gen",
    "fork/part/part.go": "part",
}
MANIFESTS = {
    "go.mod": "module example.com/shop/v2\nreplace (\n example.com/old v1.2.3 => ./fork // ours\n)",
    "tools/go.mod": 'module "example.com/tools"\n',
}


def facts(package: str) -> FileFacts:
    return FileFacts("", 0, (), (), (), [], (), References(), (), package)


@pytest.fixture(name="packages")
def packages_fixture() -> GoPackages:
    paths = dict(enumerate(FILES))
    known = {key: facts(FILES[path]) for key, path in paths.items()}
    return GoPackages(Layout(paths, known, (), MANIFESTS))


@pytest.mark.parametrize(
    ("dotted", "target"),
    [
        ("example.com/shop/v2", Target(namespace=".")),
        ("example.com/shop/v2/db", Target(namespace="db")),
        ("example.com/shop/v2/gone", Target(missing="example.com/shop/v2/gone")),
        ("example.com/shop", Target(external="example.com/shop")),
        ("example.com/tools/gen", Target(namespace="tools/gen")),
        ("example.com/old/part", Target(namespace="fork/part")),
        ("./db", Target(namespace="db")),
        ("fmt", Target(external="fmt")),
    ],
)
def test_import_path_resolves_to_a_folder(
    packages: GoPackages, dotted: str, target: Target
) -> None:
    assert packages.find(0, dotted) == target


def test_files_share_names_with_their_package_alone(packages: GoPackages) -> None:
    assert packages.files_of(packages.package_of(1)) == [1, 2]
    assert packages.files_of(packages.package_of(3)) == [3]


def test_names_begin_with_the_module_and_the_folders(packages: GoPackages) -> None:
    names = [packages.name_of(key) for key in range(len(FILES))]

    assert names == [
        "shop.main",
        "shop.db.open",
        "shop.db.open_test",
        "shop.db_test.outside_test",
        "shop.go-color.red",
        "tools.gen.gen",
        "old.part.part",
    ]
    assert packages.called(0, "example.com/shop/v2/go-color") == "paint"


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("fmt", "fmt"),
        ("net/http", "http"),
        ("github.com/acme/shop/v3", "shop"),
        ("gopkg.in/yaml.v3", "yaml"),
        ("github.com/acme/go-color", "color"),
        ("github.com/acme/color-go", "color"),
    ],
)
def test_package_outside_is_called_by_its_path(path: str, name: str) -> None:
    assert package_name(path) == name


STUBS = (
    "builtin context errors fmt io iter maps net/http slices sort sync sync/atomic".split()  # noqa: SIM905
)


@pytest.mark.parametrize("module", STUBS)
def test_stub_of_a_package_has_no_mistake(module: str) -> None:
    found = RULES.modules.stub(module)

    assert found is not None
    assert found.problems == ()
    assert found.package == module.rpartition("/")[2]


@pytest.mark.parametrize("module", ["/etc/passwd", "../io", "net/http/", "unknown"])
def test_other_paths_have_no_stub(module: str) -> None:
    assert RULES.modules.stub(module) is None


def test_a_closure_in_a_switch_over_types_is_walked_once() -> None:
    text = b"package a\nfunc f(v any) { switch s := v.(type) { case *T: g(s) }; g(s) }\n"
    facts = Extractor().extract(text, "go")

    homes = {base for op, name, base, _ in facts.expressions if (op, name) == (1, "s")}
    assert len(homes) == 2  # the one of the case, and what no scope binds
