"""Read lines of sources, as they were when the graph was built.

A graph may come from a stranger: a path in it is followed only inside the folder and not through a
link, and a line is given only when the file is the one that was built from, by its digest.
"""

from collections.abc import Iterable, Sequence
from pathlib import PurePosixPath

from mu.model.found import FoundNode
from mu.model.relation import Relation
from mu.operations.workspace import Workspace
from mu.render.redaction import redact
from mu.render.text import printable
from mu.source import SkippedSource, native_path, read_source
from mu.source.trees import WorkingTree

_LONGEST = 200

_BUILT = "SELECT path, digest, bytes FROM file WHERE list_contains($1::VARCHAR[], path)"


class SourceLines:
    """Reads each file once."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._built: dict[str, tuple[str, int] | None] = {}
        self._known: dict[str, tuple[str, ...] | None] = {}

    def expect(self, paths: Iterable[str]) -> None:
        """Ask at once what the files were that will be read; saves some 2 ms for each."""
        asked = [path for path in dict.fromkeys(paths) if path not in self._built]
        self._built.update(dict.fromkeys(asked))
        for path, digest, size in self._workspace.graph.run(
            Relation(_BUILT, (asked,)), limit=None
        ).rows:
            self._built[str(path)] = (str(digest), int(str(size)))

    def at(self, path: str, line: int) -> str | None:
        """Give the text of a line, without the space around it; None when the file has changed.

        A line longer than 200 characters is cut off.
        """
        if path not in self._known:
            self._known[path] = self._read(path)
        lines = self._known[path]
        if lines is None or not 0 < line <= len(lines):
            return None
        text = lines[line - 1].strip()
        return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."

    def of(self, node: FoundNode) -> tuple[tuple[int, str], ...]:
        """Give the lines of a node with their numbers, none when its file has changed."""
        relation = Relation("SELECT end_line FROM node WHERE key = ?", (node.key,))
        end = int(str(self._workspace.graph.run(relation).rows[0][0]))
        lines = self.whole(node.path)[node.line - 1 : end] if node.line else ()
        return tuple((number, line) for number, line in enumerate(lines, start=node.line))

    def between(self, path: str, *, first: int, last: int) -> tuple[str, ...]:
        """Give lines of a file, counted from 1, none when it has changed."""
        return self.whole(path)[first - 1 : last]

    def whole(self, path: str) -> tuple[str, ...]:
        """Give all lines of a file, none when it has changed."""
        if path not in self._known:
            self._known[path] = self._read(path)
        return self._known[path] or ()

    def text(self, path: str) -> bytes | None:
        """Give a file as the parser gets it, UTF-8 with LF line ends; None when it has changed."""
        if path not in self._built:
            self.expect([path])
        digest, size = self._built[path] or ("", 0)
        if not digest or not self._is_inside(path):
            return None
        try:
            source = read_source(self._workspace.files, path, max_file_size=size)
        except SkippedSource:
            return None
        return source.text if source.digest == digest else None

    def _read(self, path: str) -> tuple[str, ...] | None:
        text = self.text(path)
        return None if text is None else tuple(text.decode("utf-8", "replace").split("\n"))

    def _is_inside(self, path: str) -> bool:
        """Tell whether a path stays inside the root, and leads through no symbolic link."""
        parts = PurePosixPath(path)
        if parts.is_absolute() or ".." in parts.parts:
            return False
        if not isinstance(self._workspace.files, WorkingTree):
            return True
        root = self._workspace.root
        folder = (root / native_path(path)).parent
        return folder.resolve() == root.resolve() / folder.relative_to(root)


def safe_lines(lines: Sequence[str]) -> Sequence[str]:
    """Give lines without secrets, and without what would act on a terminal."""
    redacted = redact("\n".join(lines)).split("\n") if lines else []
    return ["\t".join(map(printable, line.rstrip("\r").split("\t"))) for line in redacted]
