from pathlib import Path

from tests.corpora.judging.pipeline import read_sources, write_files

from mu.resolve import ProgramText
from mu.resolve.parallel.file_partition import partition
from mu.resolve.program.file_symbols import FileSymbols
from mu.resolve.program.program import Program


def units(folder: Path, files: dict[str, str]) -> list[FileSymbols]:
    write_files(files, folder)
    found = read_sources(folder)
    return [*Program(ProgramText(found.files, found.facts, found.rules)).units.values()]


def calls(count: int) -> str:
    return "".join(f"f{number}()\n" for number in range(count))


def paths(parts: list[list[FileSymbols]]) -> list[list[str]]:
    return [[unit.file.path for unit in part] for part in parts]


def test_files_are_divided_in_their_order_by_their_expressions(tmp_path: Path) -> None:
    counts = {"a": 9, "b": 3, "c": 3, "d": 3}
    files = {f"{name}.py": calls(count) for name, count in counts.items()}
    parts = partition(units(tmp_path, files), 2)
    assert paths([[*part] for part in parts]) == [["a.py"], ["b.py", "c.py", "d.py"]]


def test_there_may_be_fewer_files_than_parts(tmp_path: Path) -> None:
    parts = partition(units(tmp_path, {"a.py": calls(1)}), 3)
    assert sorted(map(len, parts)) == [0, 0, 1]
    assert partition([], 2) == [[], []]


def test_a_part_ends_with_a_folder_if_one_ends_nearby(tmp_path: Path) -> None:
    counts = {"a/a": 10, "a/b": 10, "a/c": 2, "b/a": 10, "b/b": 8}
    files = {f"{name}.py": calls(count) for name, count in counts.items()}
    parts = partition(units(tmp_path, files), 2)
    assert paths([[*part] for part in parts])[0] == ["a/a.py", "a/b.py", "a/c.py"]


def test_each_file_is_in_one_part(tmp_path: Path) -> None:
    files = {f"{name}.py": calls(number) for number, name in enumerate("abcdefgh")}
    found = units(tmp_path, files)
    for size in (1, 2, 3, 5, 9):
        assert [unit for part in partition(found, size) for unit in part] == found
