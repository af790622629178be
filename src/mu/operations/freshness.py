"""Compare the graph with its folder, for the note on changed files that each answer has.

What changed since the build may add to any answer and take from it, so that an answer is neither
all there is nor sure to hold. Pages matter to what is asked of pages alone.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar, cast

from mu.errors import MuError
from mu.model.kinds import EdgeKind, Verdict
from mu.model.relation import Answer, Relation
from mu.operations.results import NodeRows, RouteRows, Rows
from mu.store import GraphFile

if TYPE_CHECKING:
    from mu.kernel.change_detection.file_changes import Changes

Result = TypeVar("Result", Rows, NodeRows, RouteRows)

MOST_LOOKED_AT = 20_000
"""Files and folders that are looked at for an answer: some 0.1 s."""

MOST_READ = 1_000
"""Files that are read for it, all of which something touched since the build: some 0.1 s."""

_NAMED = 3

_APART = "this answer does not depend on it"

_KNOWN = """
SELECT path, bytes, digest <> '' FROM file
WHERE NOT starts_with(path, '/')
AND NOT (contains(path, '..') AND regexp_matches(path, '(^|/)[.][.](/|$)'))
"""
"""A graph may come from a stranger: paths that lead elsewhere are not followed."""
_DIGESTS = "SELECT path, digest FROM file WHERE list_contains($1::VARCHAR[], path) ORDER BY path"
_BUILT_AT = "SELECT value FROM meta WHERE name = 'built_at'"


@dataclass(frozen=True, slots=True)
class Freshness:
    """What changed since the build; `note` says so, and is empty when nothing did.

    `is_changed` tells that a file did, and `is_code_changed` that one which is no page did;
    `changes` are the files, None where none did or not all were compared.
    """

    note: str = ""
    is_changed: bool = False
    is_code_changed: bool = False
    changes: "Changes | None" = None

    @property
    def notes(self) -> tuple[str, ...]:
        """The note as those of a result: one or none."""
        return (self.note,) if self.note else ()


def compare_with_folder(root: Path, graph: GraphFile) -> Freshness:
    """Compare the folder with its graph, by sizes and times first and by digests where needed.

    Costs one `stat` a file, and the reading of files that something touched. Nothing is known of
    a graph that does not say when it was built.
    """
    from mu.kernel.change_detection.stat_comparison import compare_stats

    built = graph.run(Relation(_BUILT_AT)).rows
    if not built or not str(built[0][0]).isdecimal():
        return Freshness()
    rows = graph.run(Relation(_KNOWN), limit=None).rows
    known = cast("Sequence[tuple[str, int, bool]]", rows)
    seen = compare_stats(root, known, since=int(str(built[0][0])), most=MOST_LOOKED_AT)
    if not (seen.resized or seen.removed or seen.touched or seen.arrived):
        return Freshness(_unseen(seen.unseen))
    from mu.kernel.change_detection.file_changes import confirm_changes
    from mu.operations.recorded_options import walk_options

    read = list(seen.touched[:MOST_READ])
    digests = graph.run(Relation(_DIGESTS, (read,)), limit=None).rows if read else ()
    changes = confirm_changes(
        root,
        seen,
        digests={str(path): str(digest) for path, digest in digests},
        options=walk_options(graph.meta()),
    )
    unseen = _unseen(seen.unseen + len(seen.touched) - len(read))
    told = {"changed": changes.changed, "added": changes.added, "removed": changes.removed}
    paths = [path for some in told.values() for path in some]
    if not paths:
        return Freshness(unseen)
    counts = [(len(some), how) for how, some in told.items() if some]
    note = "; ".join(filter(None, [_changed(counts, paths), unseen]))
    return Freshness(
        note,
        is_changed=True,
        is_code_changed=_is_code(paths),
        changes=None if unseen else changes,
    )


def with_staleness_note(
    fresh: Freshness,
    result: Result,
    *,
    with_pages: bool = True,
    could_alter: "Callable[[Changes, Verdict], bool]" = lambda *_: True,
) -> Result:
    """Add a note on what changed since the build, and set the verdict to `unknown`.

    Unless `with_pages`, a change of documents alone is noted and does not change the verdict.
    Neither does one that could not alter the answer: `could_alter` is asked with what changed.
    """
    if not fresh.note:
        return result
    answer: Answer = result.answer
    is_old = fresh.is_changed if with_pages else fresh.is_code_changed
    if is_old and fresh.changes is not None:
        changes = fresh.changes if with_pages else _of_code(fresh.changes)
        is_old = could_alter(changes, answer.verdict)
        fresh = fresh if is_old else replace(fresh, note=f"{fresh.note}; {_APART}")
    verdict = Verdict.UNKNOWN if is_old else answer.verdict
    answer = replace(answer, notes=(*fresh.notes, *answer.notes), verdict=verdict)
    return replace(result, answer=answer)


def with_staleness_hint(fresh: Freshness, error: MuError) -> MuError:
    """Add the note on changed files to the hint of an error."""
    return MuError(error.message, "\n".join(filter(None, [error.hint, fresh.note])), error.code)


def asks_of_pages(kinds: Iterable[EdgeKind]) -> bool:
    """Tell whether pages have edges of these kinds."""
    return not {EdgeKind.LINKS, EdgeKind.MENTIONS, EdgeKind.CONTAINS}.isdisjoint(kinds)


def _changed(counts: Sequence[tuple[int, str]], paths: Sequence[str]) -> str:
    (count, how), *more = counts
    files = "1 file" if count == 1 else f"{count:,} files"
    what = ", ".join([f"{files} {how}", *(f"{count:,} {how}" for count, how in more)])
    named = ", ".join(paths[:_NAMED])
    left = f" and {len(paths) - _NAMED:,} more" if len(paths) > _NAMED else ""
    return (
        f"{what} since the graph was built: {named}{left}; `mu kernel build` brings it up to date"
    )


def _unseen(count: int) -> str:
    if not count:
        return ""
    files = "1 file was" if count == 1 else f"{count:,} files were"
    return f"{files} not compared with the graph: `mu kernel status` compares all"


def _of_code(changes: "Changes") -> "Changes":
    from mu.syntax.documents import FORMATS

    ends = tuple(FORMATS)
    return replace(
        changes,
        changed=tuple(path for path in changes.changed if not path.endswith(ends)),
        added=tuple(path for path in changes.added if not path.endswith(ends)),
        removed=tuple(path for path in changes.removed if not path.endswith(ends)),
    )


def _is_code(paths: Sequence[str]) -> bool:
    from mu.syntax.documents import FORMATS

    return any(not path.endswith(tuple(FORMATS)) for path in paths)
