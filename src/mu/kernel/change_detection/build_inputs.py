"""The inputs of a graph that its tables do not show, recorded for a later build to compare."""

from hashlib import blake2b
from pathlib import Path

import msgspec

from mu.kernel.engine_digest import engine_digest
from mu.kernel.inputs.checked_out_commit import checked_out_commit
from mu.kernel.inputs.package_manifests import PackageManifests
from mu.kernel.settings import BuildSettings
from mu.source import Discovery


class BuildInputs(msgspec.Struct, frozen=True):
    """The inputs of a graph, besides the files that it lists.

    `engine` is the digest of the installation of MU, `options` are those of the build as JSON,
    `commit` was checked out, and `walked` is a digest of the files that the walk found. `manifests`
    are the digests of manifests by path, empty for one that could not be read. `manifest_names` are
    the file names that were searched for, by language, and `manifest_settings` the module settings
    in each manifest, as JSON.
    """

    engine: str
    options: str
    commit: str
    walked: str
    manifests: dict[str, str]
    manifest_names: dict[str, tuple[str, ...]]
    manifest_settings: dict[str, str]

    def matches(self, settings: BuildSettings) -> bool:
        """Return whether a build with these settings would have the same engine and options.

        Files, their contents and the commit are compared elsewhere.
        """
        return self.options == options_json(settings) and self.engine == engine_digest()


def collect_build_inputs(
    root: Path, settings: BuildSettings, *, found: Discovery, manifests: PackageManifests
) -> BuildInputs:
    """Collect the inputs of the graph of `root`."""
    return BuildInputs(
        engine=engine_digest(),
        options=options_json(settings),
        commit=checked_out_commit(root),
        walked=walk_digest(found),
        manifests=manifests.digests,
        manifest_names=manifests.names,
        manifest_settings=manifests.settings,
    )


def options_json(settings: BuildSettings) -> str:
    """Return the options that determine a graph, as JSON."""
    return msgspec.json.encode({"walk": settings.walk, "roots": settings.roots}).decode()


def walk_digest(found: Discovery) -> str:
    """Return a hex digest of the files that a walk found or skipped, with the reasons.

    Files of no known language do not count.
    """
    rows = (
        [(file.path, file.language, file.category) for file in found.files],
        [(file.path, file.language, file.reason) for file in found.skipped],
    )
    return blake2b(msgspec.msgpack.encode(rows), digest_size=16).hexdigest()
