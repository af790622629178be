"""The line that sums a build up, in words that fit the numbers."""

from pathlib import Path

import pytest

from mu.cli import main


def test_one_of_a_thing_is_singular_and_no_reference_has_no_share(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.py").write_text("LIMIT = 1\n")
    monkeypatch.chdir(tmp_path)

    assert main(["kernel", "build", "--jobs", "1"]) == 0

    built = capsys.readouterr().out
    assert built.startswith("built .mubase: 1 file (1 line), 2 nodes, 1 edge, no references, ")


def test_a_single_other_reason_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.py").write_text("LIMIT = 1\n")
    (tmp_path / "b.py").write_bytes(b"\0\0\0")
    (tmp_path / ".notes").mkdir()
    (tmp_path / ".notes" / "page.md").write_text("# Page\n")
    (tmp_path / "plain.md").write_text("no heading\n")
    (tmp_path / "link.py").symlink_to("a.py")
    monkeypatch.chdir(tmp_path)

    main(["kernel", "build", "--jobs", "1"])

    built = capsys.readouterr().out
    assert "1 binary" in built
    assert "for other reasons" not in built
