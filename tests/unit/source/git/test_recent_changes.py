"""What changes say and which files they changed, read from real repositories."""

import subprocess
from pathlib import Path

import pytest

from mu.source.git.recent_changes import Change, read_changes


def git(folder: Path, *arguments: str) -> None:
    who = ("-c", "user.name=n", "-c", "user.email=n@n", "-c", "protocol.file.allow=always")
    subprocess.run(["git", "-C", str(folder), *who, *arguments], check=True, capture_output=True)


def commit(folder: Path, message: str, *paths: str) -> None:
    for path in paths:
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        with (folder / path).open("a") as file:
            file.write(f"{message}\n")
    git(folder, "add", ".")
    git(folder, "commit", "-qm", message)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    folder.mkdir()
    git(folder, "init", "-qb", "main")
    commit(folder, "Begin", "app/cart.py", "README.md")
    commit(folder, "Count boxes", "app/cart.py", "app/box.py")
    commit(folder, "Say more", "README.md")
    return folder


def test_changes_come_newest_first_without_the_first_of_all(repository: Path) -> None:
    assert read_changes(repository) == (
        Change("Say more\n", ("README.md",)),
        Change("Count boxes\n", ("app/box.py", "app/cart.py")),
    )


def test_no_more_are_read_than_asked_for(repository: Path) -> None:
    assert len(read_changes(repository, most=1)) == 1


def test_of_a_folder_below_paths_begin_there(repository: Path) -> None:
    assert [change.paths for change in read_changes(repository / "app")] == [
        (),
        ("box.py", "cart.py"),
    ]


def test_merges_say_nothing_of_their_own(repository: Path) -> None:
    git(repository, "checkout", "-qb", "side", "HEAD~1")
    commit(repository, "Aside", "app/aside.py")
    git(repository, "checkout", "-q", "main")
    git(repository, "merge", "-q", "--no-ff", "-m", "Merge side", "side")
    told = {change.message.strip() for change in read_changes(repository)}
    assert told == {"Aside", "Say more", "Count boxes"}


def test_a_linked_work_tree_has_the_history_of_its_branch(repository: Path) -> None:
    tree = repository.parent / "tree"
    git(repository, "worktree", "add", "-q", str(tree), "HEAD~1")
    assert [change.message for change in read_changes(tree)] == ["Count boxes\n"]


def test_a_shallow_clone_has_what_it_holds(repository: Path) -> None:
    clone = repository.parent / "clone"
    git(repository, "clone", "-q", "--depth", "2", f"file://{repository}", str(clone))
    assert [change.message for change in read_changes(clone)] == ["Say more\n"]


@pytest.mark.parametrize("prepared", ["nothing", "empty", "bare", "damaged"])
def test_where_no_history_can_be_read_there_is_none(repository: Path, prepared: str) -> None:
    folder = repository.parent / prepared
    folder.mkdir()
    if prepared == "empty":
        git(folder, "init", "-q")
    elif prepared == "bare":
        git(repository, "clone", "-q", "--bare", str(repository), str(folder))
    elif prepared == "damaged":
        folder = repository
        for file in (repository / ".git/objects").glob("??/*"):
            file.chmod(0o600)
            file.write_bytes(b"no object")
    assert read_changes(folder) == ()
