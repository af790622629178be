"""What a walk lists and leaves out, on ordinary trees and on hostile ones."""

import os
import socket
from pathlib import Path

import pytest

from mu.errors import MuError
from mu.model.kinds import Category
from mu.source import WalkOptions, discover, native_path
from mu.source.ignore import MAX_IGNORE_FILE

REAL_SCANDIR = os.scandir
PYTHON = {".py": "python"}


def make(root: Path, **files: str | bytes) -> None:
    """Write files by path; `__` stands for a slash where a keyword is used."""
    for name, content in files.items():
        write(root, name.replace("__", "/") + ".py", content)


def write(root: Path, path: str, content: str | bytes = "") -> None:
    target = root / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(content.encode() if isinstance(content, str) else content)


def found(root: Path, **options: tuple[str, ...]) -> list[str]:
    return [file.path for file in discover(root, PYTHON, options=WalkOptions(**options)).files]  # type: ignore[arg-type]  # tuples of globs only


def skipped(root: Path) -> dict[str, str]:
    return {file.path: file.reason for file in discover(root, PYTHON).skipped}


class Listing:
    """Lists a folder in the other order, or removes a file as soon as it has been listed."""

    def __init__(self, path: str, *, reverse: bool = False, removed: str = "") -> None:
        with REAL_SCANDIR(path) as listing:
            self.entries = sorted(listing, key=lambda entry: entry.name, reverse=reverse)
        if removed:
            Path(path, removed).unlink()

    def __enter__(self) -> list["os.DirEntry[str]"]:
        return self.entries

    def __exit__(self, *error: object) -> None:
        pass


def test_files_of_known_languages_are_listed_sorted_with_their_size(tmp_path: Path) -> None:
    write(tmp_path, "b.py", "x = 1\n")
    write(tmp_path, "a/z.py")
    write(tmp_path, "a.py")
    write(tmp_path, "picture.png")
    write(tmp_path, ".py")

    result = discover(tmp_path, PYTHON)

    assert [(file.path, file.size) for file in result.files] == [
        ("a.py", 0),
        ("a/z.py", 0),
        ("b.py", 6),
    ]
    assert {file.language for file in result.files} == {"python"}
    assert result.skipped == ()


def test_empty_folder_has_nothing(tmp_path: Path) -> None:
    assert discover(tmp_path, PYTHON).files == ()


@pytest.mark.parametrize("name", ["missing", "file"])
def test_root_that_is_no_folder_is_an_error(tmp_path: Path, name: str) -> None:
    write(tmp_path, "file")

    with pytest.raises(MuError, match="not a folder"):
        discover(tmp_path / name, PYTHON)


def test_ignore_files_hold_without_a_git_repository(tmp_path: Path) -> None:
    write(tmp_path, ".gitignore", "build/\n*_pb2.py\n")
    make(tmp_path, build__a="", a_pb2="", a="")

    assert found(tmp_path) == ["a.py"]
    assert skipped(tmp_path) == {
        "a_pb2.py": "ignored by .gitignore",
        "build/": "ignored by .gitignore",
    }


def test_nearer_ignore_file_takes_back_but_not_below_a_folder_left_out(tmp_path: Path) -> None:
    write(tmp_path, ".gitignore", "*.py\n/gone/\n")
    write(tmp_path, "sub/.gitignore", "!keep.py\n")
    write(tmp_path, "gone/.gitignore", "!keep.py\n")
    make(tmp_path, sub__keep="", sub__other="", gone__keep="", keep="")

    assert found(tmp_path) == ["sub/keep.py"]
    assert skipped(tmp_path)["sub/other.py"] == "ignored by .gitignore"


def test_own_ignore_file_comes_before_those_of_git(tmp_path: Path) -> None:
    write(tmp_path, ".gitignore", "a.py\n")
    write(tmp_path, ".muignore", "!a.py\nb.py\n")
    write(tmp_path, "sub/.gitignore", "!b.py\n")
    make(tmp_path, a="", b="", sub__b="")

    assert found(tmp_path) == ["a.py"]


def test_exclude_file_of_the_repository_comes_last(tmp_path: Path) -> None:
    write(tmp_path, ".git/info/exclude", "a.py\nb.py\n")
    write(tmp_path, ".gitignore", "!b.py\n")
    make(tmp_path, a="", b="")

    assert found(tmp_path) == ["b.py"]
    assert skipped(tmp_path) == {"a.py": "ignored by .git/info/exclude"}


