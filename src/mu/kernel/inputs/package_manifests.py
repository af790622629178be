"""Read the package manifests beside sources, which declare entry points and names of modules."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from mu.kernel.report import Skipped
from mu.source import SkippedSource, SourceTree, read_source

if TYPE_CHECKING:
    from mu.model.graph import File
    from mu.resolve import Declared, LanguageRules

_ABSENT = "vanished"


@dataclass(frozen=True, slots=True)
class PackageManifests:
    """The `texts` of manifests by language and path, the code `declared` in them, and skipped ones.

    `names` are the file names that were searched for, by language. `digests` are those of all
    manifests found, by path, empty for one that could not be read. `settings` are the module
    settings in each, as JSON: while they are unchanged, so is the resolution of imports.
    """

    texts: dict[str, dict[str, str]] = field(default_factory=dict)
    declared: list["Declared"] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)
    names: dict[str, tuple[str, ...]] = field(default_factory=dict)
    digests: dict[str, str] = field(default_factory=dict)
    settings: dict[str, str] = field(default_factory=dict)


def read_package_manifests(
    root: Path | SourceTree,
    files: "Iterable[File]",
    *,
    rules: Mapping[str, "LanguageRules"],
    max_file_size: int,
) -> PackageManifests:
    """Read the manifests in the folders of `files`, and above them.

    Costs an attempt to open each manifest's name in each folder: 10 ms for django's 1,900.
    """
    names = {language: tuple(known.entries.manifests) for language, known in rules.items()}
    rows = ((file.language, file.path) for file in files)
    places = possible_manifest_paths(rows, names)
    found = read_manifests_at(places, root, rules=rules, max_file_size=max_file_size)
    found.names.update(names)
    return found


def read_manifests_at(
    places: Iterable[tuple[str, str]],
    root: Path | SourceTree,
    *,
    rules: Mapping[str, "LanguageRules"],
    max_file_size: int,
) -> PackageManifests:
    """Read the manifests that exist at some `places`, each a language that reads it and a path."""
    found = PackageManifests()
    for language, path in places:
        try:
            source = read_source(root, path, max_file_size=max_file_size)
            found.digests[path] = source.digest
            text = source.text.decode()
            found.declared.extend(rules[language].entries.declared(path, text))
            found.texts.setdefault(language, {})[path] = text
            settings = rules[language].modules.manifest_settings(path, text)
            told = msgspec.json.encode([language, settings]).decode()
            found.settings[path] = found.settings.get(path, "") + told
        except SkippedSource as error:
            if error.message != _ABSENT:
                found.digests[path] = ""
                found.skipped.append(Skipped(path, error.message, is_lost=False))
        except ValueError as error:
            reason = f"manifest not read: {error}"
            found.skipped.append(Skipped(path, reason, is_lost=False))
    return found


def possible_manifest_paths(
    files: Iterable[tuple[str, str]], names: Mapping[str, Iterable[str]]
) -> Iterator[tuple[str, str]]:
    """Yield the language and path of each manifest that may exist for some files.

    `files` are such pairs, too, and `names` are the file names of manifests, by language. The order
    is the same for any order of files.
    """
    for language, folders in sorted(_folders(files).items()):
        for name in sorted(names.get(language, ())):
            for folder in sorted(folders):
                yield language, f"{folder}{name}"


def _folders(files: Iterable[tuple[str, str]]) -> dict[str, set[str]]:
    """Return the folders of files and all above them, by language.

    Each ends with a slash; the root is empty.
    """
    found: dict[str, set[str]] = {}
    for language, path in files:
        folders = found.setdefault(language, {""})
        folder = path.rpartition("/")[0]
        while folder and f"{folder}/" not in folders:
            folders.add(f"{folder}/")
            folder = folder.rpartition("/")[0]
    return found
