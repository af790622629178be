"""Commands about revisions run nothing that a repository brings along."""

import os
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
    path = ../absent
"""
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
    planted = {f"{name}.py": PLANTED.format(mark=mark) for name in ("json", "pygit2", "mu", "os")}
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
    return repository


COMMANDS = [
    ("kernel", "build", "--rev", "v1"),
    ("kernel", "build", "--rev", "HEAD", "--full"),
]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_nothing_of_a_hostile_repository_is_executed(
    hostile: Path, command: tuple[str, ...]
) -> None:
    started = hostile.parent / "started"
    watched = str(Path(__file__).with_name("watched.py"))
    variables = {**environment(hostile), "XDG_CACHE_HOME": os.environ["XDG_CACHE_HOME"]}

    result = subprocess.run(
        [sys.executable, watched, str(started), *command],
        cwd=hostile,
        env=variables,
        capture_output=True,
        text=True,
        check=False,
    )

    assert result.returncode == 0, result.stderr
    assert not (hostile.parent / "executed").exists()
    lines = started.read_text().splitlines()
    assert lines
    assert [line for line in lines if "mu.kernel.worker" not in line] == []


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
