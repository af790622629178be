"""`mu kernel` as a user meets it: build, status, stats, export, languages; and `mu config`."""

import json
import os
from pathlib import Path

import pygit2
import pytest

from e2e.command import SMALL, mu, mu_on_terminal, mu_process, write_tree
from fakes.built import with_graph
from mu import __version__
from mu.store import open_graph


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    return write_tree(tmp_path, SMALL)


@pytest.fixture
def built(tree: Path) -> Path:
    return with_graph(tree)


def test_a_build_writes_one_file_and_says_so_in_one_line(tree: Path) -> None:
    before = {path.name for path in tree.iterdir()}
    result = mu("kernel", "build", "--full", cwd=tree)
    assert result.returncode == 0
    assert result.stderr == ""
    (line,) = result.stdout.splitlines()
    assert line.startswith("built .mubase: 4 files (15 lines), ")
    assert "references resolved" in line
    assert {path.name for path in tree.iterdir()} - before == {".mubase"}


def test_on_a_terminal_progress_is_shown_apart_from_the_result(tree: Path) -> None:
    (tree / ".git").mkdir()
    status, output, shown = mu_on_terminal("kernel", "build", "--full", cwd=tree)
    assert status == 0
    assert output.startswith("built .mubase: 4 files")
    assert len(output.splitlines()) == 1
    assert "looking for sources" in shown
    assert shown.endswith("hint: add a line `.mubase*` to .gitignore\r\n")


@pytest.mark.parametrize("line", [".mubase", "/.mubase", ".mubase*"])
def test_no_hint_is_given_where_git_ignores_the_graph_already(tree: Path, line: str) -> None:
    (tree / ".git").mkdir()
    (tree / ".gitignore").write_text(f"*.pyc\n{line}\n")
    _, _, shown = mu_on_terminal("kernel", "build", cwd=tree)
    assert "hint" not in shown


def test_the_report_is_json_on_request_and_adds_up(tree: Path) -> None:
    (tree / "bad.py").write_bytes(b"\0\1\2")
    report = json.loads(mu("kernel", "build", "--json", "--full", cwd=tree).stdout)
    assert report["files"] == 5 == report["indexed"] + len(report["skipped"])
    assert report["skipped"] == [{"path": "bad.py", "reason": "binary", "is_lost": False}]
    sites = report["sites"]
    parts = ("resolved", "external", "ambiguous", "dynamic", "unknown")
    assert sites["total"] == sum(sites[part] for part in parts)
    assert report["is_partial"] is False
    assert report["file_bytes"] == (tree / ".mubase").stat().st_size
    stages = [stage["name"] for stage in report["stages"]]
    assert stages == [
        *("discover", "extract", "link", "link documents", "digest"),
        *("index words", "write", "publish"),
    ]


def test_the_graph_says_what_it_was_made_from(tree: Path) -> None:
    repository = pygit2.init_repository(str(tree))
    author = pygit2.Signature("A", "a@example.org", 0, 0)
    commit = repository.create_commit(
        "HEAD", author, author, "first", repository.index.write_tree(), []
    )
    report = json.loads(mu("kernel", "build", "--json", cwd=tree).stdout)
    with open_graph(tree / ".mubase") as graph:
        meta = graph.meta()
    assert meta["commit"] == str(commit)
    assert meta["digest"] == report["digest"]
    assert meta["mu_version"] == __version__
    assert meta["partial"] == "false"
    assert str(tree) not in " ".join(meta.values())


def test_a_build_without_a_path_is_of_the_git_repository_around(tree: Path) -> None:
    (tree / ".git").mkdir()
    assert mu("kernel", "build", cwd=tree / "app").returncode == 0
    assert (tree / ".mubase").is_file()
    assert not (tree / "app" / ".mubase").exists()


def test_a_build_of_a_path_is_of_that_path(tree: Path) -> None:
    (tree / ".git").mkdir()
    assert mu("kernel", "build", "app", cwd=tree).returncode == 0
    assert (tree / "app" / ".mubase").is_file()
    assert not (tree / ".mubase").exists()


@pytest.mark.parametrize(
    ("flags", "files"),
    [
        (("--exclude", "tests/"), 3),
        (("--include", "app/*.py", "--exclude", "views.py"), 2),
        (("--language", "python", "--jobs", "3"), 4),
    ],
)
def test_flags_narrow_what_is_indexed(tree: Path, flags: tuple[str, ...], files: int) -> None:
    report = json.loads(mu("kernel", "build", "--json", *flags, cwd=tree).stdout)
    assert report["indexed"] == files


def test_the_repositorys_settings_are_used(tree: Path) -> None:
    (tree / "mu.toml").write_text('[build]\nexclude = ["tests/"]\n')
    assert json.loads(mu("kernel", "build", "--json", cwd=tree).stdout)["indexed"] == 3


def test_the_graph_is_the_same_from_any_number_of_workers(tree: Path) -> None:
    reports = [
        json.loads(mu("kernel", "build", "--json", "--full", "--jobs", jobs, cwd=tree).stdout)
        for jobs in ("1", "2", "4")
    ]
    assert len({report["digest"] for report in reports}) == 1


