"""The line that sums a build up, in words that fit the numbers."""

from pathlib import Path

import pytest

from mu.cli import main
from mu.cli.graph_file.kernel_text import _reasons
from mu.kernel.report import Skipped


def test_one_of_a_thing_is_singular_and_no_reference_has_no_share(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))  # without graphs of other folders
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop/a.py").write_text("LIMIT = 1\n")
    monkeypatch.chdir(tmp_path / "shop")

    assert main(["kernel", "build", "--jobs", "1"]) == 0

    built = capsys.readouterr().out
    assert built.startswith("built .mubase: 1 file (1 line), 2 nodes, 1 edge, no references, ")


@pytest.mark.parametrize(
    ("count", "said"),
    [
        (4, "1 why 0, 1 why 1, 1 why 2, 1 why 3"),
        (5, "1 why 0, 1 why 1, 1 why 2, 2 for other reasons"),
    ],
)
def test_a_single_other_reason_is_named(count: int, said: str) -> None:
    skipped = [Skipped(f"{n}.py", f"why {n}", is_lost=False) for n in range(count)]

    assert _reasons(skipped) == said
