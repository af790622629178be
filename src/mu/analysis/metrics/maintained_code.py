"""Files that measures leave out, since nobody maintains them by hand.

Generated, vendored and minified files, and migrations of a database, which are kept as they were
once run. They still use what they use, so what only they call has a caller.
"""

from mu.languages.entry_points import load_entry_points
from mu.model.relation import Input, Relation
from mu.store import GraphFile

_LEFT_OUT = """
SELECT key, path FROM file
WHERE status = 'indexed' AND (category IN ('generated', 'vendored', 'minified')
    OR EXISTS (FROM unnest($patterns::VARCHAR[]) AS given(pattern) WHERE path GLOB given.pattern))
    AND key IN (SELECT file FROM node WHERE kind = 'module')
"""

_BELOW = """
SELECT count(*) FROM file
WHERE status = 'indexed' AND key IN (SELECT file FROM node WHERE kind = 'module')
    AND (path = $path OR starts_with(path, $path || '/'))
"""


def left_out(graph: GraphFile, *, below: str = "") -> Input:
    """Give the table `left_out(file)`: the keys of the files that are left out.

    With a path `below`, in which all are left out, none there is: it was asked for.
    """
    patterns = [pattern for known in load_entry_points() for pattern in known.migrations]
    rows = graph.run(Relation(_LEFT_OUT, {"patterns": patterns}), limit=None).rows
    inside = [row for row in rows if below and _is_below(str(row[1]), below)]
    if inside:
        ((total,),) = graph.run(Relation(_BELOW, {"path": below})).rows
        if total == len(inside):
            rows = tuple(row for row in rows if not _is_below(str(row[1]), below))
    return Input("left_out", ("file",), ("INTEGER",), [(row[0],) for row in rows])


def left_out_notes(files: Input) -> tuple[str, ...]:
    """Say how many files were left out."""
    total = len(files.rows)
    if not total:
        return ()
    found = "1 file that is" if total == 1 else f"{total} files that are"
    what = f"{found} generated, vendored, minified or a migration"
    return (f"{what} left out; name the path of one to measure it",)


def _is_below(path: str, folder: str) -> bool:
    return path == folder or path.startswith(f"{folder}/")
