"""No file of the repository tells of the machine it was written on."""

import re
from pathlib import Path

FOLDERS = ("src", "tests", "docs", "grammars", "queries", "benchmarks", "scripts", ".ci")
HOME = re.compile(r"/(?:home|Users)/\w+|[A-Z]:\\+Users\b")
SELF = Path(__file__).resolve()


def test_no_file_holds_a_path_of_this_machine(root: Path) -> None:
    own = {str(root), str(Path.home())} - {"/"}
    here = re.compile("|".join(rf"{re.escape(path)}(?![\w-])/" for path in sorted(own)))

    offending = [
        path.relative_to(root).as_posix()
        for path in _files(root)
        if HOME.search(text := path.read_text(encoding="utf-8", errors="replace"))
        or here.search(text)
    ]

    assert offending == []


def test_a_home_folder_is_noticed() -> None:
    assert HOME.search("see /home/someone/notes")
    assert not HOME.search("the user's home/folder")


def _files(root: Path) -> list[Path]:
    inside = [path for folder in FOLDERS for path in (root / folder).rglob("*")]
    return [
        path
        for path in (*root.glob("*.*"), *inside)
        if path.is_file()
        and path.resolve() != SELF
        and "__pycache__" not in path.parts
        and path.suffix != ".mubase"
    ]
