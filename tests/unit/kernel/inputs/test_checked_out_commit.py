"""The commit a folder has checked out, read from git's files; libgit2 is the oracle."""

from pathlib import Path

import pygit2
import pytest

from mu.kernel.inputs.checked_out_commit import checked_out_commit

COMMIT = "0123456789abcdef0123456789abcdef01234567"


@pytest.fixture
def repository(tmp_path: Path) -> pygit2.Repository:
    repository = pygit2.init_repository(str(tmp_path), initial_head="main")
    author = pygit2.Signature("A", "a@example.org", 0, 0)
    tree = repository.index.write_tree()
    repository.create_commit("HEAD", author, author, "first", tree, [])
    return repository


def write(root: Path, path: str, text: str) -> None:
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_text(text)


def test_a_branch_leads_to_its_commit(tmp_path: Path, repository: pygit2.Repository) -> None:
    assert checked_out_commit(tmp_path) == str(repository.head.target)


def test_a_detached_head_is_the_commit(tmp_path: Path, repository: pygit2.Repository) -> None:
    commit = repository.head.target
    repository.set_head(commit)
    assert checked_out_commit(tmp_path) == str(commit)


def test_a_packed_branch_leads_to_its_commit(tmp_path: Path, repository: pygit2.Repository) -> None:
    commit = str(repository.head.target)
    repository.compress_references()
    assert not (tmp_path / ".git/refs/heads/main").exists()
    assert checked_out_commit(tmp_path) == commit


def test_no_repository_and_no_commit_are_no_answer(tmp_path: Path) -> None:
    assert checked_out_commit(tmp_path) == ""
    pygit2.init_repository(str(tmp_path))
    assert checked_out_commit(tmp_path) == ""


@pytest.mark.parametrize(
    "head",
    ["ref: ../../outside", "ref: refs/../../outside", "ref: /etc/passwd", "ref: refs//x", "x" * 99],
)
def test_a_head_that_leads_elsewhere_is_no_answer(tmp_path: Path, head: str) -> None:
    write(tmp_path, "repository/.git/HEAD", head)
    write(tmp_path, "outside", COMMIT)
    assert checked_out_commit(tmp_path / "repository") == ""


def test_no_link_is_followed(tmp_path: Path) -> None:
    write(tmp_path, "outside/main", COMMIT)
    write(tmp_path, "repository/.git/HEAD", "ref: refs/heads/main")
    (tmp_path / "repository/.git/refs").mkdir()
    (tmp_path / "repository/.git/refs/heads").symlink_to(tmp_path / "outside")
    assert checked_out_commit(tmp_path / "repository") == ""
    (tmp_path / "repository/.git/refs/heads").unlink()
    write(tmp_path, "repository/.git/refs/heads/main", COMMIT)
    assert checked_out_commit(tmp_path / "repository") == COMMIT
