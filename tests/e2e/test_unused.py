"""`ANALYZE unused` on real files: what is called `dead` in them is all that it lists."""

import json
from pathlib import Path

from e2e.command import mu, write_tree
from fakes.built import with_graph

FILES = {
    "pyproject.toml": '[project]\nname = "shop"\n[project.scripts]\nshop = "shop.cli:start"\n',
    "shop/__init__.py": "from shop.exported import offered\n",
    "shop/exported.py": "def offered():\n    pass\n",
    "shop/cli.py": """\
from shop import work
from shop.work import imported_dead

def start():
    work.used()

def dead():
    used_by_dead()

def used_by_dead():
    dead()

def _dead_private():
    return 1

def recursive_dead():
    recursive_dead()

def main():
    pass

if __name__ == "__main__":
    def inline():
        pass
    inline()
""",
    "shop/work.py": """\
import functools
from elsewhere import Base, register

def used():
    return Made().visible

def imported_dead():
    pass

class Made:
    def __init__(self):
        self.items = {}

    def __len__(self):
        return 0

    @property
    def visible(self):
        return self._helper()

    def _helper(self):
        return [step() for step in self.steps()]

    def steps(self):
        return [handed_on]

    def dead_method(self):
        pass

class Child(Made):
    def steps(self):
        return []

class DeadClass:
    def inside(self):
        pass

class Plugin(Base):
    def hook(self):
        pass

DEAD_PLUGINS = [Plugin]

@register("x")
def registered():
    pass

@functools.lru_cache
def dead_cached():
    pass

def handed_on():
    return Child()

def maybe():
    pass

def other(thing):
    return thing.maybe()

DEAD_WORK = [other]
""",
    "tests/test_shop.py": """\
from shop.testing_only import helper

def test_it():
    helper()
""",
    "shop/testing_only.py": "def helper():\n    pass\n",
    "docs/conf.py": "project = 'shop'\n\ndef setup(app):\n    tie(app)\n\ndef tie(app): ...\n",
    "site/rollup.config.mjs": """\
const external = ["react"];
export default function (args) {
  return { external };
}
""",
    "site/main.ts": """\
type Setter<T> = { _(value: T): void; _(change: (value: T) => T): void }["_"];
const set: Setter<number> = console.log;
set(1);
""",
}


def test_what_is_dead_is_listed_and_nothing_else(tmp_path: Path) -> None:
    write_tree(tmp_path, FILES)
    with_graph(tmp_path)

    told = json.loads(mu("query", "ANALYZE unused", "--json", cwd=tmp_path).stdout)

    rows = {row[1]: row for row in told["rows"]}
    assert set(rows) == {
        "dead", "used_by_dead", "_dead_private", "recursive_dead", "imported_dead", "dead_method",
        "DeadClass", "dead_cached", "DEAD_PLUGINS", "DEAD_WORK",
    }  # fmt: skip
    assert rows["DEAD_WORK"][6] == "low"  # a public variable; what its value names is alive
    assert rows["_dead_private"][6:] == ["high", "no use in the repository"]
    assert rows["used_by_dead"][7].startswith("used only by unused fn:shop/cli.py:")
    assert rows["imported_dead"][7].startswith("imported, but never used")
    assert told["verdict"] == "at least"
    # maybe(), since what is not known could be its module
    assert any("1 more" in note for note in told["notes"])


UNSURE = {
    "pyproject.toml": '[project]\nname = "shop"\n[project.scripts]\nshop = "shop.cli:start"\n',
    "shop/__init__.py": "",
    "shop/cli.py": """\
def start():
    pass

def public_dead():
    return _helper()

def _helper():
    return 1

def _sure():
    return _its_helper()

def _its_helper():
    return 2

def _in_a_string():
    return 3

NAMES = {"handler": "_in_a_string"}
""",
    "shop/base.py": """\
class Base:
    def dispatch(self, name):
        return getattr(self, "_".join(["", *name]))()
""",
    "shop/more.py": """\
from shop.base import Base
from shop.cli import NAMES

class Child(Base):
    def _on_save(self):
        return 4

print(Child().dispatch(["on", "save"]), NAMES)
""",
    "shop/_vendor/lib.py": "def _vendored():\n    return 5\n\nif True:\n    pass\n",
    "shop/migrations/0001_first.py": "def _forwards():\n    return 6\n",
}


