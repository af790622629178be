"""What is reached outward from some definitions, and how much of it."""

from collections.abc import Mapping
from pathlib import Path

from fakes.built import built_tree
from mu.context.relevance.bounded_walk import walk
from mu.model.relation import Relation

CHAIN = {
    "ask.py": (
        "from build import first\n\n\n"
        "def ask():\n    log()\n    return first()\n\n\n"
        "def log():\n    return 1\n"
    ),
    "build.py": (
        "def first():\n    return second()\n\n\n"
        "def second():\n    return write()\n\n\n"
        "def write():\n    return 1\n"
    ),
    "tests/test_ask.py": "from ask import ask\n\n\ndef test_ask():\n    ask()\n",
}


def reached(
    folder: Path,
    tree: Mapping[str, str],
    starts: Mapping[str, float],
    words: tuple[tuple[str, float], ...] = (),
) -> dict[str, float]:
    with built_tree(folder, tree) as workspace:
        rows = workspace.graph.run(Relation("SELECT key, id FROM node"), limit=None).rows
        names = {int(str(key)): str(node).rpartition(":")[2] for key, node in rows}
        keys = {name: key for key, name in names.items()}
        found = walk(workspace.graph, {keys[name]: n for name, n in starts.items()}, asked=words)
    return {names[key]: amount for key, amount in found.items()}


def test_what_lies_between_two_starts_counts_more_than_what_one_uses(tmp_path: Path) -> None:
    found = reached(tmp_path, CHAIN, {"ask": 1.0, "write": 1.0})

    assert found["second"] > found["log"]
    assert found["first"] > found["log"]


def test_tests_are_not_reached(tmp_path: Path) -> None:
    assert "test_ask" not in reached(tmp_path, CHAIN, {"ask": 1.0})


def test_a_name_that_shares_words_with_the_question_gets_more(tmp_path: Path) -> None:
    tree = {"a.py": "def go():\n    one()\n    two()\n\ndef one(): ...\n\ndef two(): ...\n"}
    found = reached(tmp_path, tree, {"go": 1.0}, (("two", 3.0),))

    assert found["two"] > 2 * found["one"]


def test_what_everybody_calls_gets_less(tmp_path: Path) -> None:
    callers = "".join(f"def caller_{n}():\n    common()\n\n\n" for n in range(20))
    tree = {
        "a.py": f"def go():\n    common()\n    rare()\n\n\n{callers}"
        "def common(): ...\n\n\ndef rare(): ...\n"
    }
    found = reached(tmp_path, tree, {"go": 1.0})

    assert found["rare"] > 1.5 * found["common"]
