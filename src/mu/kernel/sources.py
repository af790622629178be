"""Which files of a folder are sources: the walk, told of the languages there are."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from mu.errors import ExitCode, MuError
from mu.source import Discovery, WalkOptions, discover
from mu.syntax import Manifest


def list_sources(
    root: Path, options: WalkOptions, *, manifests: Mapping[str, Manifest]
) -> Discovery:
    """List the sources under `root` in the languages of `manifests`, which also tell tests.

    Raises MuError (usage) when the options name a language that is not among them.
    """
    for name in options.languages:
        if name not in manifests:
            raise MuError(
                f"unknown language {name!r}", f"known: {', '.join(manifests)}", ExitCode.USAGE
            )
    extensions = {end: name for name, known in manifests.items() for end in known.extensions}
    shebangs = {program: name for name, known in manifests.items() for program in known.shebangs}
    conventions = [manifest.tests for manifest in manifests.values()]
    tests = [
        *options.tests,
        *(glob for known in conventions for glob in known.files),
        *(f"{folder}/" for known in conventions for folder in known.folders),
    ]
    options = replace(options, tests=tuple(tests))
    return discover(root, extensions, options=options, shebangs=shebangs)
