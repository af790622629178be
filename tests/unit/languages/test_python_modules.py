from collections.abc import Sequence

import pytest

from mu.languages.python.module_finder import PythonModules
from mu.resolve import Target

STDLIB = frozenset(("json", "os"))


class Repository:
    """A finder over paths, and what it finds by path instead of by key."""

    def __init__(self, *paths: str, roots: Sequence[str] = ()) -> None:
        self._paths = sorted(paths)
        self.finder = PythonModules(dict(enumerate(self._paths)), roots, stdlib=STDLIB)

    def key(self, path: str) -> int:
        return self._paths.index(path)

    def find(self, importer: str, dotted: str, *, level: int = 0) -> Target | str:
        target = self.finder.find(self.key(importer), dotted, level=level)
        return self._paths[target.file] if target.file >= 0 else target

    def name_of(self, path: str) -> str:
        return self.finder.name_of(self.key(path))


PACKAGE = ("app/__init__.py", "app/views.py", "app/admin/__init__.py", "app/admin/site.py")


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("app/__init__.py", "app"),
        ("app/views.py", "app.views"),
        ("app/admin/site.py", "app.admin.site"),
    ],
)
def test_a_module_is_named_from_above_the_outermost_package(path: str, name: str) -> None:
    repository = Repository(*(f"src/{path}" for path in PACKAGE))

    assert repository.name_of(f"src/{path}") == name


def test_a_package_is_preferred_to_the_module_of_its_name() -> None:
    repository = Repository("a.py", "b.py", "b/__init__.py")

    assert repository.find("a.py", "b") == "b/__init__.py"


def test_a_module_is_preferred_to_its_stub() -> None:
    repository = Repository("a.py", "b.py", "b.pyi")

    assert repository.find("a.py", "b") == "b.py"


@pytest.mark.parametrize(
    ("dotted", "level", "path"),
    [
        ("", 1, "app/admin/__init__.py"),
        ("site", 1, "app/admin/site.py"),
        ("", 2, "app/__init__.py"),
        ("views", 2, "app/views.py"),
    ],
)
def test_dots_go_up_from_the_package(dotted: str, level: int, path: str) -> None:
    assert Repository(*PACKAGE).find("app/admin/site.py", dotted, level=level) == path


def test_dots_beyond_the_outermost_package_are_missing() -> None:
    repository = Repository(*PACKAGE, "other.py")

    assert repository.find("app/views.py", "other", level=2) == Target(missing="..other")


def test_a_package_is_found_under_src_from_the_tests_beside_it() -> None:
    repository = Repository("src/app/__init__.py", "tests/test_app.py")

    assert repository.find("tests/test_app.py", "app") == "src/app/__init__.py"


def test_a_root_the_user_names_is_searched() -> None:
    paths = ("backend/code/app/models.py", "tests/test_app.py")

    without = Repository(*paths).find("tests/test_app.py", "app.models")
    named = Repository(*paths, roots=("backend/code/",)).find("tests/test_app.py", "app.models")

    assert without == Target(external="app.models")
    assert named == "backend/code/app/models.py"


def test_the_root_of_the_importing_file_comes_first() -> None:
    repository = Repository(
        *("one/app/__init__.py", "one/app/models.py"),
        *("two/app/__init__.py", "two/app/models.py"),
    )

    assert repository.find("two/app/__init__.py", "app.models") == "two/app/models.py"


def test_a_package_under_two_other_roots_is_external() -> None:
    paths = ("one/setup.py", "one/lib1/__init__.py", "two/setup.py", "two/lib1/__init__.py")

    assert Repository(*paths, "run.py").find("run.py", "lib1") == Target(external="lib1")


def test_a_package_of_another_project_is_found_when_it_is_the_only_one() -> None:
    repository = Repository("one/setup.py", "one/lib1/__init__.py", "run.py")

    assert repository.find("run.py", "lib1") == "one/lib1/__init__.py"


def test_a_folder_without_init_is_a_namespace() -> None:
    repository = Repository("main.py", "plugins/a/tool.py")

    assert repository.find("main.py", "plugins.a") == Target(namespace="plugins/a")
    assert repository.find("main.py", "plugins.a.tool") == "plugins/a/tool.py"


def test_a_script_finds_what_lies_beside_it() -> None:
    repository = Repository("scripts/run.py", "scripts/settings.py", "main.py")

    assert repository.find("scripts/run.py", "settings") == "scripts/settings.py"
    assert repository.find("main.py", "settings") == Target(external="settings")


def test_the_standard_library_hides_a_package_elsewhere_but_not_one_s_own() -> None:
    elsewhere = Repository("src/json/__init__.py", "tests/test_app.py")
    own = Repository("json/__init__.py", "json/tool.py")

    assert elsewhere.find("tests/test_app.py", "json") == Target(external="json")
    assert own.find("json/tool.py", "json") == "json/__init__.py"


def test_a_module_missing_from_a_known_package_is_not_external() -> None:
    repository = Repository(*PACKAGE)

    assert repository.find("app/views.py", "app.models") == Target(missing="app.models")
    assert repository.find("app/views.py", "requests.api") == Target(external="requests.api")


def test_only_packages_and_namespaces_have_submodules() -> None:
    repository = Repository(*PACKAGE, "plugins/tool.py")
    package, module = repository.key("app/__init__.py"), repository.key("app/views.py")

    assert repository.finder.submodule(Target(file=package), "views") == Target(file=module)
    assert repository.finder.submodule(Target(file=module), "views") is None
    tool = Target(file=repository.key("plugins/tool.py"))
    assert repository.finder.submodule(Target(namespace="plugins"), "tool") == tool


def test_the_packages_above_a_module_run_before_it_outermost_first() -> None:
    repository = Repository(*PACKAGE)

    found = repository.finder.packages_of(repository.key("app/admin/site.py"))

    assert found == (repository.key("app/__init__.py"), repository.key("app/admin/__init__.py"))
