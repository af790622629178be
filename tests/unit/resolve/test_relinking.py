"""What is linked again after an edit, and that what was there before stays.

That the graph is the one made anew is a property: see `tests/properties/test_relinking.py`.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest
from judging.pipeline import link_sources, read_sources, write_files

from mu.resolve import Linking, Sources

FILES = {
    "app/__init__.py": "",
    "app/store.py": "class Store:\n    def save(self, row):\n        return row\n",
    "app/main.py": "from app.store import Store\n\ndef run():\n    Store().save(1)\n",
}


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


def test_a_new_method_links_all_files_again(project: Project) -> None:
    text = FILES["app/store.py"] + "\n    def load(self):\n        pass\n"

    assert project.edit("app/store.py", text) == sorted(FILES)


def test_a_remark_between_what_is_on_one_line_and_the_next_counts_as_an_edit(
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
