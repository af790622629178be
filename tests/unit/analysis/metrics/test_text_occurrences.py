"""Names in texts, and which definitions they keep from being surely dead."""

from collections.abc import Iterable, Sequence

from mu.analysis.metrics.text_occurrences import (
    Definition,
    Occurrence,
    find_occurrences,
    named_elsewhere,
)

TEXTS = {
    "a.py": "def _one():\n    _two()\n\ndef _two():\n    pass\n",
    "b.py": "x = '_one and _two_more'\n",
}


def read(paths: Sequence[str]) -> Iterable[Sequence[str]]:
    return [TEXTS[path].split("\n") for path in paths]


def test_a_name_occurs_as_a_whole_word() -> None:
    found = find_occurrences({"_one", "_two"}, list(TEXTS), read=read)

    assert found == (
        Occurrence("_one", "a.py", 1),
        Occurrence("_two", "a.py", 2),
        Occurrence("_two", "a.py", 4),
        Occurrence("_one", "b.py", 1),
    )


ONE, TWO = Definition("_one", "a.py", 1, 2), Definition("_two", "a.py", 4, 5)


def test_a_use_in_what_is_dead_itself_is_none() -> None:
    occurrences = find_occurrences({"_one", "_two"}, ["a.py"], read=read)

    assert named_elsewhere([ONE, TWO], occurrences) == {}


def test_what_only_a_definition_uses_that_is_named_elsewhere_is_named_there() -> None:
    occurrences = find_occurrences({"_one", "_two"}, list(TEXTS), read=read)

    found = named_elsewhere([ONE, TWO], occurrences)

    assert found == {ONE: Occurrence("_one", "b.py", 1), TWO: Occurrence("_two", "a.py", 2)}
