"""An error while one file is linked costs that file alone.

The errors come out of a language's rules, which linking asks at any depth.
"""

from dataclasses import replace
from pathlib import Path

import pytest
from judging.pipeline import Sources, link_sources, read_sources, write_files

from mu.languages.python import RULES
from mu.languages.python.module_names import PythonModuleNames
from mu.model.graph import Graph, Site
from mu.model.kinds import EdgeKind, Reason, SiteKind

FILES = {
    "app/__init__.py": "",
    "app/a_caller.py": "from app.store import make\n\ndef call():\n    make().save(1)\n",
    "app/store.py": (
        "class Store:\n    def save(self, row):\n        return row\n\n"
        "def make():\n    return Store()\n"
    ),
    "app/z_caller.py": "from app.store import make\n\ndef call():\n    make().save(2)\n",
}
STEPS = {
    "what is called": "def run(row):\n    explode(row)\n    make().save(row)\n",
    "what is passed": "def run(row):\n    make().save(explode)\n    run(explode)\n",
    "a base": "class Shop(explode):\n    def run(self):\n        make().save(self)\n",
    "a decorator": "@explode\ndef run(row):\n    make().save(row)\n",
    "an annotation": "def run(row: explode):\n    make().save(row)\n",
    "a value": "def run():\n    make().save(1)\n    return explode\n",
    "an operand": "def run():\n    make().save(explode + 1)\n",
}
SHARED = """
class Store:
    def save(self, row): ...

def make():
    return left(3) or explode

def left(count):
    return right(count - 1)

def right(count):
    return {"a": left(count), "b": explode}["b"] or left(count) or Store()
"""
HEAD = "from app.store import make\n\n"


class FaultyNames(PythonModuleNames):
    """Those of Python, with an error for one name that nothing binds, so many times."""

    def __init__(self, error: BaseException, times: int = 1_000) -> None:
        self._error = error
        self._times = times

    def builtin(self, name: str) -> str | None:
        if name == "explode" and self._times:
            self._times -= 1
            raise self._error
        return super().builtin(name)


def sources(folder: Path, bad: str, error: BaseException | None = None) -> Sources:
    """A project with one file that the rules may have an error for."""
    write_files({**FILES, "app/bad.py": bad}, folder)
    found = read_sources(folder)
    return found if error is None else with_names(found, FaultyNames(error))


def with_names(found: Sources, names: PythonModuleNames) -> Sources:
    """The sources, linked by rules with other module names."""
    return replace(found, rules={"python": replace(RULES, modules=names)})


def rows_outside(graph: Graph) -> set[tuple[object, ...]]:
    """The edges that do not leave the bad file, by ids."""
    ids = {node.key: node.id for node in graph.nodes}
    bad = {node.key for node in graph.nodes if node.file >= 0 and is_bad(graph, node.file)}
    return {
        (ids[edge.source], ids[edge.target], edge.kind, edge.role, edge.rule)
        for edge in graph.edges
        if edge.source not in bad
    }


def is_bad(graph: Graph, file: int) -> bool:
    return graph.files[file].path == "app/bad.py"


def sites_of_bad(graph: Graph) -> list[Site]:
    return [site for site in graph.sites if is_bad(graph, site.file)]


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("error", [KeyError("explode"), RecursionError(), AssertionError()])
def test_all_other_files_are_linked_as_without_the_error(
    tmp_path: Path, step: str, error: Exception
) -> None:
    bad = HEAD + STEPS[step]
    whole = link_sources(sources(tmp_path, bad))
    graph = link_sources(sources(tmp_path, bad, error))

    (key,) = graph.failures
    assert is_bad(graph, key)
    assert rows_outside(graph) == rows_outside(whole)


def test_references_of_the_file_are_in_the_ledger_as_unknown(tmp_path: Path) -> None:
    bad = HEAD + STEPS["what is called"]
    graph = link_sources(sources(tmp_path, bad, KeyError("explode")))

    found = {(site.kind, site.name, site.line) for site in sites_of_bad(graph)}
    assert found == {
        (SiteKind.IMPORT, "make", 1),
        (SiteKind.CALL, "explode", 4),
        (SiteKind.CALL, "save", 5),
        (SiteKind.CALL, "make", 5),
    }
    assert {site.reason for site in sites_of_bad(graph)} == {Reason.UNKNOWN}
    edges = [edge for edge in graph.edges if is_bad(graph, graph.nodes[edge.source].file)]
    assert [edge.kind for edge in edges] == [EdgeKind.CONTAINS]


def test_the_file_says_what_happened_and_where(tmp_path: Path) -> None:
    graph = link_sources(sources(tmp_path, HEAD + STEPS["a base"], KeyError("explode")))

    ((key, error),) = graph.failures.items()
    assert error.startswith(f"KeyError in {__name__}, line ")
    assert graph.files[key].problems == (f"1: not linked in full: {error}",)


def test_an_error_leaves_no_question_open_that_is_asked_again(tmp_path: Path) -> None:
    write_files({**FILES, "app/store.py": SHARED}, tmp_path)
    found = read_sources(tmp_path)
    graph = link_sources(with_names(found, FaultyNames(RecursionError(), times=1)))

    assert {graph.files[key].path for key in graph.failures} == {"app/a_caller.py"}
    assert rows_outside(graph) == rows_outside(link_sources(found))


def test_a_file_that_cannot_be_set_up_has_a_module_and_nothing_else(tmp_path: Path) -> None:
    class Unreadable(PythonModuleNames):
        def bound_name(self, row: object) -> str:
            if getattr(row, "module", "") == "explode":
                raise KeyError(row)
            return super().bound_name(row)  # type: ignore[arg-type]  # an import

    found = sources(tmp_path, "import explode\n\ndef run(): ...\n")
    graph = link_sources(with_names(found, Unreadable()))

    (key,) = graph.failures
    assert [node.id for node in graph.nodes if node.file == key] == ["mod:app/bad.py"]
    assert rows_outside(graph) == rows_outside(link_sources(found))


@pytest.mark.parametrize("error", [MemoryError(), KeyboardInterrupt()])
def test_what_is_no_error_of_a_file_ends_linking(tmp_path: Path, error: BaseException) -> None:
    found = sources(tmp_path, HEAD + STEPS["a base"], error)

    with pytest.raises(type(error)):
        link_sources(found)
