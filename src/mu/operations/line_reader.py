"""Read the lines of files for a query, a few files in memory at a time."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from mu.operations.workspace import Workspace

if TYPE_CHECKING:
    from mu.muql.repository_history import ReadSource

_FILES_AT_ONCE = 200
"""How many files are in memory while many are read."""


def read_source_of(workspace: Workspace) -> "ReadSource":
    """Give what reads the lines of files as they were when the graph was built."""

    def read(paths: Sequence[str]) -> Iterator[tuple[str, ...]]:
        from mu.operations.source_lines import SourceLines  # few queries ask for lines

        for start in range(0, len(paths), _FILES_AT_ONCE):
            source, some = SourceLines(workspace), paths[start : start + _FILES_AT_ONCE]
            source.expect(some)
            yield from map(source.whole, some)

    return read
