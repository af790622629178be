"""Compares two graphs of one repository and tells what changed in its code."""

from collections import Counter
from collections.abc import Iterator, Sequence

from mu.analysis.review.aspects import aspects, head, value_of
from mu.analysis.review.breakage import Breakage
from mu.analysis.review.findings import Aspect, Change, ChangeKind, Difference
from mu.analysis.review.matching import Matching, Pair, match
from mu.analysis.review.module_graph import cycle_changes, dependency_changes, read_imports
from mu.analysis.review.sides import Definition, ReadLines, two_sides
from mu.store import GraphFile
from mu.syntax import load_manifests

_LONGEST = 300  # characters of a signature or a value


def compare_graphs(
    before: GraphFile,
    after: GraphFile,
    *,
    read: tuple[ReadLines, ReadLines],
    left_out: Sequence[str] = (),
) -> Difference:
    """Compare two graphs; `read` gives the lines of the files that each was built from.

    Folders `left_out`, with a slash at the end, are compared on neither side. Changes come in the
    order of paths and lines, removed definitions where they stood. Costs the reading of files that
    differ, and of the calls of functions whose parameters do.
    """
    old, new = two_sides(before, after, read=read, left_out=left_out)
    matching = match(old, new)
    manifests = load_manifests()
    breakage = Breakage(
        matching,
        keywords=frozenset(name for name, one in manifests.items() if one.has_keyword_arguments),
        receivers=frozenset(
            name for name, one in manifests.items() if one.first_parameter_is_receiver
        ),
    )
    changes = sorted(
        _changes(matching, breakage),
        key=lambda one: (one.path, one.line, one.id),
    )
    moved = {
        pair.before.path: pair.after.path
        for pair in matching.pairs
        if pair.before and pair.after and pair.before.kind == "module"
    }
    imports = read_imports(before, moved), read_imports(after, {})
    note = (
        ""
        if matching.is_whole
        else ("too many definitions came and went to find all that were moved or renamed")
    )
    return Difference(
        tuple(changes),
        tuple(dependency_changes(*imports)),
        tuple(cycle_changes(*imports)),
        files_added=len(new.paths - old.paths),
        files_removed=len(old.paths - new.paths),
        files_changed=len(new.paths & old.paths),
        notes=(note,) if note else (),
    )


def _changes(matching: Matching, breakage: Breakage) -> Iterator[Change]:
    inner = _inner(matching)
    for pair in matching.pairs:
        one, other = pair.before, pair.after
        if _is_inside_whole(matching, pair) or _is_repeated(matching, pair):
            continue
        found = aspects((matching.before, one), (matching.after, other)) if one and other else ()
        kind = _kind(pair)
        if kind is ChangeKind.CHANGED and not found:
            continue
        yield _change(matching, pair, kind, found, breakage, inner)


def _change(
    matching: Matching,
    pair: Pair,
    kind: ChangeKind,
    found: tuple[Aspect, ...],
    breakage: Breakage,
    inner: Counter[str],
) -> Change:
    one, other = pair.before, pair.after
    here = other or one
    assert here is not None  # noqa: S101 - a pair has one of both
    broken, sites = breakage.broken(pair)
    texts = _texts(matching, pair, found)
    side = matching.after if other else matching.before
    return Change(
        change=kind,
        kind=here.kind,
        name=here.qualified_name,
        id=here.id,
        path=here.path,
        line=here.line,
        before_id=one.id if one else "",
        before_name=one.qualified_name if one else "",
        before_path=one.path if one else "",
        aspects=found,
        before=texts[0],
        after=texts[1],
        complexity_before=one.complexity if one else 0,
        complexity_after=other.complexity if other else 0,
        is_public=side.is_public(here),
        is_test=here.is_test,
        inner=inner[f"{kind}:{here.id}"],
        members=() if one and other else _members(matching, pair),
        decorators=() if one and other else here.decorators,
        breaking=breakage.reasons(pair),
        broken=broken,
        sites=sites,
    )


def _kind(pair: Pair) -> ChangeKind:
    one, other = pair.before, pair.after
    if one is None:
        return ChangeKind.ADDED
    if other is None:
        return ChangeKind.REMOVED
    if pair.is_implied or (one.path, one.local_name) == (other.path, other.local_name):
        return ChangeKind.CHANGED
    if one.kind != "module" and one.name != other.name:
        return ChangeKind.RENAMED
    return ChangeKind.MOVED


def _texts(matching: Matching, pair: Pair, found: Sequence[Aspect]) -> tuple[str, str]:
    """Give signatures, or values, where they differ; of what is new or gone, the one there is."""
    one, other = pair.before, pair.after

    def text(definition: Definition | None) -> str:
        if definition is None:
            return ""
        side = matching.before if definition is one else matching.after
        if definition.kind == "variable":
            return _short(value_of(side, definition))
        return _short(definition.signature)

    if one is None or other is None:
        return text(one), text(other)
    is_shown = {Aspect.SIGNATURE, Aspect.TYPES, Aspect.BASES, Aspect.VALUE} & {*found}
    if is_shown or head(one) != head(other):
        return text(one), text(other)
    return "", ""


def _is_inside_whole(matching: Matching, pair: Pair) -> bool:
    """Tell whether a definition is inside one that was added or removed, which has the row."""
    if pair.before and pair.after:
        return False
    one = pair.before or pair.after
    assert one is not None  # noqa: S101 - a pair has one of both
    side, left = (
        (matching.before, matching.removed) if pair.before else (matching.after, matching.added)
    )
    return any(above.key in left for above in side.around(one))


def _is_repeated(matching: Matching, pair: Pair) -> bool:
    """Tell whether an earlier definition of the name, such as a getter, came or went too."""
    one = pair.before or pair.after
    if (pair.before and pair.after) or one is None or "~" not in one.id.rpartition(":")[2]:
        return False
    left = matching.removed if pair.before else matching.added
    return any(
        (other.kind, other.path, other.local_name) == (one.kind, one.path, one.local_name)
        and other.key < one.key
        for other in left.values()
    )


def _inner(matching: Matching) -> Counter[str]:
    """Count what stands in each definition that was added or removed."""
    counts: Counter[str] = Counter()
    for kind, side, left in (
        (ChangeKind.REMOVED, matching.before, matching.removed),
        (ChangeKind.ADDED, matching.after, matching.added),
    ):
        for one in left.values():
            for above in side.around(one):
                if above.key in left:
                    counts[f"{kind}:{above.id}"] += 1
    return counts


def _members(matching: Matching, pair: Pair) -> tuple[str, ...]:
    """Name the public definitions directly in what was added or removed, once each."""
    here = pair.before or pair.after
    assert here is not None  # noqa: S101 - a pair has one of both
    side, left = (
        (matching.before, matching.removed) if pair.before else (matching.after, matching.added)
    )
    held = side.children.get(here.key, ())
    return tuple(dict.fromkeys(one.name for one in held if one.key in left and side.is_public(one)))


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."