def test_exclude_file_behind_a_link_is_not_read(tmp_path: Path) -> None:
    write(tmp_path, "elsewhere/info/exclude", "a.py\n")
    root = tmp_path / "root"
    make(root, a="")
    (root / ".git").symlink_to(tmp_path / "elsewhere")

    assert found(root) == ["a.py"]


def test_settings_narrow_and_never_take_back(tmp_path: Path) -> None:
    write(tmp_path, ".gitignore", "ignored.py\n")
    make(tmp_path, ignored="", src__a="", src__b="", docs__conf="")

    assert found(tmp_path, include=("src/", "ignored.py")) == ["src/a.py", "src/b.py"]
    assert found(tmp_path, exclude=("!ignored.py", "b.py", "/docs")) == ["src/a.py"]


def test_included_file_below_a_folder_that_does_not_match_is_found(tmp_path: Path) -> None:
    make(tmp_path, src__deep__a="", src__deep__b="")

    assert found(tmp_path, include=("src/**/a.py",)) == ["src/deep/a.py"]
    result = discover(tmp_path, PYTHON, options=WalkOptions(include=("src/**/a.py",)))
    assert [(file.path, file.reason) for file in result.skipped] == [
        ("src/deep/b.py", "not in the included paths")
    ]


def test_only_the_wanted_languages_are_listed(tmp_path: Path) -> None:
    write(tmp_path, "a.py")
    write(tmp_path, "a.rb")
    languages = {".py": "python", ".rb": "ruby"}

    result = discover(tmp_path, languages, options=WalkOptions(languages=("ruby",)))

    assert [file.path for file in result.files] == ["a.rb"]
    assert result.skipped == ()


@pytest.mark.parametrize(
    "line", ["#!/usr/bin/python3", "#!/usr/bin/env python3", "#! /usr/bin/env -S python3 -I"]
)
def test_script_without_an_extension_is_known_by_its_first_line(tmp_path: Path, line: str) -> None:
    write(tmp_path, "tool", line + "\nprint()\n")
    write(tmp_path, "LICENSE", "python3\n")
    write(tmp_path, "other", "#!/bin/sh\n")

    result = discover(tmp_path, PYTHON, shebangs={"python3": "python"})

    assert [(file.path, file.language) for file in result.files] == [("tool", "python")]
    assert result.skipped == ()


def test_too_large_is_skipped_with_its_language(tmp_path: Path) -> None:
    write(tmp_path, "big.py", "#" * 101)
    write(tmp_path, "fits.py", "#" * 100)

    result = discover(tmp_path, PYTHON, options=WalkOptions(max_file_size=100))

    assert [file.path for file in result.files] == ["fits.py"]
    (big,) = result.skipped
    assert (big.path, big.reason, big.language) == ("big.py", "larger than 100 bytes", "python")


def test_categories_follow_from_paths(tmp_path: Path) -> None:
    make(
        tmp_path,
        app="",
        test_app="",
        tests__data__sample="",
        vendor__lib="",
        vendor__tests__test_lib="",
        api_pb2="",
    )

    options = WalkOptions(tests=("tests/", "test_*.py"), generated=("*_pb2.py",))
    categories = {
        file.path: file.category for file in discover(tmp_path, PYTHON, options=options).files
    }

    assert categories == {
        "api_pb2.py": Category.GENERATED,
        "app.py": Category.SOURCE,
        "test_app.py": Category.TEST,
        "tests/data/sample.py": Category.TEST,
        "vendor/lib.py": Category.VENDORED,
        "vendor/tests/test_lib.py": Category.VENDORED,
    }


def test_installed_packages_and_virtual_environments_are_one_entry_each(tmp_path: Path) -> None:
    write(tmp_path, "env/pyvenv.cfg", "home = /usr/bin\n")
    make(tmp_path, env__lib__a="", node_modules__b="", __pycache__c="")
    write(tmp_path, "__pycache__/d.py")
    write(tmp_path, ".git/hooks/e.py")

    assert skipped(tmp_path) == {
        "env/": "virtual environment",
        "node_modules/": "installed packages",
    }


def test_root_may_itself_be_a_virtual_environment(tmp_path: Path) -> None:
    write(tmp_path, "pyvenv.cfg")
    write(tmp_path, "a.py")

    assert found(tmp_path) == ["a.py"]


