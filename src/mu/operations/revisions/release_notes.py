"""Write release notes: what changed for users of the code, as Markdown."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mu.analysis.review.findings import Aspect, Change, ChangeKind
from mu.kernel.report import OnEvent, ignore_event
from mu.operations.results import MAX_LIMIT
from mu.operations.revisions.diff import Diff, diff
from mu.operations.workspace import Workspace
from mu.render.formats.markdown import code, escaped
from mu.render.shown import Shown

_SEEN = frozenset(
    {Aspect.SIGNATURE, Aspect.BASES, Aspect.DECORATORS, Aspect.VISIBILITY, Aspect.VALUE}
)
_FILES = frozenset({"module", "document"})
_MEMBERS = 20


@dataclass(frozen=True, slots=True)
class ReleaseNotes(Shown):
    """Release notes from the revision `before` to `after`: the `text`, and the changes in it.

    `changes` are those of public definitions.
    """

    before: str
    after: str
    text: str
    changes: tuple[Change, ...]


def release_notes(
    workspace: Workspace,
    revisions: str = "",
    *,
    within: str = "",
    on_event: OnEvent = ignore_event,
) -> ReleaseNotes:
    """Write what changed between two revisions for those who use the code, as Markdown.

    `revisions` and `within` are as for `diff`, which costs the same. Public definitions that came,
    went and changed are listed, those that cannot be used as before first; changes of bodies,
    types and documentation are counted.
    """
    found = diff(workspace, revisions, within=within, limit=MAX_LIMIT, on_event=on_event)
    changes = tuple(one for one in found.changes if one.is_public or one.breaking)
    text = "\n".join(_lines(found, changes)) + "\n"
    return ReleaseNotes(found.before, found.after, text, changes)


def _lines(result: Diff, rows: Sequence[Change]) -> Iterator[str]:
    yield f"# {escaped(f'{result.before} -> {result.after}')}"
    told = [one for one in rows if not one.breaking]
    yield from _group("Breaking", [_breaking(one) for one in rows if one.breaking])
    for kind, title in (
        (ChangeKind.ADDED, "Added"),
        (ChangeKind.REMOVED, "Removed, and still there by the old name"),
        (ChangeKind.RENAMED, "Renamed, and still there by the old name"),
        (ChangeKind.MOVED, "Moved, and still there by the old name"),
    ):
        yield from _group(title, [_place(one) for one in told if one.change is kind])
    changed = [one for one in told if one.change is ChangeKind.CHANGED and one.kind not in _FILES]
    seen = [one for one in changed if not _SEEN.isdisjoint(one.aspects)]
    yield from _group("Changed", [_changed(one) for one in seen])
    packages = [
        f"{'Needs' if row.change is ChangeKind.ADDED else 'Does not need'} {code(row.target[4:])}"
        for row in result.dependencies
        if row.is_external
    ]
    yield from _group("Packages", packages)
    inside = len(changed) - len(seen)
    if inside:
        what = "definition has" if inside == 1 else "definitions have"
        yield ""
        yield f"{inside:,} more public {what} another body, type or documentation."
    if result.next_offset is not None:
        yield ""
        yield f"These are the first {len(result.changes):,} of {result.total:,} changes."
    for note in result.notes:
        yield ""
        yield f"Note: {escaped(note)}"


def _group(title: str, lines: Sequence[str]) -> Iterator[str]:
    if lines:
        yield ""
        yield f"## {title}"
        yield ""
        for line in lines:
            yield f"- {line}"


def _breaking(change: Change) -> str:
    what = f"{change.kind} {code(change.before_name or change.name)}"
    return f"{what}: {escaped('; '.join(change.breaking))}"


def _place(change: Change) -> str:
    members = ", ".join(map(code, change.members[:_MEMBERS]))
    kind = " ".join([*map(code, change.decorators), change.kind])
    was = f", was {code(change.before_name)}" if change.before_name != change.name else ""
    is_there = change.change in (ChangeKind.RENAMED, ChangeKind.MOVED)
    return f"{kind} {code(change.name)}{was if is_there else ''}" + (
        f" with {members}" if members else ""
    )


def _changed(change: Change) -> str:
    what = f"{change.kind} {code(change.name)}: {', '.join(change.aspects)}"
    if change.kind == "variable" or not change.after or change.before == change.after:
        return what
    return f"{what}; {code(change.before)} is now {code(change.after)}"
