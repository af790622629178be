"""After an edit an answer keeps its verdict where the changed file cannot alter it."""

import os
import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest

from fakes.built import built_tree
from mu.operations.navigation.dependencies import callees, callers, impact
from mu.operations.workspace import Workspace

FILES = {
    "auth.py": "from store import find\n\n\ndef login(key):\n    return find(key)\n\n\n"
    "def handed():\n    pass\n\n\nclass User:\n    def name(self):\n        return login(1)\n",
    "store.py": "def find(key):\n    return key\n",
    "views.py": "from auth import handed, login\n\nhandlers = [handed]\n\n\n"
    "def page():\n    return login(2)\n",
    "names.py": "from auth import login as signin\n",
    "other.py": "def alone():\n    return 3\n",
    "web/a.ts": "export default function start() {}\nexport function go() {}\n",
    "web/b.ts": 'import { go } from "./a";\nimport begin from "./a";\ngo();\nbegin();\n',
    "web/c.ts": "export const x = 1;\n",
}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tree")
    with built_tree(folder, FILES):
        return folder


KEPT: list[tuple[str, Mapping[str, str | None]]] = [
    ("callers login", {"other.py": "def alone():\n    return 4\n"}),
    ("callers login", {"new.py": "def fresh():\n    return 4\n"}),
    ("callers login", {"other.py": None}),
    ("callers login", {"other.py": "logins = relogin = 1\n"}),
    ("callers find", {"views.py": "def page():\n    return 2\n"}),
    ("impact alone", {"web/c.ts": "export const y = 1;\n"}),
    ("callees page", {"other.py": "def login():\n    return 4\n"}),
]

LOST: list[tuple[str, str, Mapping[str, str | None]]] = [
    ("it has the name", "callers login", {"other.py": "from auth import login\nlogin(1)\n"}),
    ("it has the name in a string", "callers login", {"other.py": 'call("login")\n'}),
    ("another language has a part of it", "callers login", {"web/c.ts": "const x = Mod_login;\n"}),
    ("it has another name", "callers login", {"other.py": "from names import signin\nsignin(1)\n"}),
    ("a row stands in it", "callers login", {"views.py": "def page():\n    return 2\n"}),
    ("the node stands in it", "callers find", {"store.py": "def fetch(key):\n    return key\n"}),
    ("a file of the answer imports it", "callers login", {"store.py": "def find(k):\n    pass\n"}),
    ("a row's file is gone", "callers login", {"views.py": None}),
    ("it is imported by its name", "callers login", {"auth/__init__.py": "x = 1\n"}),
    ("it could take the place of a module", "callers login", {"lib/store.py": "x = 1\n"}),
    ("the node is handed on", "callers handed", {"other.py": "x = 1\n"}),
    ("the node is exported without a name", "callers start", {"web/c.ts": "export const y = 1;\n"}),
    ("it is a method", "callers User.name", {"other.py": "x = 1\n"}),
    ("it is a class", "callers User", {"other.py": "x = 1\n"}),
    ("what it uses is imported", "callees page", {"store.py": "def find(k):\n    pass\n"}),
]

ASK = {"callers": callers, "impact": impact, "callees": callees}


def verdict(tree: Path, question: str, edit: Mapping[str, str | None]) -> tuple[str, str]:
    """Make an edit; give the verdict of an answer, and the first note on it."""
    for path, text in edit.items():
        if text is None:
            (tree / path).unlink()
        else:
            (tree / path).parent.mkdir(exist_ok=True)
            (tree / path).write_text(text)
    operation, node = question.split()
    with Workspace(tree) as workspace:
        answer = ASK[operation](workspace, node).answer
        return answer.verdict.value, answer.notes[0]


@pytest.fixture
def tree(built: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(built, tmp_path / "copy"))


@pytest.mark.parametrize(("question", "edit"), KEPT)
def test_a_verdict_stays(tree: Path, question: str, edit: Mapping[str, str | None]) -> None:
    found, note = verdict(tree, question, edit)
    assert found in {"exact", "at least"}
    assert note.endswith("; this answer does not depend on it")
    assert os.fspath(next(iter(edit))) in note


@pytest.mark.parametrize(("question", "edit"), [each[1:] for each in LOST],
                         ids=[each[0] for each in LOST])  # fmt: skip
def test_a_verdict_goes(tree: Path, question: str, edit: Mapping[str, str | None]) -> None:
    found, note = verdict(tree, question, edit)
    assert found == "unknown"
    assert "does not depend" not in note
