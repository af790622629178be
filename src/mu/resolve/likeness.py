"""Whether two versions of a file's facts say the same to linking.

Linking reads lines only to write them down, and to tell what in a file comes before what. So facts
that differ in nothing but lines, in the same order, and in what is shown of a definition and never
asked lead to the same answers, in this file and in every other.
"""

from collections.abc import Iterator
from itertools import pairwise

from mu.model.facts import Definition, FileFacts


def is_alike(old: FileFacts, new: FileFacts) -> bool:
    """Whether two versions differ in places alone, and in prose; their order has to be the same."""
    if old.expressions != new.expressions or old.package != new.package:
        return False
    if [row[:3] for row in old.scopes] != [row[:3] for row in new.scopes]:
        return False
    if list(_placeless(old)) != list(_placeless(new)):
        return False
    moved: dict[int, int] = {}
    for before, after in zip(_lines(old), _lines(new), strict=True):
        if moved.setdefault(before, after) != after:
            return False
    after_all = [moved[line] for line in sorted(moved)]
    return all(one < other for one, other in pairwise(after_all))


def _placeless(facts: FileFacts) -> Iterator[tuple[object, ...]]:
    """The rows that linking reads, without their lines."""
    for row in facts.definitions:
        decorators = tuple([(number, text) for number, _, text in row.decorators])
        bases = tuple([(number, keyword) for number, _, keyword in row.bases])
        yield (*_asked(row), decorators, bases)
    for taken in facts.imports:
        yield taken[:-1]
    for binding in facts.bindings:
        yield binding[:-1]
    for reference in facts.references:
        yield reference[:-1]
    for _, text in facts.directives:
        yield (text,)


def _asked(row: Definition) -> tuple[object, ...]:
    """What rules and linking ask of a definition besides its decorators and bases."""
    return (
        *(row.kind, row.subkind, row.name, row.scope, row.body, row.signature, row.flags),
        *(row.parameters, row.returns, row.returns_text, row.returned, row.yielded),
    )


def _lines(facts: FileFacts) -> Iterator[int]:
    """The lines of those rows, in the same order."""
    for row in facts.definitions:
        yield row.start_line
        yield row.end_line
        for _, line, _ in (*row.decorators, *row.bases):
            yield line
    for table in (facts.imports, facts.bindings, facts.references):
        for other in table:
            yield other[-1]
    for line, _ in facts.directives:
        yield line
