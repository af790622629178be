"""Trees of commits are walked like folders, and names of revisions mean what git says."""

import os
import subprocess
from pathlib import Path

import pytest

from mu.errors import MuError
from mu.source import SkippedSource, WalkOptions, discover, read_source
from mu.source.git.revisions import RevisionError, Revisions

EXTENSIONS = {".py": "python"}
SHEBANGS = {"python3": "python"}


def git(folder: Path, *arguments: str) -> str:
    who = ("-c", "user.name=n", "-c", "user.email=n@n", "-c", "protocol.file.allow=always")
    command = ["git", "-C", str(folder), *who, *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def commit(folder: Path, message: str, files: dict[str, str]) -> str:
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    git(folder, "add", "-A", "--force")
    git(folder, "commit", "-qm", message, "--allow-empty")
    return git(folder, "rev-parse", "HEAD")


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    folder.mkdir()
    git(folder, "init", "-qb", "main")
    commit(folder, "Begin", {"app/cart.py": "one = 1\n"})
    commit(folder, "Count", {"app/cart.py": "one = 2\n", "app/box.py": "box = 1\n"})
    git(folder, "tag", "-a", "v1", "-m", "v1")
    return folder


def test_a_commit_is_walked_by_the_rules_of_a_folder(repository: Path) -> None:
    (repository / "app/link.py").symlink_to("cart.py")
    commit(
        repository,
        "More",
        {
            ".gitignore": "out/\n*.gen.py\n!kept.gen.py\n",
            "app/.muignore": "mine.py\n",
            "app/mine.py": "",
            "out/made.py": "",
            "a.gen.py": "",
            "kept.gen.py": "",
            "vendor/theirs.py": "",
            "run": "#!/usr/bin/env python3\n",
            "notes.txt": "",
            "large.py": "x = 1\n" * 100,
            "node_modules/left/pad.py": "",
            "na\udce9me.py": "",
            "tests/test_cart.py": "",
        },
    )
    options = WalkOptions(max_file_size=500, tests=("tests/",), exclude=("*.txt",))
    folder = discover(repository, EXTENSIONS, options=options, shebangs=SHEBANGS)

    tree = Revisions(repository).find("HEAD").files()

    assert discover(tree, EXTENSIONS, options=options, shebangs=SHEBANGS) == folder
    assert "run" in {file.path for file in folder.files}
    assert {file.reason for file in folder.skipped} >= {"symbolic link", "larger than 500 bytes"}


def test_files_are_read_as_they_were(repository: Path) -> None:
    (repository / "app/cart.py").write_text("one = 3\n")
    revisions = Revisions(repository)

    texts = [
        read_source(revisions.find(name).files(), "app/cart.py", max_file_size=100).text
        for name in ("HEAD~1", "v1")
    ]

    assert texts == [b"one = 1\n", b"one = 2\n"]


def test_what_is_no_file_of_a_tree_is_not_read(repository: Path) -> None:
    (repository / "link.py").symlink_to("app/cart.py")
    commit(repository, "Link", {})
    tree = Revisions(repository).find("HEAD").files()

    for path, reason in {
        "app/no.py": "vanished",
        "app": "folder",
        "link.py": "symbolic link",
    }.items():
        with pytest.raises(SkippedSource, match=reason):
            read_source(tree, path, max_file_size=100)


@pytest.mark.parametrize("name", ["HEAD", "main", "v1", "HEAD@{0}", "heads/main"])
def test_names_mean_commits(repository: Path, name: str) -> None:
    found = Revisions(repository).find(name)

    assert found.commit == git(repository, "rev-parse", "HEAD")
    assert found.tree == git(repository, "rev-parse", "HEAD^{tree}")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("v2", "no revision is called v2"),
        ("HEAD~7", "no revision is called HEAD~7"),
        ("HEAD:app/cart.py", "HEAD:app/cart.py is no commit"),
        ("", "no revision is called"),
        ("a\0b", "no revision is called"),
        ("--upload-pack=touch x", "no revision is called"),
    ],
)
def test_what_names_no_commit_is_told(repository: Path, name: str, message: str) -> None:
    with pytest.raises(RevisionError, match=message):
        Revisions(repository).find(name)


def test_the_folder_may_lie_below_the_top(repository: Path) -> None:
    below = Revisions(repository / "app").find("v1")

    assert [entry.name for entry in below.files().entries("")] == ["box.py", "cart.py"]
    commit(repository, "New", {"new/a.py": ""})
    with pytest.raises(RevisionError, match="new/ does not exist in v1"):
        Revisions(repository / "new").find("v1")


def test_detached_heads_and_linked_work_trees_have_revisions(repository: Path) -> None:
    git(repository, "checkout", "-q", "--detach", "HEAD~1")
    linked = repository.parent / "linked"
    git(repository, "worktree", "add", "-q", str(linked), "v1")

    assert Revisions(repository).head().commit == git(repository, "rev-parse", "HEAD")
    found = Revisions(linked).head()
    assert found.commit == git(linked, "rev-parse", "HEAD")
    assert read_source(found.files(), "app/box.py", max_file_size=100).text == b"box = 1\n"