def test_high_is_what_nothing_can_reach(tmp_path: Path) -> None:
    write_tree(tmp_path, UNSURE)
    assert mu("kernel", "build", cwd=tmp_path).returncode == 0

    told = json.loads(mu("query", "ANALYZE unused", "--json", cwd=tmp_path).stdout)
    rows = {row[1]: (row[6], row[7]) for row in told["rows"]}

    assert {name for name, row in rows.items() if row[0] == "high"} == {"_sure", "_its_helper"}
    assert rows["_helper"][0] == rows["public_dead"][0] == "medium"
    assert rows["_in_a_string"] == (
        "medium",
        "no use in the repository; named in shop/cli.py:19",
    )
    assert "_on_save" not in rows  # a member called by a computed name may be it
    assert {"_vendored", "_forwards"} & rows.keys() == set()
    assert any("2 files that are generated, vendored" in note for note in told["notes"])


def test_what_is_left_out_is_listed_when_it_is_asked_for(tmp_path: Path) -> None:
    write_tree(tmp_path, UNSURE)
    assert mu("kernel", "build", cwd=tmp_path).returncode == 0

    asked = mu("query", "ANALYZE unused FOR shop/_vendor", "--json", cwd=tmp_path)

    assert [row[1] for row in json.loads(asked.stdout)["rows"]] == ["_vendored"]


def test_what_only_tests_use_is_unused_when_tests_are_not_counted(tmp_path: Path) -> None:
    write_tree(tmp_path, FILES)
    with_graph(tmp_path)

    rows = json.loads(mu("unused", "--no-tests", "--json", cwd=tmp_path).stdout)["rows"]
    same = json.loads(mu("unused", "--not-counting", "tests", "--json", cwd=tmp_path).stdout)

    assert same["rows"] == rows
    reasons = {row[1]: row[7] for row in rows}
    assert reasons["helper"].startswith("used only by tests, such as fn:tests/test_shop.py:test_it")
    assert "test_it" not in reasons
    assert "helper" not in mu("unused", cwd=tmp_path).stdout


JAVA = {
    "src/main/java/app/Main.java": (
        "package app;\n\npublic class Main {\n    public static void main(String[] given) {\n"
        "        Dates.parse(given[0]);\n        Page.none().show();\n    }\n}\n"
    ),
    "src/main/java/app/Dates.java": (
        "package app;\n\nfinal class Dates {\n    private Dates() {}\n\n"
        "    static void parse(String text) {}\n\n    private static void dead() {}\n\n"
        "    static void deadNear() {}\n}\n"
    ),
    "src/main/java/app/Page.java": (
        "package app;\n\nclass Page {\n    private Page() {}\n\n"
        "    static Page none() {\n        return null;\n    }\n\n    void show() {}\n}\n"
    ),
}


def test_a_private_constructor_that_forbids_instances_is_used(tmp_path: Path) -> None:
    write_tree(tmp_path, JAVA)
    with_graph(tmp_path)

    told = json.loads(mu("query", "ANALYZE unused", "--json", cwd=tmp_path).stdout)

    found = [(row[0].rpartition(":")[2], *row[6:]) for row in told["rows"]]
    assert found == [
        ("Dates.dead", "high", "no use in the repository"),
        ("Dates.deadNear", "medium", "no use in the repository; package"),
        ("Page.Page", "medium", "no use in the repository; named in src/main/java/app/Main.java:6"),
    ]


RUST = {
    "Cargo.toml": '[package]\nname = "shop"\nedition = "2021"\n',
    "src/main.rs": """\
#[global_allocator]
static POOL: Pool = Pool;

fn main() {}
fn dead() {}
pub(crate) fn dead_near() {}

mod made {
    cases! {}
}
""",
}


def test_what_attributes_and_macros_may_use_is_not_surely_unused(tmp_path: Path) -> None:
    write_tree(tmp_path, RUST)
    with_graph(tmp_path)

    told = json.loads(mu("query", "ANALYZE unused", "--json", cwd=tmp_path).stdout)

    assert {row[1]: row[6] for row in told["rows"]} == {
        "dead": "high",
        "dead_near": "medium",
        "POOL": "medium",
        "made": "medium",
    }
