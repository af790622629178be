"""What a build says to input it cannot take: one clear message and the documented status."""

import os
from pathlib import Path

import pytest

from e2e.command import SMALL, mu, write_tree


def test_a_path_that_does_not_exist(tmp_path: Path) -> None:
    result = mu("kernel", "build", "nowhere", cwd=tmp_path)
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr == "error: no such folder: nowhere\nhint: check the path\n"


def test_a_path_that_is_a_file(tmp_path: Path) -> None:
    write_tree(tmp_path, SMALL)
    result = mu("kernel", "build", "app/auth.py", cwd=tmp_path)
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr.startswith("error: not a folder: app/auth.py\nhint: ")


def test_a_repository_without_a_source_is_refused_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / "data.csv").write_text("nothing,here\n")
    result = mu("kernel", "build", ".", cwd=tmp_path)
    assert result.returncode == 1
    assert result.stderr.startswith("error: nothing to index: no file of a known language here\n")
    assert "python (.py" in result.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["data.csv"]


def test_a_repository_whose_files_are_all_skipped_says_why(tmp_path: Path) -> None:
    (tmp_path / "data.py").write_bytes(b"\0\0\0")
    result = mu("kernel", "build", ".", cwd=tmp_path)
    assert result.returncode == 1
    assert "the only file was skipped: data.py: binary" in result.stderr


def test_a_binary_with_a_source_name_is_skipped_with_the_reason(tmp_path: Path) -> None:
    write_tree(tmp_path, SMALL)
    (tmp_path / "data.py").write_bytes(b"\0\0\0")
    result = mu("kernel", "build", ".", cwd=tmp_path)
    assert result.returncode == 0
    assert "1 skipped (1 binary)" in result.stdout


def test_broken_syntax_is_indexed_and_its_problem_counted(tmp_path: Path) -> None:
    write_tree(tmp_path, {**SMALL, "broken.py": "def f(:\n    return (\n\ndef g():\n    pass\n"})
    result = mu("kernel", "build", ".", cwd=tmp_path)
    assert result.returncode == 0
    assert "5 files" in result.stdout
    assert "1 file with problems" in result.stdout


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may read everything")
def test_an_unreadable_file_makes_the_build_partial(tmp_path: Path) -> None:
    write_tree(tmp_path, SMALL)
    (tmp_path / "app/auth.py").chmod(0)
    result = mu("kernel", "build", ".", cwd=tmp_path)
    assert result.returncode == 5
    assert result.stderr == "missing: app/auth.py: unreadable: Permission denied\n"
    assert "3 files" in result.stdout


def test_a_folder_that_the_system_will_not_give_makes_the_build_partial(tmp_path: Path) -> None:
    write_tree(tmp_path, SMALL)
    _write_beyond_the_longest_path(tmp_path)
    result = mu("kernel", "build", ".", cwd=tmp_path)
    assert result.returncode == 5
    assert result.stderr.startswith("missing: ddd")
    assert "File name too long" in result.stderr
    assert "4 files" in result.stdout


def _write_beyond_the_longest_path(root: Path) -> None:
    folder = os.open(root, os.O_RDONLY)
    for _ in range(20):
        os.mkdir("d" * 250, dir_fd=folder)
        below = os.open("d" * 250, os.O_RDONLY, dir_fd=folder)
        os.close(folder)
        folder = below
    os.close(os.open("deep.py", os.O_WRONLY | os.O_CREAT, dir_fd=folder))
    os.close(folder)


def test_a_folder_that_takes_no_file_is_said_before_any_work(tmp_path: Path) -> None:
    root = _unwritable(tmp_path)
    result = mu("kernel", "build", str(root), cwd=tmp_path)
    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr.startswith(f"error: cannot write .mubase into {root}: ")
    assert "hint: make the folder writable" in result.stderr


def _unwritable(tmp_path: Path) -> Path:
    if os.geteuid() != 0:
        root = write_tree(tmp_path / "closed", SMALL)
        root.chmod(0o555)
        return root
    if not Path("/proc/sys").is_dir():
        pytest.skip("the superuser may write everywhere")
    return Path("/proc/sys")


def test_a_folder_in_the_graphs_place_is_not_touched(tmp_path: Path) -> None:
    write_tree(tmp_path, {**SMALL, ".mubase/precious.txt": "mine"})
    result = mu("kernel", "build", ".", cwd=tmp_path)
    assert result.returncode == 1
    assert result.stderr.startswith("error: .mubase is a folder\n")
    assert (tmp_path / ".mubase/precious.txt").read_text() == "mine"


def test_an_unknown_language_names_those_there_are(tmp_path: Path) -> None:
    write_tree(tmp_path, SMALL)
    result = mu("kernel", "build", "--language", "pyhton", cwd=tmp_path)
    assert result.returncode == 2
    assert result.stderr.startswith("error: unknown language 'pyhton'\nhint: ")
    assert "python" in result.stderr


@pytest.mark.parametrize("verb", ["status", "stats", "export"])
def test_without_a_graph_every_verb_names_the_command_that_makes_one(
    tmp_path: Path, verb: str
) -> None:
    result = mu("kernel", verb, cwd=tmp_path)
    assert (result.returncode, result.stdout) == (3, "")
    assert "mu kernel build" in result.stderr
    assert "Traceback" not in result.stderr


def test_a_failed_export_leaves_the_file_it_would_replace(tmp_path: Path) -> None:
    (tmp_path / "graph.json").write_text("precious")
    assert mu("kernel", "export", "-o", "graph.json", cwd=tmp_path).returncode == 3
    assert (tmp_path / "graph.json").read_text() == "precious"
