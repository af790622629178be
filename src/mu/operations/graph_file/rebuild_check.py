"""Compare a graph with the one that a build from scratch makes of the files as they are."""

from dataclasses import dataclass, replace
from pathlib import Path

from mu import config, kernel
from mu.errors import MuError
from mu.kernel.report import Unlinked
from mu.operations.graph_file.build import changes_since, graph_settings
from mu.operations.workspace import Workspace
from mu.render.shown import Shown


@dataclass(frozen=True, slots=True)
class Verified(Shown):
    """A graph held against a build from scratch: `digest` is its own, `rebuilt` that of the build.

    `seconds` is what the build took. `unlinked` are files that an error of MU's kept from being
    linked in full.
    """

    is_same: bool
    digest: str
    rebuilt: str
    seconds: float
    unlinked: tuple[Unlinked, ...] = ()


def verify(workspace: Workspace) -> Verified:
    """Build the graph anew, from the files alone, and compare its digest with the one at hand.

    The new one is thrown away. Raises MuError when files changed since the graph was built, and
    what `kernel.build` raises.
    """
    from tempfile import TemporaryDirectory  # 7 ms, and every build shows results like these

    if changes_since(workspace).total:
        raise MuError(
            "files changed since the graph was built, so it cannot be the same",
            "run `mu kernel build` first",
        )
    meta = workspace.graph.meta()
    settings = replace(graph_settings(meta), is_full=True)
    folder = config.cache_folder()
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=folder) as place:
        report = kernel.build(workspace.root, settings, graph_file=Path(place) / "graph")
    digest = meta.get("digest", "")
    return Verified(report.digest == digest, digest, report.digest, report.seconds, report.unlinked)