def test_status_of_an_untouched_folder_asks_for_nothing(built: Path) -> None:
    status = json.loads(mu("kernel", "status", "--json", cwd=built).stdout)
    assert (status["changed"], status["added"], status["removed"]) == ([], [], [])
    assert status["next"] == ""
    assert status["files"] == 4


def test_status_names_what_changed_and_what_to_do(built: Path) -> None:
    (built / "app/auth.py").write_text("def login():\n    return 1\n")
    (built / "app/new.py").write_text("x = 1\n")
    (built / "app/views.py").unlink()
    result = mu("kernel", "status", cwd=built)
    assert result.returncode == 0
    assert "changes  3 files since the build" in result.stdout
    for line in ("changed app/auth.py", "added app/new.py", "removed app/views.py"):
        assert line in result.stdout
    assert result.stdout.splitlines()[-1].split() == ["next", "mu", "kernel", "build"]


def test_status_sees_a_change_that_keeps_size_and_time(built: Path) -> None:
    path = built / "app/auth.py"
    times = path.stat()
    path.write_text(path.read_text().replace("user", "usre"))
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
    status = json.loads(mu("kernel", "status", "--json", cwd=built).stdout)
    assert status["changed"] == ["app/auth.py"]


def test_stats_count_what_was_built(built: Path) -> None:
    stats = json.loads(mu("kernel", "stats", "--json", cwd=built).stdout)
    assert stats["files"] == [{"name": "python", "count": 4}]
    kinds = {row["name"]: row["count"] for row in stats["nodes"]}
    assert kinds["function"] == 4
    assert kinds["module"] >= 4
    assert mu("kernel", "stats", cwd=built).stdout.startswith("files by language\n  python")


def test_languages_are_listed(tmp_path: Path) -> None:
    result = mu("kernel", "languages", cwd=tmp_path)
    assert result.returncode == 0
    assert any(line.startswith("python ") and ".py" in line for line in result.stdout.splitlines())


def test_settings_are_shown_with_their_origin(tree: Path) -> None:
    (tree / "mu.toml").write_text("[build]\nmax_file_size = 1000\n")
    rows = {row["name"]: row for row in json.loads(mu("config", "--json", cwd=tree).stdout)}
    assert rows["build.max_file_size"]["value"] == 1000
    assert rows["build.max_file_size"]["origin"] == "repository file mu.toml"
    assert rows["build.exclude"]["origin"] == "default"
    assert "build.max_file_size  1000" in mu("config", cwd=tree).stdout


def test_facts_are_kept_for_the_next_build(tree: Path) -> None:
    mu_process("kernel", "build", cwd=tree)
    cache = tree.with_name(f"{tree.name}.cache") / "mubase" / "facts"
    all_but_walks = cache.glob("[!w]*-*/*/*")  # what the last build saw takes the place of that
    kept = {path: path.stat().st_mtime_ns for path in all_but_walks}
    write_tree(tree, {"new.py": "from app import auth\n"})
    second = json.loads(mu_process("kernel", "build", "--json", cwd=tree).stdout)
    after = {path: path.stat().st_mtime_ns for path in kept}
    anew = json.loads(mu_process("kernel", "build", "--full", "--json", cwd=tree).stdout)

    assert kept
    assert kept == after
    assert second["digest"] == anew["digest"]


def test_the_summary_names_the_command_that_lists_problems(tree: Path) -> None:
    (tree / "half.py").write_text("def f(:\n    pass\n")
    summary = mu("kernel", "build", cwd=tree).stdout

    assert "1 file with problems (mu query @parse_problems)" in summary
    assert "half.py" in mu("query", "@parse_problems", cwd=tree).stdout


def test_a_folder_without_a_graph_is_built_though_one_like_it_is_cached(tree: Path) -> None:
    mu_process("kernel", "build", cwd=tree)
    (tree / ".mubase").rename(tree.with_name("moved.mubase"))
    summary = mu_process("kernel", "build", cwd=tree).stdout

    assert summary.startswith("built .mubase from a cached graph: ")
    assert (tree / ".mubase").exists()


def test_where_nothing_changed_the_graph_stays(tree: Path) -> None:
    assert mu("kernel", "build", "--full", cwd=tree).stdout.startswith("built .mubase: ")
    file = (tree / ".mubase").stat().st_ino
    result = mu("kernel", "build", cwd=tree)

    assert result.stdout.startswith(".mubase is up to date: ")
    assert (tree / ".mubase").stat().st_ino == file
    assert json.loads(mu("kernel", "build", "--json", cwd=tree).stdout)["is_unchanged"]
    assert mu("kernel", "build", "--full", cwd=tree).stdout.startswith("built .mubase: ")


def test_a_build_does_without_a_cache_that_cannot_be_written(tree: Path) -> None:
    tree.with_name(f"{tree.name}.cache").write_text("a file stands here")
    result = mu_process("kernel", "build", cwd=tree)

    assert (result.returncode, result.stderr) == (0, "")
