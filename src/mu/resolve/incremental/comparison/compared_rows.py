"""The expressions, by row, by which two versions of a file are compared."""

from collections import defaultdict
from collections.abc import Iterable, Iterator

from mu.model.facts import Binding, Definition, Op
from mu.resolve.program.attribute_stores import FieldStore
from mu.resolve.program.file_symbols import FileSymbols

_NAME, _FUNCTION, _ITEM, _KEYWORD = map(int, (Op.NAME, Op.FUNCTION, Op.ITEM, Op.KEYWORD))


def results_of(row: Definition) -> tuple[int, ...]:
    """Return the expressions that a function returns and yields."""
    return (*row.returned, *row.yielded)


def rows_of_definition(row: Definition) -> Iterator[int]:
    """Yield the expressions in the head of a definition: types, defaults and decorators."""
    yield row.returns
    for parameter in row.parameters:
        yield parameter.annotation
        yield parameter.default
    for number, _, _ in row.decorators:
        yield number


def values_of(bindings: Iterable[Binding]) -> list[int]:
    """Return the expressions that names are bound to."""
    return [row.value for row in bindings]


def rows_of_stores(stores: Iterable[FieldStore]) -> list[int]:
    """Return, for each attribute store, the expressions of the object and of the value."""
    return [row for store in stores for row in (store.base, store.value)]


def rows_with_functions(unit: FileSymbols) -> dict[int, list[int]]:
    """Map each inline function and class, by number, to the rows that contain it."""
    rows, found = unit.expressions, defaultdict[int, list[int]](list)
    for number, (op, _, base, args) in enumerate(rows):
        inside = args if op in (_NAME, _FUNCTION) else (base, *args)
        for one in inside:
            at = rows[one][2] if rows[one][0] == _KEYWORD else one
            if rows[at][0] == _FUNCTION:
                found[rows[at][2]].append(number)
    return found


def names_unpacked(unit: FileSymbols, whole: int) -> set[str]:
    """Return the names of the parts that are unpacked from row `whole`."""
    return {text for op, text, base, _ in unit.expressions if op == _ITEM and base == whole}
