from pathlib import Path

import pytest

from mu import bundle
from mu.errors import MuError
from mu.syntax import load_manifests


def test_every_language_folder_holds_its_description() -> None:
    folders = [entry for entry in bundle.grammars().iterdir() if entry.is_dir()]

    assert folders
    assert all((folder / "language.toml").is_file() for folder in folders)


def test_every_language_has_queries_or_takes_those_of_another() -> None:
    manifests = load_manifests()
    languages = [name for name, manifest in manifests.items() if not manifest.extends]

    assert languages
    assert all(list((bundle.queries() / name).glob("*.scm")) for name in languages)


def test_bundled_folder_is_preferred_to_the_repository(tmp_path: Path) -> None:
    package = _package(tmp_path)
    (tmp_path / "grammars").mkdir()
    (package / "_bundled" / "grammars").mkdir(parents=True)

    assert bundle.grammars(package) == package / "_bundled" / "grammars"


def test_editable_install_uses_the_repository_root(tmp_path: Path) -> None:
    package = _package(tmp_path)
    (tmp_path / "queries").mkdir()

    assert bundle.queries(package) == tmp_path / "queries"


def test_a_folder_beside_an_installed_package_is_not_taken_for_ours(tmp_path: Path) -> None:
    package = tmp_path / "lib" / "site-packages" / "mu"
    package.mkdir(parents=True)
    (tmp_path / "lib" / "queries").mkdir()

    with pytest.raises(MuError, match="'queries' of this installation is missing"):
        bundle.queries(package)


def test_missing_folder_says_how_to_get_it_back(tmp_path: Path) -> None:
    with pytest.raises(MuError) as caught:
        bundle.grammars(_package(tmp_path))

    assert "pip install" in caught.value.hint


def _package(root: Path) -> Path:
    package = root / "src" / "mu"
    package.mkdir(parents=True)
    return package
