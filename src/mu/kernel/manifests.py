"""Reads the manifests that lie beside sources: they tell where programs start, and what modules
are called.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from mu.kernel.report import Skipped
from mu.model.graph import File
from mu.resolve import Declared, LanguageRules
from mu.source import SkippedSource, read_source

_ABSENT = "vanished"


@dataclass(frozen=True, slots=True)
class Manifests:
    """Their `texts`, by language and path, what they name, and those left out."""

    texts: dict[str, dict[str, str]] = field(default_factory=dict)
    declared: list[Declared] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)


def read_manifests(
    root: Path, files: Iterable[File], *, rules: Mapping[str, LanguageRules], max_file_size: int
) -> Manifests:
    """The manifests in the folders of `files`, and above them.

    Costs an attempt to open each manifest's name in each folder: 10 ms for django's 1,900.
    """
    found = Manifests()
    for language, folders in sorted(_folders(files).items()):
        for name in sorted(rules[language].manifests if language in rules else ()):
            for folder in sorted(folders):
                path = f"{folder}{name}"
                try:
                    text = read_source(root, path, max_file_size=max_file_size).text.decode()
                    found.declared.extend(rules[language].declared(path, text))
                    found.texts.setdefault(language, {})[path] = text
                except SkippedSource as error:
                    if error.message != _ABSENT:
                        found.skipped.append(Skipped(path, error.message, is_lost=False))
                except ValueError as error:
                    reason = f"manifest not read: {error}"
                    found.skipped.append(Skipped(path, reason, is_lost=False))
    return found


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
