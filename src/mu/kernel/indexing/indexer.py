"""Build the graph of a folder in memory: walk, extract in worker processes, link.

Files are numbered by path before anything is extracted, so the order of the walk and the number of
workers cannot change the graph. Facts are unpacked as they arrive, while the workers continue.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

from mu.errors import MuError
from mu.kernel.extraction.collected_facts import CollectedFacts
from mu.kernel.extraction.extraction_pool import extraction_pool
from mu.kernel.garbage_collection import collector_paused
from mu.kernel.indexing.graph_digest import graph_digest
from mu.kernel.indexing.site_counts import count_sites
from mu.kernel.inputs.package_manifests import PackageManifests
from mu.kernel.inputs.source_listing import list_sources
from mu.kernel.report import (
    BuildReport,
    LanguageCount,
    Limit,
    Linking,
    OnEvent,
    Skipped,
    Unlinked,
    ignore_event,
)
from mu.kernel.settings import BuildSettings, check_folder
from mu.kernel.stopwatch import Stopwatch
from mu.model.graph import Graph
from mu.model.kinds import Category
from mu.source import Discovery
from mu.source.git.revisions import RevisionTree
from mu.syntax import Manifest, load_manifests


class NothingToIndexError(MuError):
    """The folder holds no file that could be indexed."""


class Indexed(NamedTuple):
    """A graph with its report and inputs.

    `found` is the result of the walk, and `state` the encoded `WholeProgramState`, empty if there
    is none to cache.
    """

    graph: Graph
    report: BuildReport
    found: Discovery
    manifests: PackageManifests
    state: bytes


def index(
    root: Path | RevisionTree,
    settings: BuildSettings,
    *,
    on_event: OnEvent = ignore_event,
    found: Discovery | None = None,
) -> Indexed:
    """Build the graph of the folder or revision `root`.

    `found` is the result of a walk, if there was one. Raises `NothingToIndexError` when no file
    could be indexed, `WorkerStartError` when worker processes cannot be started. One bad file never
    raises: it is in the report.
    """
    if isinstance(root, Path):
        check_folder(root)
    watch = Stopwatch()
    with collector_paused():
        found, collection = _collect(root, settings, found, watch=watch, on_event=on_event)
        on_event(Linking(len(collection.facts)))
        skipped, documents = collection.skipped, collection.documents
        from mu.kernel.indexing.linker import add_documents, link_collected

        linked = link_collected(root, collection, settings=settings)
        del collection  # with the facts, half of the memory that linking holds
        watch.lap("link")
        graph = add_documents(linked.graph, documents)
        watch.lap("link documents")
        digest = graph_digest(graph)
        watch.lap("digest")
    manifests = linked.manifests
    skipped = sorted([*skipped, *manifests.skipped], key=lambda skip: skip.path)
    report = _report(graph, skipped, digest=digest, watch=watch)
    report = replace(report, unknown=found.unknown)
    return Indexed(graph, report, found, manifests, linked.state)


def _collect(
    root: Path | RevisionTree,
    settings: BuildSettings,
    found: Discovery | None,
    *,
    watch: Stopwatch,
    on_event: OnEvent,
) -> tuple[Discovery, CollectedFacts]:
    """Walk and extract; the workers and their memory are gone when linking begins."""
    with extraction_pool(root, settings, is_known=found is not None) as pool:
        import_module("mu.kernel.indexing.linker")  # the first worker starts meanwhile
        manifests = load_manifests()
        found = found or list_sources(root, settings.walk, manifests=manifests)
        collection = CollectedFacts(found)
        watch.lap("discover")
        on_event(collection.discovered_event())
        collection.fill(pool, on_event)
    watch.lap("extract")
    if not collection.facts and not collection.documents:
        raise _nothing(manifests, collection.skipped)
    return found, collection


def _nothing(manifests: Mapping[str, Manifest], skipped: Sequence[Skipped]) -> NothingToIndexError:
    known = ", ".join(
        f"{name} ({' '.join(manifest.extensions)})" for name, manifest in manifests.items()
    )
    if not skipped:
        return NothingToIndexError(
            "nothing to index: no file of a known language here", f"known: {known}"
        )
    first, count = skipped[0], len(skipped)
    seen = "the only file was skipped:" if count == 1 else f"all {count} files were skipped, first"
    return NothingToIndexError(
        f"nothing to index: {seen} {first.path}: {first.reason}", f"known languages: {known}"
    )


def _report(
    graph: Graph, skipped: Sequence[Skipped], *, digest: str, watch: Stopwatch
) -> BuildReport:
    indexed = [file for file in graph.files if file.status == "indexed"]
    languages = Counter(file.language for file in indexed)
    return BuildReport(
        is_partial=bool(graph.failures) or any(skip.is_lost for skip in skipped),
        files=len(graph.files),
        indexed=len(indexed),
        skipped=tuple(skipped),
        problems=sum(1 for file in indexed if file.problems),
        bytes=sum(file.bytes for file in indexed),
        lines=sum(file.lines for file in indexed),
        languages=tuple(LanguageCount(*item) for item in sorted(languages.items())),
        nodes=len(graph.nodes),
        edges=len(graph.edges),
        sites=count_sites(graph.sites),
        digest=digest,
        seconds=watch.total,
        stages=tuple(watch.stages),
        limits=tuple(Limit(name, n) for name, n in graph.limits._asdict().items() if n),
        unlinked=tuple(
            Unlinked(graph.files[key].path, error) for key, error in sorted(graph.failures.items())
        ),
        minified=sum(1 for file in indexed if file.category == Category.MINIFIED),
    )
