"""What a graph was made of, as far as its tables do not tell: a later build compares it."""

from hashlib import blake2b
from pathlib import Path

import msgspec

from mu.kernel.engine_digest import engine_digest
from mu.kernel.inputs.checked_out_commit import checked_out_commit
from mu.kernel.inputs.package_manifests import PackageManifests
from mu.kernel.settings import BuildSettings
from mu.source import Discovery


class BuildInputs(msgspec.Struct, frozen=True):
    """What a graph was made of, beside the files that it lists.

    `engine` is MU itself, `walked` a digest of the files that the walk saw, and `options` are those
    of the build. `manifests` are digests of manifests by path, empty for one that could not be
    read, and `manifest_names` are those that were looked for, by language; `manifest_settings` is
    what each says of modules.
    """

    engine: str
    options: str
    commit: str
    walked: str
    manifests: dict[str, str]
    manifest_names: dict[str, tuple[str, ...]]
    manifest_settings: dict[str, str]

    def matches(self, settings: BuildSettings) -> bool:
        """Tell whether a build with these settings would start from the same engine and options.

        Files, their contents and the commit are compared elsewhere.
        """
        return self.options == options_json(settings) and self.engine == engine_digest()


def collect_build_inputs(
    root: Path, settings: BuildSettings, *, found: Discovery, manifests: PackageManifests
) -> BuildInputs:
    """Note what the graph of `root` is made of."""
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
    """The options that decide about a graph, as JSON."""
    return msgspec.json.encode({"walk": settings.walk, "roots": settings.roots}).decode()


def walk_digest(found: Discovery) -> str:
    """A hex digest of the names of the files that a walk saw, and of why it left out those it did.

    Files of no known language do not count.
    """
    rows = (
        [(file.path, file.language, file.category) for file in found.files],
        [(file.path, file.language, file.reason) for file in found.skipped],
    )
    return blake2b(msgspec.msgpack.encode(rows), digest_size=16).hexdigest()
