"""Whether two versions of a file's facts say the same to linking.

Linking reads lines only to write them down, and to tell what in a file comes before what. So facts
that differ in nothing but lines, in the same order, and in what is shown of a definition and never
asked lead to the same answers, in this file and in every other.

What calls and operations stand in a text beside what its names are bound to and its functions give
(its *face*) is asked by no other file. Which arguments they pass is told by gathering.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from mu.model.facts import Definition, Expression, FileFacts, Op

_CALL, _CAST, _SPREAD = int(Op.CALL), int(Op.CAST), int(Op.SPREAD)
_FUNCTION = int(Op.FUNCTION)
_OF_OTHERS = frozenset((int(Op.NAME), _FUNCTION))  # whose base is no expression


def is_alike(old: FileFacts, new: FileFacts) -> bool:
    """Whether two versions differ in places alone, and in prose; their order has to be the same."""
    if old.expressions != new.expressions:
        return False
    same = range(len(old.expressions))
    return (
        _is_same_frame(old, new)
        and list(_face(old, same)) == list(_face(new, same))
        and [row[:-1] for row in old.references] == [row[:-1] for row in new.references]
        and _is_in_order((*_lines(old), *_uses(old)), (*_lines(new), *_uses(new)))
    )


def moved_lines(old: FileFacts, new: FileFacts) -> Mapping[int, int] | None:
    """Where the lines of one version are in another that is alike; None where it is not.

    Only lines that a row of the facts names are there.
    """
    if not is_alike(old, new):
        return None
    before, after = (*_lines(old), *_uses(old)), (*_lines(new), *_uses(new))
    return dict(zip(before, after, strict=True))


def has_same_face(old: FileFacts, new: FileFacts) -> bool:
    """Whether two versions differ for other files in nothing but the calls they make."""
    table: dict[Expression, int] = {}
    before, after = numbered(old, table), numbered(new, table)
    return (
        _is_same_frame(old, new)
        and list(_face(old, before)) == list(_face(new, after))
        and _placed(old, before) == _placed(new, after)
        and _is_in_order(tuple(_lines(old)), tuple(_lines(new)))
    )


def matched(old: FileFacts, new: FileFacts) -> dict[int, int]:
    """The numbers of expressions in a new version, by those of equal ones in an old one."""
    table: dict[Expression, int] = {}
    before = numbered(old, table)
    places = {number: row for row, number in enumerate(numbered(new, table))}
    return {row: places[number] for row, number in enumerate(before) if number in places}


def numbered(facts: FileFacts, table: dict[Expression, int]) -> list[int]:
    """A number for each expression that is the same for equal ones of all files with a `table`.

    Expressions come behind those they are made of.
    """
    numbers: list[int] = []
    for op, text, base, args in facts.expressions:
        inner = base if op in _OF_OTHERS or not numbers else numbers[base]
        row = op, text, inner, tuple([numbers[arg] for arg in args])
        numbers.append(table.setdefault(row, len(table)))
    return numbers


def _is_same_frame(old: FileFacts, new: FileFacts) -> bool:
    """Whether the same scopes nest, and as many things are defined and bound."""
    return (
        old.package == new.package
        and [row[:3] for row in old.scopes] == [row[:3] for row in new.scopes]
        and len(old.definitions) == len(new.definitions)
        and len(old.imports) == len(new.imports)
        and len(old.bindings) == len(new.bindings)
        and len(old.directives) == len(new.directives)
    )


def _is_in_order(old: Sequence[int], new: Sequence[int]) -> bool:
    """Whether lines follow each other as they did, and are the same where they were."""
    moved: dict[int, int] = {}
    for before, after in zip(old, new, strict=True):
        if moved.setdefault(before, after) != after:
            return False
    after_all = [moved[line] for line in sorted(moved)]
    return all(one < other for one, other in pairwise(after_all))


def _face(facts: FileFacts, numbers: Sequence[int]) -> Iterator[tuple[object, ...]]:
    """The rows that other files read, without lines."""
    for row in facts.definitions:
        decorators = tuple([(numbers[number], text) for number, _, text in row.decorators])
        bases = tuple([(numbers[number], keyword) for number, _, keyword in row.bases])
        yield (*_asked(row, numbers), decorators, bases)
    for taken in facts.imports:
        yield taken[:-1]
    for kind, scope, base, name, value, _ in facts.bindings:
        yield kind, scope, numbers[base], name, numbers[value]
    for _, text in facts.directives:
        yield (text,)


def _asked(row: Definition, numbers: Sequence[int]) -> tuple[object, ...]:
    """What rules and linking ask of a definition besides its decorators and bases."""
    parameters = [
        (name, kind, text, numbers[annotation], numbers[default])
        for name, kind, text, annotation, default in row.parameters
    ]
    return (
        *(row.kind, row.subkind, row.name, row.scope, row.body, row.signature, row.flags),
        *(parameters, numbers[row.returns], row.returns_text),
        [numbers[number] for number in row.returned],
        [numbers[number] for number in row.yielded],
    )


def _placed(facts: FileFacts, numbers: Sequence[int]) -> set[tuple[int, ...]]:
    """What tells of functions: to which calls those are handed that are written in place, and
    which parameters are spread.
    """
    rows = facts.expressions
    found: set[tuple[int, ...]] = set()
    for call, (op, _, base, args) in enumerate(rows):
        if op == _CALL:
            found |= {(numbers[call], numbers[arg]) for arg in args if rows[arg][0] == _FUNCTION}
        elif op == _SPREAD:
            found.add((numbers[base],))
        elif op == _CAST:
            found.add((numbers[call],))
    return found


def _lines(facts: FileFacts) -> Iterator[int]:
    """The lines of what is defined and bound, in the order of the rows."""
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
    """The lines of references."""
    return (reference[-1] for reference in facts.references)
