"""Definitions that say the same count as one."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from fakes.built import built_tree
from mu.context.relevance.ranked import Ranked, fetch
from mu.context.relevance.repeats import count_once, join_wrappers
from mu.model.relation import Relation
from mu.operations.workspace import Workspace

TREE = {
    "a.py": (
        "def public(rows):\n    return private(rows)\n\n\n"
        "def private(rows):\n    for row in rows:\n        one(row)\n        two(row)\n\n\n"
        "def one(row): ...\n\n\ndef two(row): ...\n"
    )
}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    with built_tree(tmp_path_factory.mktemp("tree"), TREE) as workspace:
        yield workspace


def ranked(workspace: Workspace, scores: dict[str, float]) -> list[Ranked]:
    rows = workspace.graph.run(Relation("SELECT key, name FROM node WHERE kind = 'function'")).rows
    keys = {str(name): int(str(key)) for key, name in rows}
    return fetch(workspace.graph, {keys[name]: score for name, score in scores.items()}, reasons={})


def scores(nodes: list[Ranked]) -> dict[str, float]:
    return {node.title: node.score for node in nodes}


def test_what_a_wrapper_calls_stands_right_after_it(built: Workspace) -> None:
    nodes = ranked(built, {"public": 1.0, "one": 0.8, "private": 0.1})

    found = scores(join_wrappers(built.graph, nodes))

    assert found["public"] > found["private"] > found["one"]


def test_a_wrapper_that_stands_below_what_it_calls_goes_down(built: Workspace) -> None:
    nodes = ranked(built, {"private": 1.0, "public": 0.9, "one": 0.8})
    named = [node.key for node in nodes if node.title == "public"]

    assert scores(join_wrappers(built.graph, nodes))["public"] < 0.8
    assert scores(join_wrappers(built.graph, nodes, named=named))["public"] == 0.9


def test_a_function_that_calls_several_is_no_wrapper(built: Workspace) -> None:
    nodes = ranked(built, {"private": 1.0, "one": 0.1})

    assert scores(join_wrappers(built.graph, nodes))["one"] == 0.1


def test_overloads_and_functions_of_one_name_count_for_less_each(tmp_path: Path) -> None:
    tree = {"a.py": "class A:\n    def run(self): ...\n\n\nclass B:\n    def run(self): ...\n"}
    with built_tree(tmp_path, tree) as workspace:
        rows = workspace.graph.run(Relation("SELECT key FROM node WHERE name = 'run'")).rows
        first, second = fetch(workspace.graph, {int(str(key)): 1.0 for (key,) in rows}, reasons={})
    overload = replace(first, key=-1, title=f"{first.title}~2")

    assert [node.score for node in count_once([first, second])] == [1.0, 0.8696]
    assert [node.score for node in count_once([first, overload])] == [1.0, 0.4348]
