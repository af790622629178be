"""The page that tells people the vocabulary says what the code checks."""

import re
from pathlib import Path

import pytest
import tree_sitter as ts
import tree_sitter_python

from mu.syntax.matching.vocabulary import (
    FILE_QUERIES,
    NODE_QUERIES,
    ROLES,
    TYPED_ROLES,
    Role,
    capture_names,
    role_of,
)

ROW = re.compile(r"^\| `([\w.]+)` \|([^|]*)\|([^|]*)\|([^|]*)\| `(.*)` \|$", re.MULTILINE)
PYTHON = ts.Language(tree_sitter_python.language())


@pytest.fixture(scope="module")
def page(root: Path) -> str:
    return (root / "queries" / "README.md").read_text(encoding="utf-8")


def words(cell: str) -> frozenset[str]:
    return frozenset(re.findall(r"`(\w+)`", cell))


def test_every_role_and_part_is_in_the_table_and_nothing_else(page: str) -> None:
    rows = {
        role: (words(parts), words(left_out)) for role, parts, left_out, *_ in ROW.findall(page)
    }

    assert rows == ROLES


def test_every_role_is_explained_once(page: str) -> None:
    explained = [role for role, _, _, meaning, _ in ROW.findall(page) if meaning.strip()]

    assert sorted(explained) == sorted(ROLES)


def test_every_example_is_a_pattern_of_its_role(page: str) -> None:
    for role, *_, example in ROW.findall(page):
        assert role_of(example, role).name == role
        assert ts.Query(PYTHON, example).pattern_count == 1


def test_every_file_of_queries_is_told_of(page: str) -> None:
    named = re.findall(r"^\| `(\w+)\.scm` \| (?:a|the) (\w+) ", page, re.MULTILINE)

    assert named == [
        *((name, "file") for name in FILE_QUERIES),
        *((name, "node") for name in NODE_QUERIES),
    ]


@pytest.mark.parametrize("name", sorted(TYPED_ROLES))
def test_role_of_a_literal_ends_in_its_type(name: str) -> None:
    parts = " ".join(f"(_) @{part}" for part in ROLES[name][0])

    assert role_of(f"(list {parts}) @{name}.list", "expressions.scm:1") == Role(name, "list")


@pytest.mark.parametrize(
    ("pattern", "names"),
    [
        ("(a) @b.c", ["b.c"]),
        ("(a (b) @c (d) @c) @e", ["c", "e"]),
        ('(a "@b" @c)', ["c"]),
        ("(a) @b ; @c\n", ["b"]),
        ('((a) @b (#eq? @c "d"))', ["b"]),
        ('((a) @b (#match? @b "[(]@c"))', ["b"]),
        ("(a)", []),
        ('(a ";" @b) @c ; @d', ["b", "c"]),
    ],
)
def test_captures_of_a_pattern(pattern: str, names: list[str]) -> None:
    assert capture_names(pattern) == names
