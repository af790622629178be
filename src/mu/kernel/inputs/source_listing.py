"""List the sources of a folder: the walk, with the languages that MU knows."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from mu.errors import ExitCode, MuError
from mu.source import Discovery, SkippedFile, SourceFile, SourceTree, WalkOptions
from mu.syntax import Manifest
from mu.syntax.documents import FORMATS


def list_sources(
    root: Path | SourceTree,
    options: WalkOptions,
    *,
    manifests: Mapping[str, Manifest],
    within: Iterable[str] | None = None,
) -> Discovery:
    """List the sources under `root` in the languages of `manifests`.

    Their conventions for tests are added to those of the options. With `within`, only sources in
    these files and folders are listed; see `discover`.

    Raises MuError (usage) when the options name a language that is not among them.
    """
    from mu.source import discover  # loads the ignore rules: few builds walk

    for name in options.languages:
        if name not in manifests and name not in FORMATS.values():
            known = ", ".join((*manifests, *dict.fromkeys(FORMATS.values())))
            raise MuError(f"unknown language {name!r}", f"known: {known}", ExitCode.USAGE)
    extensions = {end: name for name, known in manifests.items() for end in known.extensions}
    extensions |= FORMATS
    shebangs = {program: name for name, known in manifests.items() for program in known.shebangs}
    conventions = [manifest.tests for manifest in manifests.values()]
    tests = [
        *options.tests,
        *(glob for known in conventions for glob in known.files),
        *(f"{folder}/" for known in conventions for folder in known.folders),
    ]
    options = replace(options, tests=tuple(tests))
    found = discover(root, extensions, options=options, shebangs=shebangs, within=within)
    aside = tuple(file for file in found.files if _is_aside(file))
    skipped = (SkippedFile(file.path, "in a hidden folder", file.language) for file in aside)
    return replace(
        found,
        files=tuple(file for file in found.files if not _is_aside(file)),
        skipped=tuple(sorted((*found.skipped, *skipped), key=lambda file: file.path)),
        unknown=tuple(row for row in found.unknown if row.ending not in extensions),
    )


def _is_aside(file: SourceFile) -> bool:
    """Return whether a file is a document below a folder named with a leading dot or underscore."""
    is_page = file.language in FORMATS.values()
    return is_page and any(name[0] in "._" for name in file.path.split("/")[:-1])
