from pathlib import Path

import pytest

from mu.kernel.inputs.package_manifests import read_package_manifests
from mu.languages.loading import load_rules
from mu.model.graph import File
from mu.model.kinds import Category

RULES = load_rules(["python"])


def file(path: str) -> File:
    return File(0, path, "python", Category.SOURCE, "indexed", "", "", 0, 1, ())


def read(root: Path, path: str = "pkg/a.py") -> tuple[list[str], list[str]]:
    found = read_package_manifests(root, [file(path)], rules=RULES, max_file_size=10_000)
    assert set(found.texts) <= {"python"}
    skipped = [f"{row.path}: {row.reason}" for row in found.skipped]
    return [row.label for row in found.declared], skipped


def test_manifests_of_the_folder_and_of_those_above_are_read(tmp_path: Path) -> None:
    (tmp_path / "pkg").mkdir()
    (tmp_path / "pyproject.toml").write_text("[project.scripts]\na = 'x:y'\n")
    (tmp_path / "pkg" / "setup.cfg").write_text("[options.entry_points]\nc =\n  b = x:y\n")

    assert read(tmp_path) == (["a", "b"], [])


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("[project", "manifest not read: "),
        ("a = " + "[" * 5_000, "manifest not read: "),
        ("#" * 20_000, "larger than 10000 bytes"),
        ("\0\0", "binary"),
    ],
)
def test_a_manifest_that_cannot_be_read_is_named_with_the_reason(
    tmp_path: Path, text: str, reason: str
) -> None:
    (tmp_path / "pyproject.toml").write_text(text)

    labels, skipped = read(tmp_path)

    assert labels == []
    assert [row.startswith(f"pyproject.toml: {reason}") for row in skipped] == [True]


def test_texts_are_kept_by_language_and_path(tmp_path: Path) -> None:
    (tmp_path / "setup.cfg").write_text("[metadata]\n")

    found = read_package_manifests(tmp_path, [file("pkg/a.py")], rules=RULES, max_file_size=10_000)

    assert found.texts == {"python": {"setup.cfg": "[metadata]\n"}}


def test_what_is_no_reference_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(
        "[project]\nscripts = 3\n[project.entry-points.a]\nb = 'not a reference'\nc = 1\n"
    )

    assert read(tmp_path) == ([], [])


def test_a_link_is_no_manifest(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").write_text("[project.scripts]\na = 'x:y'\n")
    (tmp_path / "pyproject.toml").symlink_to("elsewhere")

    assert read(tmp_path) == ([], ["pyproject.toml: symbolic link"])
