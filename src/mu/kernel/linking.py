"""From what was collected to a graph.

The build imports this while its first worker starts: what links is a third of all that it loads.
"""

from pathlib import Path

from mu.kernel.collection import Collection
from mu.kernel.manifests import Manifests, read_manifests
from mu.languages.loading import load_rules
from mu.languages.stub_cache import stubs_kept_in
from mu.model.graph import Graph
from mu.resolve import add_documents, link
from mu.source import SourceTree

__all__ = ["add_documents", "link_collection"]


def link_collection(
    root: Path | SourceTree,
    collection: Collection,
    *,
    roots: tuple[str, ...],
    max_file_size: int,
    kept: Path | None,
    is_kept_read: bool,
) -> tuple[Graph, Manifests]:
    """Link what was collected under `root`; give the manifests that were read for it, too.

    Facts of the library's stubs are `kept` in a folder, and read there if `is_kept_read`.
    """
    facts, files = collection.facts, collection.files()
    rules = load_rules({files[key].language for key in facts})
    manifests = read_manifests(
        root, (files[key] for key in facts), rules=rules, max_file_size=max_file_size
    )
    with stubs_kept_in(kept, is_read=is_kept_read):
        graph = link(
            files,
            facts,
            rules=rules,
            roots=roots,
            declared=manifests.declared,
            manifests=manifests.texts,
        )
    return graph, manifests
