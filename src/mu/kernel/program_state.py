"""What linking found of the whole program, kept beside the facts from one build to the next.

It is named by the digest of the graph that it belongs to, so it can never be taken for that of
another program; what another installation of MU kept is not read.
"""

from pathlib import Path

from mu.kernel.engine import engine_digest
from mu.syntax.facts_cache import FactsCache

_NAME = "programs"


class ProgramStates:
    """The states kept in a folder; None keeps nothing."""

    def __init__(self, folder: Path | None) -> None:
        version = engine_digest() if folder else ""
        self._cache = FactsCache(_NAME, folder, version=version)

    def find(self, digest: str) -> bytes | None:
        """The state of the program with a graph of this digest; None where it is not kept."""
        return self._cache.find(digest)

    def keep(self, digest: str, state: bytes) -> None:
        """Keep a state, if that can be done."""
        if state:
            self._cache.keep(digest, state)
