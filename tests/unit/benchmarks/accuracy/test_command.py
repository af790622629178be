"""A tree that was not traced is refused, and not taken for bad recall."""

from pathlib import Path

import pytest
from benchmarks.__main__ import main
from benchmarks.accuracy.packages import load_packages


def test_tree_without_the_traced_files_is_refused(tmp_path: Path) -> None:
    package = load_packages(["click"])[0]
    (tmp_path / "sources" / package.label).mkdir(parents=True)

    with pytest.raises(SystemExit, match=r"lacks \d+ traced files of click"):
        main(["accuracy", "recall", "click", "--folder", str(tmp_path)])


def test_unlisted_package_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="nothing_here"):
        main(["accuracy", "recall", "nothing_here", "--folder", str(tmp_path)])
