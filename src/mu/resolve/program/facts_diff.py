"""Difference of two versions of a file's facts, as far as linking can see it.

Linking reads line numbers only to record them and to order definitions in a file. Facts that differ
only in lines, in the same order, and in display attributes that linking never reads produce the
same edges, in this file and in every other.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from mu.model.facts import Definition, FileFacts


def is_alike(old: FileFacts, new: FileFacts) -> bool:
    """Return whether two versions differ only in positions and prose, in the same order."""
    if old.expressions != new.expressions:
        return False
    return (
        _is_same_frame(old, new)
        and list(_face(old)) == list(_face(new))
        and [row[:-1] for row in old.references] == [row[:-1] for row in new.references]
        and is_in_order((*_lines(old), *_uses(old)), (*_lines(new), *_uses(new)))
    )


def moved_lines(old: FileFacts, new: FileFacts) -> Mapping[int, int] | None:
    """Map the lines of one version to another; None unless they are alike (`is_alike`).

    Only lines that a row of the facts names are in the map.
    """
    if not is_alike(old, new):
        return None
    before, after = (*_lines(old), *_uses(old)), (*_lines(new), *_uses(new))
    return dict(zip(before, after, strict=True))


def _is_same_frame(old: FileFacts, new: FileFacts) -> bool:
    """Return whether package and scopes are the same, and the other tables have equal lengths."""
    return (
        (old.package, old.visibilities) == (new.package, new.visibilities)
        and [row[:3] for row in old.scopes] == [row[:3] for row in new.scopes]
        and len(old.definitions) == len(new.definitions)
        and len(old.imports) == len(new.imports)
        and len(old.bindings) == len(new.bindings)
        and len(old.directives) == len(new.directives)
    )


def is_in_order(old: Sequence[int], new: Sequence[int]) -> bool:
    """Return whether lines keep their order, and equal lines remain equal."""
    moved: dict[int, int] = {}
    for before, after in zip(old, new, strict=True):
        if moved.setdefault(before, after) != after:
            return False
    after_all = [moved[line] for line in sorted(moved)]
    return all(one < other for one, other in pairwise(after_all))


def _face(facts: FileFacts) -> Iterator[tuple[object, ...]]:
    """Yield the rows that other files read, without lines."""
    for row in facts.definitions:
        decorators = tuple([(number, text) for number, _, text in row.decorators])
        bases = tuple([(number, keyword) for number, _, keyword in row.bases])
        yield (*_asked(row), decorators, bases)
    for taken in facts.imports:
        yield taken[:-1]
    for kind, scope, base, name, value, _ in facts.bindings:
        yield kind, scope, base, name, value
    for _, text in facts.directives:
        yield (text,)


def _asked(row: Definition) -> tuple[object, ...]:
    """Return the columns that rules and linking read, except decorators and bases."""
    return (
        *(row.kind, row.subkind, row.name, row.scope, row.body, row.signature, row.flags),
        *(row.parameters, row.returns, row.returns_text, row.returned, row.yielded),
    )


def _lines(facts: FileFacts) -> Iterator[int]:
    """Yield the lines of definitions, imports, bindings and directives, in row order."""
    for row in facts.definitions:
        yield row.start_line
        yield row.end_line
        for _, line, _ in (*row.decorators, *row.bases):
            yield line
    for table in (facts.imports, facts.bindings):
        for other in table:
            yield other[-1]
    for line, _ in facts.directives:
        yield line


def _uses(facts: FileFacts) -> Iterator[int]:
    """Return the lines of references."""
    return (reference[-1] for reference in facts.references)
