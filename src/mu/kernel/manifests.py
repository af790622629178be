"""Reads the manifests that lie beside sources: they name where programs start."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from mu.kernel.report import Skipped
from mu.model.graph import File
from mu.resolve import Declared, LanguageRules
from mu.source import SkippedSource, read_source

_ABSENT = "vanished"


def read_manifests(
    root: Path, files: Iterable[File], *, rules: Mapping[str, LanguageRules], max_file_size: int
) -> tuple[list[Declared], list[Skipped]]:
    """What the manifests in the folders of `files`, and above them, name; and those left out.

    Costs an attempt to open each manifest's name in each folder: 10 ms for django's 1,900.
    """
    declared: list[Declared] = []
    skipped: list[Skipped] = []
    for language, folders in sorted(_folders(files).items()):
        for name in sorted(rules[language].manifests if language in rules else ()):
            for folder in sorted(folders):
                path = f"{folder}{name}"
                try:
                    text = read_source(root, path, max_file_size=max_file_size).text
                    declared += rules[language].declared(path, text.decode())
                except SkippedSource as error:
                    if error.message != _ABSENT:
                        skipped.append(Skipped(path, error.message, is_lost=False))
                except ValueError as error:
                    reason = f"manifest not read: {error}"
                    skipped.append(Skipped(path, reason, is_lost=False))
    return declared, skipped


def _folders(files: Iterable[File]) -> dict[str, set[str]]:
    """The folders of files and all above them, by language; each ends with a slash, or is empty."""
    found: dict[str, set[str]] = {}
    for file in files:
        folders = found.setdefault(file.language, {""})
        folder = file.path.rpartition("/")[0]
        while folder and f"{folder}/" not in folders:
            folders.add(f"{folder}/")
            folder = folder.rpartition("/")[0]
    return found
