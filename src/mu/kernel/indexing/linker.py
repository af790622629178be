"""Link collected facts to a graph.

The build imports this while its first worker starts: the linker is a third of all that it loads.
"""

from pathlib import Path
from typing import NamedTuple

from mu.kernel.extraction.collected_facts import CollectedFacts
from mu.kernel.inputs.package_manifests import PackageManifests, read_package_manifests
from mu.kernel.settings import BuildSettings
from mu.languages.loading import load_rules
from mu.languages.stub_cache import stubs_cached_in
from mu.model.graph import Graph
from mu.resolve import ProgramText, WholeProgramState, add_documents, encode_state, link
from mu.source import SourceTree

__all__ = ["Linked", "add_documents", "link_collected"]

_PROCESSES = 2
"""Processes that link a program: no setting, as another number may make another graph. The second
takes 300 MB more on django and saves 6 s of 18, and a third would save 1.
"""


class Linked(NamedTuple):
    """A graph, the manifests that were read for it, and the encoded whole-program `state`.

    The state is empty if a file could not be linked, or if there is no folder to cache it in.
    """

    graph: Graph
    manifests: PackageManifests
    state: bytes


def link_collected(
    root: Path | SourceTree,
    collection: CollectedFacts,
    *,
    settings: BuildSettings,
) -> Linked:
    """Link the facts collected under `root`."""
    kept = settings.facts
    facts, files = collection.facts, collection.files()
    rules = load_rules({files[key].language for key in facts})
    manifests = read_package_manifests(
        root,
        (files[key] for key in facts),
        rules=rules,
        max_file_size=settings.walk.max_file_size,
    )
    state = b""

    def keep(found: WholeProgramState) -> None:
        nonlocal state
        state = encode_state(found)

    with stubs_cached_in(kept, is_read=not settings.is_full):
        text = ProgramText(files, facts, rules, settings.roots, manifests.texts)
        graph = link(
            text,
            declared=manifests.declared,
            on_state=keep if kept else None,
            processes=_PROCESSES,
        )
    return Linked(graph, manifests, state)
