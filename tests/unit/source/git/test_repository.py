"""What is looked at in git's folder before libgit2 opens it."""

import subprocess
from pathlib import Path

import pytest

from mu.source.git.repository import open_git


@pytest.fixture
def git_folder(tmp_path: Path) -> Path:
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    return tmp_path / ".git"


def test_settings_and_folders_that_name_themselves_many_times_are_looked_at_once(
    git_folder: Path,
) -> None:
    """Each by each, ten deep, they would be more than can ever be read."""
    alternates = git_folder / "objects/info/alternates"
    alternates.parent.mkdir(exist_ok=True)
    alternates.write_text("../objects\n" * 20)
    included = git_folder / "more"
    included.write_text("[include]\n" + "  path = more\n" * 20)
    with (git_folder / "config").open("a") as config:
        config.write("[include]\n  path = more\n")
    with pytest.raises(Exception, match=r"include depth|alternate|nesting|maximum"):
        open_git(git_folder)
