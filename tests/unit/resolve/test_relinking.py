"""What is linked again after an edit, and that what was there before stays.

That the graph is the one made anew is a property: see `tests/properties/test_relinking.py`.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest
from judging.pipeline import link_sources, read_sources, write_files

from mu.model.graph import Graph
from mu.resolve import Linking, Sources

FILES = {
    "app/__init__.py": "",
    "app/store.py": "class Store:\n    def save(self, row):\n        return row\n",
    "app/main.py": "from app.store import Store\n\ndef run():\n    Store().save(1)\n",
}


def targets(graph: Graph, source: str) -> set[str]:
    """The ids of what a node has edges to."""
    ids = {node.key: node.id for node in graph.nodes}
    return {ids[edge.target] for edge in graph.edges if ids[edge.source] == source}


class Project:
    """A folder that is edited, and the linking that follows it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        write_files(FILES, folder)
        self.linking = Linking(self.sources())

    def sources(self) -> Sources:
        return read_sources(self.folder)

    def edit(self, path: str, text: str) -> list[str]:
        """Write a file, link again, and give the paths of the files that were linked for it."""
        write_files({path: text}, self.folder)
        sources = self.sources()
        assert self.linking.relink(sources) == link_sources(sources)
        return [sources.files[key].path for key in self.linking.relinked]


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    project = Project(tmp_path)
    yield project
    project.linking.close()


def test_nothing_is_linked_again_when_nothing_changed(project: Project) -> None:
    project.linking.relink(project.sources())

    assert project.linking.relinked == ()


def test_a_remark_links_its_own_file_again(project: Project) -> None:
    text = "# a remark\n\n" + FILES["app/store.py"]

    assert project.edit("app/store.py", text) == ["app/store.py"]


def test_a_remark_above_a_method_links_the_file_of_its_class_again(project: Project) -> None:
    voice = "package zoo\n\nfunc (c Cat) Voice() {}\n"
    project.edit("zoo/cat.go", "package zoo\n\ntype Cat struct{}\n")
    project.edit("zoo/voice.go", voice)

    assert project.edit("zoo/voice.go", f"// a remark\n\n{voice}") == ["zoo/cat.go", "zoo/voice.go"]


def test_a_call_in_a_body_links_its_own_file_again(project: Project) -> None:
    text = FILES["app/main.py"].replace("save(1)", "save(1)\n    print(1)")

    assert project.edit("app/main.py", text) == ["app/main.py"]


def test_a_call_that_passes_something_new_links_those_that_use_it(project: Project) -> None:
    write_files(
        {
            "app/row.py": "class Row:\n    def key(self):\n        pass\n",
            "app/show.py": "def show(row):\n    row.key()\n",
            "app/use.py": "from app.row import Row\nfrom app.show import show\n\nRow()\nshow(1)\n",
        },
        project.folder,
    )
    project.linking.relink(project.sources())
    text = "from app.row import Row\nfrom app.show import show\n\nRow()\nshow(Row())\n"

    assert project.edit("app/use.py", text) == ["app/show.py", "app/use.py"]
    assert "fn:app/row.py:Row.key" in targets(project.linking.graph, "fn:app/show.py:show")


def test_what_is_put_into_a_shared_container_links_all_files_again(project: Project) -> None:
    write_files({"app/rows.py": "rows = []\n"}, project.folder)
    project.linking.relink(project.sources())
    text = "rows = []\nrows.append(len)\n"

    assert len(project.edit("app/rows.py", text)) == len(FILES) + 1


def test_what_a_literal_sets_a_field_to_is_seen_by_those_that_read_it(project: Project) -> None:
    types = """package zoo

type Voice interface{ Speak() }
type Cat struct{}
func (Cat) Speak() {}
type Dog struct{}
func (Dog) Speak() {}
type Keeper struct{ pet Voice }
"""
    use = """package zoo

func run() {
    Cat{}.Speak()
    Dog{}.Speak()
    ask(Keeper{pet: Cat{}})
}
"""
    ask = "package zoo\n\nfunc ask(keeper Keeper) { keeper.pet.Speak() }\n"
    write_files(
        {"zoo/types.go": types, "zoo/use.go": use, "zoo/ask.go": ask},
        project.folder,
    )
    project.linking.relink(project.sources())

    project.edit("zoo/use.go", use.replace("pet: Cat{}", "pet: Dog{}"))
    assert "fn:zoo/types.go:Dog.Speak" in targets(project.linking.graph, "fn:zoo/ask.go:ask")


def test_asking_for_the_method_above_is_seen_by_the_base(project: Project) -> None:
    base = (
        "class Base:\n    def run(self):\n        self.step()\n    def step(self):\n        pass\n"
    )
    below = """from app.base import Base

class Below(Base):
    def run(self):
        print()
    def step(self):
        pass

Below()
Base()
"""
    write_files({"app/base.py": base, "app/below.py": below}, project.folder)
    project.linking.relink(project.sources())

    project.edit("app/below.py", below.replace("print()", "super().run()"))


def test_a_new_method_links_all_files_again(project: Project) -> None:
    text = FILES["app/store.py"] + "\n    def load(self):\n        pass\n"

    assert project.edit("app/store.py", text) == sorted(FILES)


def test_another_order_of_lines_counts_as_an_edit(
    project: Project,
) -> None:
    project.edit("app/main.py", "import os; import sys\nos.getpid()\n")

    assert project.edit("app/main.py", "import os\nimport sys\nos.getpid()\n") == sorted(FILES)


def test_a_new_file_links_all_files_again(project: Project) -> None:
    assert project.edit("app/new.py", "x = 1\n") == sorted([*FILES, "app/new.py"])


def test_the_graph_that_was_there_before_stays(project: Project) -> None:
    before, expected = project.linking.graph, link_sources(project.sources())

    project.edit("app/store.py", "# a remark\n" + FILES["app/store.py"])

    assert before == expected
    assert before != project.linking.graph
