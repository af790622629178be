"""Any tree of ignore files leaves out what libgit2 leaves out.

Three corners where libgit2 itself departs from git are not drawn: a tab at the end of a pattern (it
strips it), a backslash at the end (it joins the next line), and `x**/` (git takes it for `**/`).
"""

from pathlib import Path
from tempfile import TemporaryDirectory

import pygit2
from hypothesis import given
from hypothesis import strategies as st

from mu.source import discover
from support.examples import examples

SEGMENTS = [
    *("a", "b", "ab", "x", "a.py", "é", r"a\ b", r"b\ ", r"\*", r"\[a].py", r"\!a.py", r"\#a.py"),
    *("*", "?", "??", "**", "***", "*.py", "**.py", ".*", "a*", "*b", "?[.]p?"),
    *("[ab]", "[!a]", "[^a]*", "[a-b].py", "[]a]", "[[:alpha:]]*", r"[a\]]", "[!/]", "[b-]*"),
    *("[[:foo:]]", "[a", "[é]", r"[\a]", r"[a-\b]"),
]
BROAD = ["*", "*.py", "a*", "b*", "[!a]*", "**/b", "a/**", "**/*.py"]  # that often meet
NAMES = ["a", "b", "ab", "x", "a b", "é", "b ", ".a", "a]", "a-b", "*", "[a]", "!a", "#a", "a\\b"]

patterns = st.builds(
    lambda sign, anchor, segments, end: sign + anchor + "/".join(segments) + end,
    st.sampled_from(["", "!"]),
    st.sampled_from(["", "", "/"]),
    st.one_of(
        st.sampled_from(BROAD).map(lambda segment: [segment]),
        st.lists(st.sampled_from(SEGMENTS), min_size=1, max_size=4),
    ),
    st.sampled_from(["", "", "", "/", " ", "  "]),
)
odd_lines = st.sampled_from(["# a", "", "/", "!", " ", "//a", "a//b"])
ignore_files = st.builds(
    lambda lines, line_end, end: (line_end.join(lines) + end).encode(),
    st.lists(st.one_of(patterns, patterns, patterns, odd_lines), min_size=1, max_size=5),
    st.sampled_from(["\n", "\r\n"]),
    st.sampled_from(["", "\n"]),
)
folders = st.lists(st.sampled_from(NAMES), max_size=3).map("/".join)
files = st.builds(
    lambda folder, name: f"{folder}/{name}.py".removeprefix("/"), folders, st.sampled_from(NAMES)
)


@examples(2)
@given(
    st.sets(files, min_size=1, max_size=15),
    st.dictionaries(folders, ignore_files, min_size=1, max_size=4),
    st.one_of(st.none(), ignore_files),
)
def test_same_files_as_libgit2(
    paths: set[str], ignore: dict[str, bytes], exclude: bytes | None
) -> None:
    with TemporaryDirectory() as folder:
        root = Path(folder)
        repository = pygit2.init_repository(folder)
        for path in paths:
            write(root / path, b"")
        for path, data in ignore.items():
            write(root / path / ".gitignore", data)
        write(root / ".git/info/exclude", exclude or b"")

        found = {file.path for file in discover(root, {".py": "python"}).files}

        assert found == {path for path in paths if not is_ignored(repository, path)}


def write(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def is_ignored(repository: pygit2.Repository, path: str) -> bool:
    """Ask from the top: libgit2 alone lets a file be taken back below a folder left out."""
    parts = path.split("/")
    above = ("/".join(parts[:count]) + "/" for count in range(1, len(parts)))
    return any(repository.path_is_ignored(asked) for asked in (*above, path))
