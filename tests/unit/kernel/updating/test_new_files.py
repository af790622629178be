"""Files that come and go are seen by others that do not name them, or name something else."""

from pathlib import Path

import pytest

from mu.kernel.building import build
from mu.kernel.settings import BuildSettings
from support.updated_graphs import check_is_as_built, edit

pytestmark = pytest.mark.usefixtures("_unbounded")
FILES = {
    "src/main/java/shop/Till.java": "package shop;\n\npublic class Till {\n}\n",
    "src/test/java/shop/TillTest.java": """
        package shop;

        class TillTest {
            void check(Record record) {
                record.hashCode();
            }
        }
    """,
    "go.mod": "module example.com/shop\n\ngo 1.22\n",
    "model/kind.go": """
        package model

        //go:generate go run ../tools/kinds
        //go:generate go run ../tools/names.go

        type Kind int
    """,
    "tools/kinds/kinds.go": "package main\n\nfunc helper() {}\n",
    "setup.py": """
        from setuptools import setup

        setup(name="shop", entry_points={"console_scripts": ["shop=app.command:main"]})
    """,
    "app/__init__.py": "",
    "hooks.py": "callback = None\n\n\ndef fire():\n    callback()\n",
    "use.py": "from tax import rate\n\nrate.rate()\n",
}
COMING = {
    "class of a package in another folder, which hides one of the library": (
        "src/main/java/shop/Record.java",
        "package shop;\n\npublic class Record {\n}\n",
    ),
    "second class of a file of a package, which hides one of the library": (
        "src/test/java/shop/Tools.java",
        "package shop;\n\nclass Tools {\n}\n\nclass Record {\n}\n",
    ),
    "file that sets a member of a module": (
        "patches.py",
        "import hooks\n\n\ndef mine():\n    return 1\n\n\nhooks.callback = mine\n",
    ),
    "program of a folder that is run": (
        "tools/kinds/main.go",
        "package main\n\nfunc main() { helper() }\n",
    ),
    "file that is run": ("tools/names.go", "package main\n\nfunc main() {}\n"),
    "module with a function that is run": ("app/command.py", "def main():\n    return 1\n"),
    "first file of a package": ("tax/rate.py", "def rate():\n    return 1\n"),
}


@pytest.mark.parametrize("name", COMING)
def test_files_that_see_one_that_comes_or_goes_are_linked_again(
    root: Path, settings: BuildSettings, name: str
) -> None:
    build(root, settings)
    path, text = COMING[name]
    for new in (text, None):
        edit(root, path, None, new)
        report = build(root, settings)
        assert report.updated
        check_is_as_built(root, settings, report)
