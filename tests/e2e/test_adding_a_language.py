"""A language is files only: those of the guide make one, and taking one away changes no other."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from e2e.command import PROGRAM, environment, write_tree

pytestmark = pytest.mark.slow(reason="starts copies of MU that keep nothing of another")

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "guides" / "add-a-language.md"
FILE = re.compile(r"^(```+)\w+ (\S+/\S+)\n(.*?)^\1$", re.MULTILINE | re.DOTALL)

FAMILIES = {
    ("go",): (".go",),
    ("java",): (".java",),
    ("python",): (".py",),
    ("rust",): (".rs",),
    ("typescript", "tsx", "javascript", "vue", "svelte"): (
        (".ts", ".tsx", ".js", ".vue", ".svelte")
    ),  # the others extend the first
    ("vue",): (".vue",),
}
"""The languages that go together, and how their files end."""
OFTEN = {"python", "typescript"}
_LIKE = "takes a language away as those that are often taken away"

POLYGLOT = {
    "e/App.vue": "<script>\nfunction show() { hide(); }\nfunction hide() {}\n</script>\n",
    "a/tax.py": "def rate():\n    return 1\n",
    "a/cart.py": "from a.tax import rate\n\n\nclass Cart:\n    def total(self):\n"
    "        return self.one() + rate()\n\n    def one(self):\n        return 1\n",
    "b/go.mod": "module shop\n",
    "b/b.go": "package b\n\ntype T struct{}\n\nfunc (t *T) M() { f() }\n\n"
    "func f() { t := &T{}; t.M() }\n",
    "c/C.java": "package c;\n\nclass C extends D {\n    void m() { new D().n(); }\n}\n",
    "c/D.java": "package c;\n\nclass D {\n    void n() { }\n}\n",
    "d/src/lib.rs": "mod other;\n\npub struct S;\n\nimpl S {\n    fn m(&self) { other::f(); }\n}\n",
    "d/src/other.rs": "pub fn f() {}\n",
    "d/Cargo.toml": '[package]\nname = "d"\nversion = "0.1.0"\n',
    "e/a.ts": "import { f } from './b';\n\nexport class A { m() { f(); } }\n",
    "e/b.ts": "export function f() {}\n",
    "e/c.tsx": "import { A } from './a';\n\nexport const c = () => new A().m();\n",
    "e/d.js": "const { f } = require('./b');\n\nfunction g() { f(); }\n",
}


BUILD_AND_EXPORT = """
import contextlib, sys
from mu.cli import main
with contextlib.redirect_stdout(sys.stderr):
    status = main(["kernel", "build", "."])
sys.exit(status or main(["kernel", "export"]))
"""


def copy_of_mu(folder: Path) -> Path:
    """What MU is made of: its code, its data, and what judges corpora."""
    ignored = shutil.ignore_patterns(".*", "*.pyc.*")
    for name in ("src/mu", "grammars", "queries", "tests/corpora/judging"):
        shutil.copytree(ROOT / name, folder / name, ignore=ignored)
    return folder


def run(mu: Path, *arguments: str, cwd: Path) -> str:
    """Run Python on this copy of MU; what it prints, where it ends well."""
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=cwd,
        env={**environment(cwd), "PYTHONPATH": str(mu / "src")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def graph_of(mu: Path, folder: Path) -> list[str]:
    """The lines of the graph that this copy makes of a folder; what is outside, by edges alone."""
    document = json.loads(run(mu, "-c", BUILD_AND_EXPORT, cwd=folder))
    nodes = (node for node in document["nodes"] if node["kind"] != "external")
    found = [f"{node['id']} {node['start_line']}" for node in nodes]
    found += [
        f"{edge['kind']} {edge['source']} {edge['target']}"
        for edge in document["edges"]
        if edge["kind"] != "contains"
    ]
    return sorted(found)


@pytest.fixture(scope="module")
def guide() -> dict[str, str]:
    """The files of the guide, by path."""
    return {path: text for _, path, text in FILE.findall(PAGE.read_text(encoding="utf-8"))}


@pytest.fixture(scope="module")
def extended(tmp_path_factory: pytest.TempPathFactory, guide: dict[str, str]) -> Path:
    """A copy of MU with the language of the guide."""
    return write_tree(copy_of_mu(tmp_path_factory.mktemp("extended")), guide)


@pytest.fixture(scope="module")
def polyglot(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    """A repository of all languages, and the graph that MU as it stands makes of it."""
    folder = write_tree(tmp_path_factory.mktemp("polyglot"), POLYGLOT)
    return folder, graph_of(ROOT, folder)


def test_the_guide_brings_whole_files_and_nothing_of_them_ships(guide: dict[str, str]) -> None:
    assert len(guide) == 11
    assert [path for path in guide if (ROOT / path).exists()] == []


def test_the_language_of_the_guide_finds_what_its_cases_say(extended: Path) -> None:
    printed = run(extended, "-m", "tests.corpora.judging", "sketch", cwd=extended)

    assert "3 cases" in printed, printed


def test_it_is_listed_with_its_grammar(extended: Path, tmp_path: Path) -> None:
    rows = json.loads(run(extended, "-c", PROGRAM, "kernel", "languages", "--json", cwd=tmp_path))

    (row,) = (row for row in rows if row["name"] == "sketch")
    assert (row["level"], row["grammar"], row["problem"]) == ("deep", "tree-sitter-scala", "")


def test_adding_it_changes_no_other_language(
    extended: Path, polyglot: tuple[Path, list[str]], tmp_path: Path
) -> None:
    _, before = polyglot
    folder = write_tree(tmp_path / "repository", {**POLYGLOT, "f/a.sketch": "def f(): Int = f()\n"})

    after = graph_of(extended, folder)

    assert set(after) - set(before) == {
        "calls fn:f/a.sketch:f fn:f/a.sketch:f",
        "fn:f/a.sketch:f 1",
        "mod:f/a.sketch 1",
    }
    assert set(before) <= set(after)


@pytest.mark.parametrize(
    ("family", "endings"),
    [
        pytest.param(
            *pair, marks=() if OFTEN.intersection(pair[0]) else pytest.mark.long(reason=_LIKE)
        )
        for pair in FAMILIES.items()
    ],
    ids=lambda words: words[0],
)
def test_taking_a_language_away_changes_no_other(
    family: tuple[str, ...],
    endings: tuple[str, ...],
    polyglot: tuple[Path, list[str]],
    tmp_path: Path,
) -> None:
    _, before = polyglot
    rest = copy_of_mu(tmp_path / "rest")
    for name in family:
        shutil.rmtree(rest / "grammars" / name)
        shutil.rmtree(rest / "queries" / name, ignore_errors=True)
        shutil.rmtree(rest / "src" / "mu" / "languages" / name, ignore_errors=True)

    after = graph_of(rest, write_tree(tmp_path / "repository", POLYGLOT))

    kept = [line for line in before if not any(ending in line for ending in endings)]
    assert len(kept) < len(before)
    assert after == kept