def test_where_there_is_no_commit_that_is_said(tmp_path: Path, repository: Path) -> None:
    with pytest.raises(RevisionError, match="no git repository here"):
        Revisions(tmp_path)
    empty = tmp_path / "empty"
    git(tmp_path, "init", "-q", str(empty))
    with pytest.raises(RevisionError, match="this repository has no commit yet"):
        Revisions(empty)
    git(repository, "checkout", "-q", "--orphan", "fresh")
    with pytest.raises(RevisionError, match="the current branch has no commit yet"):
        Revisions(repository).head()
    (repository / ".git/config").write_text("[core\n")
    with pytest.raises(RevisionError, match="cannot be read"):
        Revisions(repository)


def test_a_shallow_clone_says_what_it_lacks(repository: Path) -> None:
    commit(repository, "Third", {"c.py": ""})
    git(repository, "branch", "side", "HEAD~2")
    clone = repository.parent / "clone"
    url = f"file://{repository}"
    git(repository.parent, "clone", "-q", "--depth", "1", "--no-single-branch", url, str(clone))
    revisions = Revisions(clone)

    assert revisions.find("HEAD").files().entries("")
    for ask in (lambda: revisions.find("HEAD~1"), lambda: revisions.base("HEAD", "origin/side")):
        with pytest.raises(RevisionError, match="not in this clone, which is shallow") as caught:
            ask()
        assert "--unshallow" in caught.value.hint


def test_a_partial_clone_lacks_files_and_fetches_none(repository: Path) -> None:
    git(repository, "config", "uploadpack.allowFilter", "true")
    clone = repository.parent / "clone"
    url = f"file://{repository}"
    git(repository.parent, "clone", "-q", "--no-checkout", "--filter=blob:none", url, str(clone))
    repository.rename(repository.with_name("gone"))

    found = discover(Revisions(clone).find("HEAD").files(), EXTENSIONS)

    assert found.files == ()
    reason = "unreadable: its object is not in this clone"
    assert [(file.path, file.reason) for file in found.skipped] == [
        ("app/box.py", reason),
        ("app/cart.py", reason),
    ]


def test_submodules_are_empty_folders(repository: Path) -> None:
    inner = repository.parent / "inner"
    inner.mkdir()
    git(inner, "init", "-qb", "main")
    commit(inner, "Begin", {"inner.py": ""})
    git(repository, "submodule", "--quiet", "add", str(inner), "lib/inner")
    commit(repository, "Submodule", {})
    revisions = Revisions(repository)
    head = revisions.head()

    assert revisions.submodules(head) == ("lib/inner/",)
    assert [file.path for file in discover(head.files(), EXTENSIONS).files] == [
        "app/box.py",
        "app/cart.py",
    ]


def test_the_base_of_a_merge_with_two_is_one_of_them(repository: Path) -> None:
    git(repository, "checkout", "-qb", "side", "HEAD~1")
    left, right = git(repository, "rev-parse", "main"), commit(repository, "Side", {"s.py": ""})
    git(repository, "merge", "-qm", "Merge main", left)
    git(repository, "checkout", "-q", "main")
    git(repository, "merge", "-qm", "Merge side", right)

    assert Revisions(repository).base("main", "side").commit in {left, right}
    git(repository, "checkout", "-q", "--orphan", "other")
    commit(repository, "Other", {})
    with pytest.raises(MuError, match="main and other have no common ancestor"):
        Revisions(repository).base("main", "other")


def test_the_main_branch_is_the_default_of_the_remote(repository: Path) -> None:
    assert Revisions(repository).main_branch() == "main"
    git(repository, "branch", "-m", "release")
    with pytest.raises(RevisionError, match="no main branch here"):
        Revisions(repository).main_branch()
    clone = repository.parent / "clone"
    git(repository.parent, "clone", "-q", str(repository), str(clone))
    assert Revisions(clone).main_branch() == "origin/release"


def test_trees_made_to_harm_leave_the_root_nowhere(repository: Path) -> None:
    blob = git(repository, "rev-parse", "HEAD:app/cart.py")
    entries = b"".join(
        b"100644 " + name + b"\0" + bytes.fromhex(blob) for name in (b"..", b"a/b.py", b"ok.py")
    )
    made = subprocess.run(
        ["git", "-C", str(repository), "hash-object", "-t", "tree", "-w", "--literally", "--stdin"],
        input=entries,
        capture_output=True,
        check=True,
    )
    evil = git(repository, "commit-tree", "-m", "Evil", os.fsdecode(made.stdout).strip())

    tree = Revisions(repository).find(evil).files()

    assert [entry.name for entry in tree.entries("")] == ["ok.py"]
