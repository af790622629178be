"""Commands about revisions run nothing that a repository brings along."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from e2e.command import SMALL, environment, mu, write_tree

CONFIG = """
[core]
    fsmonitor = {touch}
    hooksPath = {hooks}
    pager = {touch}
    sshCommand = {touch}
    attributesFile = {attributes}
[filter "evil"]
    clean = {touch}
    smudge = {touch}
    process = {touch}
    required = true
[diff "evil"]
    textconv = {touch}
    command = {touch}
[merge "evil"]
    driver = {touch}
[credential]
    helper = !{touch}
[remote "origin"]
    url = ext::{touch}
    promisor = true
    uploadpack = {touch}
    vcs = evil
[alias]
    log = !{touch}
[include]
    path = included
"""
INCLUDED = """
[core]
    fsmonitor = {touch}
    askPass = {touch}
    editor = {touch}
[uploadpack]
    packObjectsHook = {touch}
"""
PLANTED_NAMES = ("json", "git", "pygit2", "mu", "os", "sitecustomize", "usercustomize", "duckdb")
PLANTED = "import pathlib\npathlib.Path({mark!r}).touch()\n"


def git(folder: Path, *arguments: str) -> str:
    who = ("-c", "user.name=n", "-c", "user.email=n@n")
    command = ["git", "-C", str(folder), *who, *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def commit(folder: Path, message: str, files: dict[str, str]) -> None:
    write_tree(folder, files)
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", message)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    root = write_tree(tmp_path / "shop", SMALL)
    git(root, "init", "-qb", "main")
    commit(root, "First", {".gitignore": ".mubase\n.no-config\n"})
    git(root, "tag", "v1")
    commit(root, "Second", {"app/auth.py": "def login(u, key):\n    return u, key\n"})
    return root


@pytest.fixture
def hostile(repository: Path) -> Path:
    """The repository, with all in `.git` and beside the code that could make a program run."""
    mark = str(repository.parent / "executed")
    planted = {f"{name}.py": PLANTED.format(mark=mark) for name in PLANTED_NAMES}
    commit(repository, "Planted", {**planted, ".gitattributes": "* filter=evil diff=evil\n"})
    touch = repository.parent / "touch"
    touch.write_text(f"#!/bin/sh\ntouch {mark}\n")
    touch.chmod(0o755)
    hooks = repository / "hooks"
    hooks.mkdir()
    for name in ("post-checkout", "pre-commit", "reference-transaction", "post-index-change"):
        (hooks / name).write_text(touch.read_text())
        (hooks / name).chmod(0o755)
    with (repository / ".git/config").open("a") as config:
        attributes = repository / ".gitattributes"
        config.write(CONFIG.format(touch=touch, hooks=hooks, attributes=attributes))
    (repository / ".git/included").write_text(INCLUDED.format(touch=touch))
    (repository / ".git/info/attributes").write_text("* filter=evil diff=evil merge=evil\n")
    elsewhere = repository.parent / "elsewhere"
    git(repository.parent, "clone", "-q", "--bare", str(repository), str(elsewhere))
    (repository / ".git/objects/info/alternates").write_text(
        f"../../../absent/objects\n{elsewhere}/objects\n"
    )
    (repository / "mu.toml").write_text(
        '[check]\n[[check.contract]]\nname = "x"\ntype = "acyclic"\n'
    )
    return repository


COMMANDS = [
    ("kernel", "build", "--rev", "v1"),
    ("kernel", "build", "--rev", "HEAD", "--full"),
    ("diff", "v1..HEAD"),
    ("diff", "v1"),
    ("diff", "--json"),
    ("impact", "--diff", "v1..HEAD"),
    ("tests", "--diff", "v1..HEAD"),
    ("check", "--diff", "v1..HEAD"),
    ("columns", "add", "churn"),
    ("columns", "add", "authors"),
    ("query", "SELECT name FROM functions CHANGED BETWEEN 'v1' AND 'HEAD'"),
    ("query", "SHOW callers OF app/auth.py:login AT 'v1'"),
    ("history", "app/auth.py:login"),
    ("blame", "app/auth.py:login"),
]


@pytest.mark.slow(reason="runs every command about revisions")
def test_nothing_of_a_hostile_repository_is_executed(hostile: Path) -> None:
    assert mu("kernel", "build", cwd=hostile).returncode == 0
    report = hostile.parent / "report"
    traced = hostile.parent / "traced"
    watched = str(Path(__file__).with_name("watched.py"))
    tracer = shutil.which("strace")
    traces = ["-f", "-qq", "-s", "9999", "-e", "trace=execve", "-o", str(traced)]

    done = subprocess.run(
        [*([tracer, *traces] if tracer else []), sys.executable, watched, str(report)],
        cwd=hostile,
        env=environment(hostile),
        input=json.dumps(COMMANDS),
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stderr
    assert not (hostile.parent / "executed").exists()
    runs = json.loads(report.read_text())
    assert [run["command"] for run in runs] == [list(command) for command in COMMANDS]
    assert [run for run in runs if run["status"]] == [], done.stderr
    equal = ["diff", "--json"]  # the sources are those of the commit, so no graph is built
    building = [
        run
        for run in runs
        if run["command"][0] in ("kernel", "diff", "impact") and run["command"] != equal
    ]
    assert [run for run in building if not run["started"]] == []
    lines = [line for run in runs for line in run["started"]]
    assert [line for line in lines if "mu.kernel.workers.worker_main" not in line] == []
    if tracer:
        calls = [line for line in traced.read_text().splitlines() if "execve(" in line]
        run = [line for line in calls if " = -1 " not in line]
        assert watched in run[0]
        assert [line for line in run[1:] if "mu.kernel.workers.worker_main" not in line] == []


STOPPING = [".git/config", ".git/objects/info/alternates", ".git/refs/heads/main", ".git/more"]


@pytest.mark.parametrize("place", STOPPING)
def test_a_pipe_among_the_files_of_git_delays_nobody(repository: Path, place: str) -> None:
    with (repository / ".git/config").open("a") as config:
        config.write("[include]\n    path = more\n")
    pipe = repository / place
    pipe.unlink(missing_ok=True)
    os.mkfifo(pipe)

    result = mu("diff", "v1..main", cwd=repository)

    said = f"error: the git repository here cannot be read: {pipe.name} is a FIFO or a device\n"
    assert (result.returncode, result.stderr) == (2, said)


@pytest.mark.parametrize("harm", ["missing", "garbage", "another", "empty"])
def test_a_comparison_says_what_the_repository_lost(repository: Path, harm: str) -> None:
    names = [git(repository, "rev-parse", f"v1:app/{name}.py") for name in ("auth", "views")]
    lost, other = (repository / f".git/objects/{name[:2]}/{name[2:]}" for name in names)
    data = {"garbage": b"garbage", "another": other.read_bytes(), "empty": b""}
    lost.unlink()
    if harm != "missing":
        lost.write_bytes(data[harm])

    result = mu("diff", "v1..HEAD", cwd=repository)

    assert "note: v1 (" in result.stderr
    assert (
        "lacks 1 file, and what they define: app/auth.py (unreadable: its object is not in this "
        "clone)"
    ) in result.stderr


def test_a_repository_that_libgit2_does_not_read_is_told(tmp_path: Path) -> None:
    root = write_tree(tmp_path / "shop", SMALL)
    git(root, "init", "-qb", "main", "--object-format=sha256")
    commit(root, "First", {})

    result = mu("diff", cwd=root)

    assert result.returncode == 2
    assert "its objects have SHA-256 names, which libgit2 does not read" in result.stderr
    assert str(tmp_path) not in result.stderr


def test_a_file_that_changes_the_case_of_its_name_alone_is_moved(repository: Path) -> None:
    git(repository, "config", "core.ignoreCase", "true")
    git(repository, "mv", "app/views.py", "app/Views.py")
    git(repository, "commit", "-qm", "Case")
    result = mu("diff", "HEAD~1..HEAD", "--json", cwd=repository)

    found = json.loads(result.stdout)["changes"]
    assert [(one["change"], one["before_path"], one["path"]) for one in found] == [
        ("moved", "app/views.py", "app/Views.py")
    ]
    assert mu("kernel", "build", cwd=repository).returncode == 0
    assert mu("columns", "add", "churn", cwd=repository).returncode == 0
    asked = mu("query", "SELECT path, churn FROM modules", "--format", "csv", cwd=repository)
    assert "app/Views.py,2" in asked.stdout.splitlines()


@pytest.mark.slow
@pytest.mark.long(reason="writes a history of 100,000 commits")
def test_a_long_history_is_bounded(tmp_path: Path) -> None:
    git(tmp_path, "init", "-qb", "main", "long")
    lines = ["blob\nmark :1\ndata 6\nx = 1\n\n"]
    for number in range(100_000):
        text = "" if number else "M 100644 :1 a.py\n"
        data = f"x = {number}\n"
        change = f"M 100644 inline b.py\ndata {len(data)}\n{data}\n"
        who = f"committer n <n@n> {number} +0000\ndata 1\nc\n"
        lines.append(f"commit refs/heads/main\n{who}{text}{change}")
    long = tmp_path / "long"
    subprocess.run(
        ["git", "-C", str(long), "fast-import", "--quiet"],
        input="".join(lines), text=True, check=True,
    )  # fmt: skip
    git(long, "branch", "old", "main~99999")

    watched = [
        *("prlimit", "--cpu=60", "--as=3000000000", sys.executable, "-c"),
        "import sys; from mu.cli import main; sys.exit(main())",
        *("diff", "old...main", "--json"),
    ]
    result = subprocess.run(
        watched, cwd=long, env=environment(long), capture_output=True, text=True, check=False
    )

    assert result.returncode == 0, result.stderr
    assert json.loads(result.stdout)["files_changed"] == 1
    git(long, "checkout", "-qf", "main")
    assert mu("kernel", "build", cwd=long).returncode == 0
    watched[-3:] = ["columns", "add", "churn"]
    result = subprocess.run(
        watched, cwd=long, env=environment(long), capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stderr


def test_a_commit_is_built_beside_the_working_tree(repository: Path) -> None:
    result = mu("kernel", "build", "--rev", "v1", cwd=repository)

    assert result.returncode == 0
    assert result.stdout.startswith("graph of v1 ")
    assert not (repository / ".mubase").exists()
    assert git(repository, "status", "--porcelain") == ""


def test_an_unknown_revision_is_wrong_usage(repository: Path) -> None:
    result = mu("kernel", "build", "--rev", "v9", cwd=repository)

    assert result.returncode == 2
    assert result.stderr.startswith("error: no revision is called v9\nhint: ")


def test_a_difference_is_told_in_groups(repository: Path) -> None:
    result = mu("diff", "v1..HEAD", cwd=repository)

    lines = result.stdout.splitlines()
    assert "2 breaking" in lines[0]
    assert lines[1:4] == [
        "breaking (2)",
        "app/auth.py:1  function app.auth.login: new parameter key is required",
        "    - def login(u)",
    ]
    assert "app/views.py:5  login: does not pass key (app.auth.login)" in lines
    assert "app/auth.py:4  function app.auth.check: was removed" in lines
    assert git(repository, "status", "--porcelain") == ""


def test_a_difference_for_a_code_host(repository: Path) -> None:
    markdown = mu("diff", "v1..HEAD", "--format", "markdown", cwd=repository).stdout
    sarif = json.loads(mu("diff", "v1..HEAD", "--format", "sarif", cwd=repository).stdout)
    plain = json.loads(mu("diff", "v1..HEAD", "--json", cwd=repository).stdout)

    assert "### Breaking (2)" in markdown
    assert "`app/views.py:5` `login` does not pass key, of `app.auth.login`" in markdown
    (run,) = sarif["runs"]
    assert [(one["ruleId"], one["level"]) for one in run["results"]] == [
        ("breaking-change", "warning"),
        ("broken-reference", "error"),
        ("broken-reference", "error"),
        ("breaking-change", "warning"),
    ]
    place = run["results"][1]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "app/views.py"
    assert plain["total"] == len(plain["changes"]) == 2


def test_names_of_a_repository_do_nothing_in_markdown(repository: Path) -> None:
    text = "def f(a):\n    return a\n"
    commit(repository, "Odd", {"app/a`b<x>.py": text})

    lines = mu("diff", "HEAD~1..HEAD", "--format", "markdown", cwd=repository).stdout

    assert "``app/a`b<x>.py:1``" in lines


def test_tests_to_run_are_given_as_their_runner_takes_them(repository: Path) -> None:
    ids = mu("tests", "--diff", "v1..HEAD", "--ids", cwd=repository)
    command = mu("tests", "--diff", "v1..HEAD", "--command", cwd=repository)
    text = mu("tests", "--diff", "v1..HEAD", cwd=repository)

    assert ids.stdout == "tests/test_auth.py::test_login\n"
    assert command.stdout == "python -m pytest tests/test_auth.py::test_login\n"
    assert text.stdout == "tests/test_auth.py::test_login  reaches login, which changed\n"


def test_what_a_change_set_reaches_is_listed(repository: Path) -> None:
    result = mu("impact", "--diff", "v1..HEAD", cwd=repository)

    assert "app/views.py:4  function page" in result.stdout


@pytest.mark.parametrize("command", ["tests", "impact"])
def test_a_node_and_a_change_set_are_two_questions(repository: Path, command: str) -> None:
    for arguments in ([], ["app/auth.py", "--diff", "v1"]):
        result = mu(command, *arguments, cwd=repository)

        assert result.returncode == 2
        assert "give NODE, or --diff REV" in result.stderr
