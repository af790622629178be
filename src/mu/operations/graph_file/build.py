"""Build the graph of a repository, and report its state."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from mu import config, kernel
from mu.config import Configuration, SettingRow
from mu.kernel.report import BuildReport, OnEvent
from mu.model.relation import Relation
from mu.operations.recorded_options import read_number, read_option, walk_options
from mu.operations.workspace import GRAPH_NAME, Workspace
from mu.render.shown import Shown
from mu.source import WalkOptions
from mu.syntax import load_manifests

if TYPE_CHECKING:
    from mu.kernel.change_detection.file_changes import Changes


@dataclass(frozen=True, slots=True)
class Count:
    """How many there are of one sort."""

    name: str
    count: int


@dataclass(frozen=True, slots=True)
class Stats(Shown):
    """The graph in numbers, each list with the most first.

    `references` counts the ledger by what became of each: `resolved`, or the reason why not.
    """

    files: tuple[Count, ...]
    lines: tuple[Count, ...]
    nodes: tuple[Count, ...]
    edges: tuple[Count, ...]
    rules: tuple[Count, ...]
    references: tuple[Count, ...]
    skipped: tuple[Count, ...]


@dataclass(frozen=True, slots=True)
class Status(Shown):
    """What is here: the graph's facts, what changed in the folder since, and what to do next.

    `built_at` is in seconds since the epoch; `next` is a command, empty when there is no need.
    """

    mu_version: str
    digest: str
    built_at: float
    is_partial: bool
    files: int
    nodes: int
    edges: int
    references: int
    changed: tuple[str, ...]
    added: tuple[str, ...]
    removed: tuple[str, ...]
    next: str


@dataclass(frozen=True, slots=True)
class LanguageRow(Shown):
    """A language that MU reads, or a format of pages; `level` says how deeply it is understood.

    `grammar` is the distribution that its grammar comes from, with `version` and `abi` as installed
    here; empty and 0 for what is read without one. `problem` says why it cannot be read here.
    """

    name: str
    extensions: tuple[str, ...]
    level: str
    grammar: str = ""
    version: str = ""
    abi: int = 0
    problem: str = ""


def build_root(start: Path, path: str | None) -> Path:
    """Find what a build is of: `path`, else the git repository around `start`, else the nearest
    folder from `start` upwards that holds a graph, which is what is asked there, else `start`.

    Raises MuError (usage) when that is no folder.
    """
    if path is not None:
        root = start / path
        kernel.check_folder(root)
        return root
    kernel.check_folder(start)
    here = start.absolute()
    above = (here, *here.parents)
    held = next((folder for folder in above if (folder / GRAPH_NAME).is_file()), here)
    return next((folder for folder in above if (folder / ".git").exists()), held)


def build(
    root: Path,
    configuration: Configuration,
    *,
    on_event: OnEvent,
    is_full: bool = False,
    rev: str = "",
) -> BuildReport:
    """Build the graph of `root`; see `kernel.build` for what it raises.

    With `is_full` it is made anew even when nothing changed, and nothing is taken from the cache.
    With a revision `rev` it is the graph of that commit, kept in the user's cache: neither the
    files of `root` nor its graph are touched. Raises RevisionError when there is no such commit.
    """
    settings = replace(build_settings(configuration), is_full=is_full)
    if not rev:
        return kernel.build(root, settings, on_event=on_event)
    from mu.kernel.graph_cache import revision_graph
    from mu.source.git.revisions import Revisions

    revision = Revisions(root).find(rev)
    folder = graphs_folder()
    return revision_graph(revision, settings, folder=folder, on_event=on_event).report


def graphs_folder() -> Path:
    """Give the folder in which graphs of revisions are kept."""
    return config.cache_folder() / "graphs"


def build_settings(configuration: Configuration) -> kernel.BuildSettings:
    """Give the settings of a build from those of the user and the repository."""
    section = configuration.settings.build
    walk = WalkOptions(
        include=section.include,
        exclude=section.exclude,
        languages=section.languages,
        max_file_size=section.max_file_size,
        generated=section.generated,
    )
    return kernel.BuildSettings(
        walk=walk,
        jobs=section.jobs,
        roots=section.roots,
        facts=config.cache_folder() / "facts",
    )


def rebuild(workspace: Workspace) -> BuildReport:
    """Build the graph again, of what and from where it was built of, and open it.

    Raises what `kernel.build` raises; the old graph stays open then.
    """
    report = kernel.build(workspace.root, graph_settings(workspace.graph.meta()))
    workspace.renew()
    return report


def graph_settings(meta: Mapping[str, str]) -> kernel.BuildSettings:
    """Give the settings that a graph was built with, by what it says of itself."""
    return kernel.BuildSettings(
        walk=walk_options(meta),
        roots=read_option(meta, "roots", kind=tuple[str, ...]),
        facts=config.cache_folder() / "facts",
    )


def prepare_update(root: Path) -> Iterator[None]:
    """Prepare for an update of the graph of `root`, step by step.

    Raises MuError where there is no graph to be updated.
    """
    from mu.kernel.updating.warm_start import prepare

    with Workspace(root) as workspace:
        graph = workspace.graph
        yield from prepare(root, graph, settings=graph_settings(graph.meta()))


def changes_since(workspace: Workspace) -> "Changes":
    """Find the files that are not as they were when the graph was built."""
    from mu.kernel.change_detection.file_changes import KnownFile, find_changes

    graph, meta = workspace.graph, workspace.graph.meta()
    rows = graph.run(Relation("SELECT path, bytes, digest FROM files"), limit=None).rows
    return find_changes(
        workspace.root,
        msgspec.convert(rows, tuple[KnownFile, ...]),
        options=walk_options(meta),
        built_at=read_number(meta, "built_at"),
    )


def status(workspace: Workspace) -> Status:
    """Say what the graph holds and which files changed since it was built."""
    changes = changes_since(workspace)
    graph, meta = workspace.graph, workspace.graph.meta()
    counts = "SELECT (SELECT count(*) FROM nodes), (SELECT count(*) FROM edge), "
    counts += "(SELECT count(*) FROM site WHERE choice = 0)"
    nodes, edges, references = msgspec.convert(
        graph.run(Relation(counts)).rows[0], tuple[int, int, int]
    )
    is_partial = meta.get("partial") == "true"
    return Status(
        mu_version=meta.get("mu_version", ""),
        digest=meta.get("digest", ""),
        built_at=read_number(meta, "built_at") / 1e9,
        is_partial=is_partial,
        files=read_number(meta, "files_indexed"),
        nodes=nodes,
        edges=edges,
        references=references,
        changed=changes.changed,
        added=changes.added,
        removed=changes.removed,
        next="mu kernel build" if changes.total or is_partial else "",
    )


def stats(workspace: Workspace) -> Stats:
    """Count the graph: files and lines by language, nodes and edges by kind, references by fate."""

    def counts(name: str, relation: str, count: str = "count(*)") -> tuple[Count, ...]:
        sql = f"SELECT {name} AS name, {count} AS count FROM {relation} GROUP BY ALL"
        rows = workspace.graph.run(Relation(f"{sql} ORDER BY count DESC, name"), limit=None).rows
        return tuple(Count(*msgspec.convert(row, tuple[str, int])) for row in rows)

    indexed = "files WHERE status = 'indexed'"
    return Stats(
        files=counts("language", indexed),
        lines=counts("language", indexed, "sum(lines)::BIGINT"),
        nodes=counts("kind", "nodes"),
        edges=counts("kind", "edges"),
        rules=counts("rule::VARCHAR", "edge"),
        references=counts("coalesce(reason::VARCHAR, 'resolved')", "site WHERE choice = 0"),
        skipped=counts("reason", "files WHERE status = 'skipped'"),
    )


def languages() -> tuple[LanguageRow, ...]:
    """List the languages and the formats of pages that MU reads."""
    from mu.syntax import installed_grammar  # parses: other operations of a build do without
    from mu.syntax.documents import FORMATS, GRAMMARS

    known = [(one.name, one.extensions, one.level) for one in load_manifests().values()]
    places = {**GRAMMARS, **{one.name: one.grammar for one in load_manifests().values()}}
    for name in dict.fromkeys(FORMATS.values()):
        extensions = tuple(end for end, other in FORMATS.items() if other == name)
        known.append((name, extensions, "documents"))
    rows = []
    for name, extensions, level in known:
        row = LanguageRow(name, extensions, level)
        if name in places:
            found = installed_grammar(name, places[name])
            row = replace(
                row,
                grammar=found.distribution,
                version=found.version,
                abi=found.abi,
                problem=found.problem,
            )
        rows.append(row)
    return tuple(rows)


def settings(configuration: Configuration) -> tuple[SettingRow, ...]:
    """List every setting in force and where it came from."""
    return config.describe(configuration)


def suggests_ignoring(root: Path) -> bool:
    """Tell whether git would see the graph file: MU only says so, and edits nothing."""
    if not (root / ".git").exists():
        return False
    try:
        lines = (root / ".gitignore").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return True
    return not any(line.strip().lstrip("/").startswith(".mubase") for line in lines)
