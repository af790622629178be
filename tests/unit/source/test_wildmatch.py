"""Single lines of ignore files, against what git's documentation and its `wildmatch.c` say."""

import pytest

from mu.source.ignore import byte_form, compile_ignore_file


def matches(line: str, path: str) -> bool | None:
    """Ask one line about one path; a path with a slash at the end is a folder."""
    name = path.rstrip("/").rpartition("/")[2] + ("/" if path.endswith("/") else "")
    return compile_ignore_file(line.encode()).verdict(byte_form(path), byte_form(name))


@pytest.mark.parametrize(
    ("line", "path"),
    [
        ("*.pyc", "a/b.pyc"),
        ("build", "src/build/"),
        ("build/", "src/build/"),
        ("/build", "build/"),
        ("doc/*.py", "doc/a.py"),
        ("**/foo", "foo"),
        ("**/foo", "a/b/foo"),
        ("a/**/b", "a/b"),
        ("a/**/b", "a/x/y/b"),
        ("a/**", "a/x/y"),
        ("/**", "x"),
        ("a/***/b", "a/x/b"),
        ("x**y", "xaby"),
        (r"\#a", "#a"),
        (r"\!a", "!a"),
        (r"a\*", "a*"),
        (r"a\ ", "a "),
        ("a  ", "a"),
        ("a\t", "a\t"),
        ("[]a]b", "]b"),
        ("[!a]b", "cb"),
        ("[^a]b", "cb"),
        ("[a-c]x", "bx"),
        ("[a-]x", "-x"),
        (r"[\]]x", "]x"),
        ("[[:digit:]]x", "7x"),
        ("[[:]x", ":x"),
        ("??.py", "é.py"),  # bytes are counted, as git does
    ],
)
def test_pattern_matches(line: str, path: str) -> None:
    assert matches(line, path) is True


@pytest.mark.parametrize(
    ("line", "path"),
    [
        ("build/", "build"),
        ("build", "build/x"),  # the folder is left out, and what is below is never asked about
        ("/build", "src/build/"),
        ("doc/*.py", "doc/sub/a.py"),
        ("doc/*.py", "src/doc/a.py"),
        ("a/**", "a/"),
        ("a/*", "a/b/c"),
        ("a?b", "a/b"),
        ("x[!a]y", "x/y"),
        ("# a", "# a"),
        ("", "a"),
        ("/", "a"),
        ("!", "a"),
        ("//a", "a"),
        ("a//b", "a/b"),
        ("[a", "[a"),
        ("[[:nope:]]", "n"),
        ("a\\", "a"),
        ("?.py", "é.py"),
    ],
)
def test_pattern_does_not_match(line: str, path: str) -> None:
    assert matches(line, path) is None


def test_last_match_of_a_file_decides() -> None:
    rules = compile_ignore_file(b"*.py\n!keep.py\nkeep.py\n!keep.py\n")

    assert rules.verdict("keep.py", "keep.py") is False
    assert rules.verdict("other.py", "other.py") is True


def test_carriage_returns_and_a_byte_order_mark_are_no_part_of_patterns() -> None:
    rules = compile_ignore_file(b"\xef\xbb\xbfa.py\r\nb.py")

    assert rules.verdict("a.py", "a.py") is True
    assert rules.verdict("b.py", "b.py") is True


@pytest.mark.parametrize("line", ["*a" * 40 + "b", "**/a/" * 40 + "b", "*a*/" * 40 + "b"])
def test_hostile_pattern_ends(line: str) -> None:
    # Backtracking would take longer than the age of the universe here.
    assert matches(line, "/".join(["a" * 200] * 20)) is None
