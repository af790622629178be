"""The expressions of a file by which two versions of it are compared, by their rows."""

from collections import defaultdict
from collections.abc import Iterable, Iterator

from mu.model.facts import Binding, Definition, Op
from mu.resolve.program.attribute_stores import FieldStore
from mu.resolve.program.file_symbols import FileSymbols

_NAME, _FUNCTION, _ITEM, _KEYWORD = map(int, (Op.NAME, Op.FUNCTION, Op.ITEM, Op.KEYWORD))


def results_of(row: Definition) -> tuple[int, ...]:
    """What a function returns and yields."""
    return (*row.returned, *row.yielded)


def rows_of_definition(row: Definition) -> Iterator[int]:
    """What a definition is made of, but for what it returns and yields."""
    yield row.returns
    for parameter in row.parameters:
        yield parameter.annotation
        yield parameter.default
    for number, _, _ in row.decorators:
        yield number


def values_of(bindings: Iterable[Binding]) -> list[int]:
    """What names are bound to."""
    return [row.value for row in bindings]


def rows_of_stores(stores: Iterable[FieldStore]) -> list[int]:
    """What attributes are set of, and to."""
    return [row for store in stores for row in (store.base, store.value)]


def rows_with_functions(unit: FileSymbols) -> dict[int, list[int]]:
    """The rows that hold functions and classes written in place, by the number of these."""
    rows, found = unit.expressions, defaultdict[int, list[int]](list)
    for number, (op, _, base, args) in enumerate(rows):
        inside = args if op in (_NAME, _FUNCTION) else (base, *args)
        for one in inside:
            at = rows[one][2] if rows[one][0] == _KEYWORD else one
            if rows[at][0] == _FUNCTION:
                found[rows[at][2]].append(number)
    return found


def names_unpacked(unit: FileSymbols, whole: int) -> set[str]:
    """The parts of an unpacked row that have names."""
    return {text for op, text, base, _ in unit.expressions if op == _ITEM and base == whole}
