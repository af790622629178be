"""Find the commits that broke links and mentions in documents."""

import posixpath
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from mu.model.relation import Answer, Cell, Relation
from mu.operations.workspace import Workspace
from mu.resolve.documents.document_nodes import link_parts, page_anchors, paths_meant
from mu.source.git.removal_history import Commit, Losses, find_losses
from mu.syntax.documents import FORMATS, read_headings

COLUMNS = ("commit", "date", "summary")
"""What is added to a row: the commit after which its target was no more."""

_SECONDS = 5.0
"""How long the history is followed: some 100,000 commits for files, some 5,000 for names."""

_MOST_NAMES = 200

_NAME = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*(?:\([^()]*\))?")
_BORN = """
SELECT DISTINCT name FROM node
WHERE list_contains($1::VARCHAR[], name) AND kind NOT IN ('section', 'document', 'external')
"""

_NOT_COMMITTED = "gone, and that is not committed yet"
_NEVER = "was never there"


@dataclass(frozen=True, slots=True)
class _Missed:
    """What a row leads to: paths it may mean, with an anchor on them, or an identifier.

    `is_path` says that it can be nothing but a path; a word alone may be the label of a heading.
    """

    paths: tuple[str, ...] = ()
    anchor: str = ""
    name: str = ""
    is_path: bool = True


def with_commits(workspace: Workspace, answer: Answer) -> Answer:
    """Add to rows of (path, line, kind, text, reason) the commit that broke each.

    It is NULL where that is not known; `summary` tells then what is. The history is followed for
    five seconds at most.
    """
    rows = [(str(row[0]), str(row[2]), str(row[3])) for row in answer.rows]
    names = _lost_names(workspace, [text for _, kind, text in rows if kind == "mention"])
    missed = [_missed(path, kind, text, names) for path, kind, text in rows]
    losses = None
    if rows:
        losses = find_losses(
            workspace.root,
            {path for each in missed for path in each.paths},
            anchors={(path, each.anchor) for each in missed for path in each.paths if each.anchor},
            names=dict.fromkeys(each.name for each in missed if each.name),
            headings=_anchors,
            seconds=_SECONDS,
        )
    told = [_told(each, losses) for each in missed]
    return replace(
        answer,
        columns=(*answer.columns, *COLUMNS),
        rows=tuple((*row, *more) for row, more in zip(answer.rows, told, strict=True)),
    )


def _missed(path: str, kind: str, text: str, names: frozenset[str]) -> _Missed:
    """Tell what a link or mention on a page may have meant."""
    if kind == "mention" and _NAME.fullmatch(text):
        parts = re.sub(r"\(.*", "", text).split(".")
        return _Missed(name=next((part for part in reversed(parts) if part in names), ""))
    target, written = link_parts(text)
    anchor = written.lower()
    if not target:
        return _Missed((path,), anchor) if anchor else _Missed()
    meant = [each for each in paths_meant(target, path) if not each.startswith("..")]
    if not posixpath.splitext(target)[1]:  # a page that is named without its end
        meant = [f"{each}{end}" for each in meant for end in FORMATS]
    is_path = bool(re.search(r"[./#]", text))
    return _Missed(tuple(dict.fromkeys(meant)), anchor, is_path=is_path)


def _lost_names(workspace: Workspace, texts: Sequence[str]) -> frozenset[str]:
    """Give the identifiers of mentions that no node has any more."""
    parts = {part for text in texts for part in re.findall(r"[A-Za-z_]\w*", text)}
    rows = workspace.graph.run(Relation(_BORN, (sorted(parts),)), limit=None).rows
    lost = parts - {str(name) for (name,) in rows}
    return frozenset(sorted(lost)[:_MOST_NAMES])


def _anchors(path: str, data: bytes) -> frozenset[str]:
    """Give the anchors of a page as it was."""
    name = FORMATS.get(posixpath.splitext(path)[1].lower())
    if name is None:
        return frozenset()
    titles, labels = read_headings(data, name)
    return frozenset([*page_anchors(titles), *(label.lower() for label in labels)])


def _told(missed: _Missed, losses: Losses | None) -> tuple[Cell, Cell, Cell]:
    """Give the columns of a row: the newest of the commits that took away what it may mean."""
    if losses is None or not (missed.paths or missed.name):
        return None, None, None
    spots = [(path, missed.anchor) for path in missed.paths] if missed.anchor else []
    found: list[Commit | None] = [losses.names.get(missed.name)]
    found += [losses.anchors.get(spot) for spot in spots]
    found += [losses.paths.get(path) for path in missed.paths]
    commits = sorted((commit for commit in found if commit), key=lambda commit: commit.date)
    if commits:
        return commits[-1].id, commits[-1].date, commits[-1].summary
    wanted = spots or missed.paths
    if any(each in losses.present for each in wanted):
        return None, None, _NOT_COMMITTED
    is_sure = bool(missed.paths) and missed.is_path and losses.is_whole
    return None, None, _NEVER if is_sure else None