def test_links_are_named_and_never_followed(tmp_path: Path) -> None:
    write(tmp_path, "outside/secret.py")
    root = tmp_path / "root"
    write(root, "a.py")
    (root / "loop").symlink_to(root)
    (root / "out").symlink_to(tmp_path / "outside")
    (root / "link.py").symlink_to(tmp_path / "outside/secret.py")
    (root / "dangling.py").symlink_to("nowhere")
    (root / "picture.png").symlink_to("nowhere")

    assert found(root) == ["a.py"]
    assert skipped(root) == dict.fromkeys(
        ("dangling.py", "link.py", "loop", "out"), "symbolic link"
    )


def test_pipes_and_sockets_are_skipped_without_waiting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    os.mkfifo("pipe.py")
    os.mkfifo("pipe")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("socket.py")

    result = discover(tmp_path, PYTHON, shebangs={"python3": "python"})

    assert result.files == ()
    assert [(file.path, file.reason) for file in result.skipped] == [
        ("pipe.py", "named pipe"),
        ("socket.py", "socket"),
    ]


def test_ignore_file_that_is_no_small_regular_file_is_not_used(tmp_path: Path) -> None:
    write(tmp_path, "outside", "a.py\n")
    root = tmp_path / "root"
    write(root, "a.py")
    (root / ".gitignore").symlink_to(tmp_path / "outside")
    write(root, "sub/.gitignore", "#" * (MAX_IGNORE_FILE + 1))
    (root / "pipe").mkdir()
    os.mkfifo(root / "pipe/.muignore")

    assert found(root) == ["a.py"]
    assert skipped(root) == {
        ".gitignore": "ignore file not used: symbolic link",
        "pipe/.muignore": "ignore file not used: named pipe",
        "sub/.gitignore": f"ignore file not used: larger than {MAX_IGNORE_FILE} bytes",
    }


def test_unreadable_folder_is_an_entry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make(tmp_path, locked__a="", open__b="")

    def refuse(path: str) -> object:  # permissions would not stop root
        if "locked" in path:
            raise PermissionError(13, "Permission denied")
        return REAL_SCANDIR(path)

    monkeypatch.setattr(os, "scandir", refuse)

    assert found(tmp_path) == ["open/b.py"]
    assert skipped(tmp_path) == {"locked/": "unreadable folder: Permission denied"}


def test_folders_beyond_the_limit_of_paths_are_an_entry(tmp_path: Path) -> None:
    here = os.open(tmp_path, os.O_RDONLY)
    for _ in range(200):
        os.mkdir("d" * 30, dir_fd=here)
        below = os.open("d" * 30, os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.close(here)

    (entry,) = discover(tmp_path, PYTHON).skipped

    assert entry.reason == "unreadable folder: File name too long"


def test_200_levels_and_many_files_in_one_folder_are_walked(tmp_path: Path) -> None:
    deep = "/".join(["d"] * 200)
    write(tmp_path, f"{deep}/a.py")
    for number in range(2_000):
        write(tmp_path, f"wide/f{number}.py")

    assert len(found(tmp_path)) == 2_001
    assert f"{deep}/a.py" in found(tmp_path)


@pytest.mark.parametrize(
    "name", [b"new\nline.py", b"esc\x1b[31m.py", b"caf\xe9.py", "\u202eyp.py".encode(), b"-rf.py"]
)
def test_odd_names_are_kept_exactly(tmp_path: Path, name: bytes) -> None:
    (tmp_path / os.fsdecode(name)).write_bytes(b"")

    (path,) = found(tmp_path)

    path.encode("utf-8")
    assert os.fsencode(native_path(path)) == name


def test_order_of_the_file_system_does_not_show(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make(tmp_path, a="", b__c="", b__d="", e="")
    write(tmp_path, ".gitignore", "e.py\n")
    expected = discover(tmp_path, PYTHON)
    monkeypatch.setattr(os, "scandir", lambda path: Listing(path, reverse=True))

    assert discover(tmp_path, PYTHON) == expected


def test_file_that_vanishes_under_the_walk_is_an_entry(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make(tmp_path, a="", b="")

    monkeypatch.setattr(os, "scandir", lambda path: Listing(path, removed="a.py"))

    result = discover(tmp_path, PYTHON)

    assert [file.path for file in result.files] == ["b.py"]
    assert [(file.path, file.reason) for file in result.skipped] == [("a.py", "vanished")]
