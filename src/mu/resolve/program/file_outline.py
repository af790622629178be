"""Outlines: what the whole program has to know of a file that is not set up.

Indexes over all files, such as the classes that define a method, are built from outlines. These are
kept between builds, so that an edit sets up only the files that its references resolve to.
"""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from mu.model.facts import FileFacts, Op, ScopeKind
from mu.resolve.program.attribute_stores import stores_in
from mu.resolve.program.file_symbols import CONSTRUCTOR, EXTENSION, FileSymbols
from mu.resolve.program.mentioned_names import defined_names, mentioned_names, name_digests
from mu.resolve.semantics.module_resolver import top_names

_ATTRIBUTE, _BEGINNING, _CALL = int(Op.ATTRIBUTE), int(Op.BEGINNING), int(Op.CALL)
_INDEX, _ITEM = int(Op.INDEX), int(Op.ITEM)
_OPERATOR, _STRING = int(Op.OPERATOR), int(Op.STRING)
_IN_CLASS = int(ScopeKind.CLASS)


class FileOutline(NamedTuple):
    """The outline of one file: definitions by their numbers in it, names in text order.

    `given` and `calls` are only for languages where functions are classes, too. `is_extending` says
    that an outline is not all that other files see of this one.
    """

    definitions: int  # how many there are
    expressions: int  # how many there are
    imports: Sequence[tuple[str, int, str]]  # (module, level, name)
    methods: Sequence[tuple[str, int]]  # (name, class) of functions defined in classes
    constructors: Sequence[str]  # the names of functions in classes that no name refers to
    attributes: Sequence[str]  # the names of variables and classes in classes
    held: Sequence[tuple[int, Sequence[str]]]  # (class, variables of it and of its instances)
    stores: Sequence[str]  # the attributes that are assigned, once for each assignment
    marks: Sequence[str]  # the attributes that are used as decorators
    shapes: Sequence[int]  # the classes that are structural types
    given: Sequence[tuple[str, int]]  # (name, class) of members that are assigned to functions
    calls: Sequence[str]  # the names that are called with arguments
    beginnings: Sequence[str]  # the prefixes of computed attribute names
    names: bytes  # the digests of all names that the file mentions or defines
    taken: bytes  # the digests of members read without a reference, as by a pattern or a key
    is_providing: bool  # it may have providers that fill parameters, such as fixtures
    package: str  # the package that the file declares; empty if none
    top: Sequence[str]  # with a package, the names of definitions outside any other
    is_extending: bool  # it has extensions, whose classes may be in other files


NO_OUTLINE: Final = FileOutline(
    0,
    0,
    *(((),) * 11),
    names=b"",
    taken=b"",
    is_providing=False,
    package="",
    top=(),
    is_extending=False,
)


def outline_of(unit: FileSymbols, written: FileFacts) -> FileOutline:
    """Return the outline of a file; `written` are the facts its symbol table was made from."""
    facts, scopes, prototypes = unit.facts, unit.scopes, unit.prototypes
    methods: list[tuple[str, int]] = []
    constructors: list[str] = []
    attributes = {name: None for at, name in unit.variables if scopes[at][0] == _IN_CLASS}
    for row in facts.definitions:
        if scopes[row.scope][0] != _IN_CLASS:
            continue
        if row.kind == "class":
            attributes[row.name] = None
        elif row.name and row.subkind != CONSTRUCTOR:
            methods.append((row.name, scopes[row.scope].definition))
        else:
            constructors.append(row.name)
    classes = [one for one, row in enumerate(facts.definitions) if row.kind == "class"]
    return FileOutline(
        definitions=len(facts.definitions),
        expressions=len(facts.expressions),
        imports=[(row.module, row.level, row.name) for row in facts.imports],
        methods=methods,
        constructors=constructors,
        attributes=[*attributes],
        held=[(one, names) for one in classes if (names := _held(unit, one))],
        stores=[store.name for store in stores_in(unit)],
        marks=[*dict.fromkeys(_marks(unit))],
        shapes=[one for one in classes if unit.types.is_shape(facts.definitions[one])],
        given=[(name, local) for local, name, _ in prototypes.members] if prototypes else (),
        calls=[*dict.fromkeys(_calls(unit))] if prototypes else (),
        beginnings=beginnings_in(facts),
        names=name_digests(mentioned_names(written) | defined_names(written)),
        taken=name_digests(taken_members(facts)),
        is_providing=_is_providing(unit),
        package=facts.package,
        top=top_names(facts) if facts.package else (),
        is_extending=any(row.kind == EXTENSION for row in facts.definitions),
    )


def beginnings_in(facts: FileFacts) -> list[str]:
    """Return the prefixes of computed attribute names, each once."""
    return [*dict.fromkeys(text for _, text in begun_names(facts))]


def begun_names(facts: FileFacts) -> Iterator[tuple[int, str]]:
    """Yield the row and the prefix of each computed name.

    These are strings with interpolated values, and second arguments of calls that append to a
    string.
    """
    rows = facts.expressions
    for number, (op, text, _, args) in enumerate(rows):
        if op == _BEGINNING:
            yield number, text
        elif op == _CALL and len(args) > 1 and rows[args[1]][0] == _OPERATOR:
            _, _, _, sides = rows[args[1]]
            kind, first, _, _ = rows[sides[0]] if len(sides) == 2 else rows[0]
            begins = first.partition("%")[0] if kind == _STRING else ""
            if begins.isidentifier():
                yield args[1], begins


def taken_members(facts: FileFacts) -> set[str]:
    """Return the names of members that are read without a reference.

    These are attributes in patterns, say, and strings that are keys or arguments after the first.
    """
    rows = facts.expressions
    referred = {row for _, row, _, _ in facts.references}
    referred |= {rows[row][2] for row in referred if rows[row][0] == _CALL}
    found = set()
    for number, (op, text, _, args) in enumerate(rows):
        if op == _ATTRIBUTE and number not in referred:
            found.add(text)
        elif op in (_INDEX, _CALL):
            found |= {rows[arg][1] for arg in args[op == _CALL :] if rows[arg][0] == _STRING}
        elif op == _ITEM and "." in text:
            found.add(text.rpartition(".")[2])
    return found


def _held(unit: FileSymbols, owner: int) -> list[str]:
    """Return the variables of a class, bound in its body or set by its methods."""
    names = unit.names[unit.facts.definitions[owner].body]
    own = dict.fromkeys(name for name in names if names[name].bindings)
    return [*own, *(name for name in unit.fields.get(owner, ()) if name not in own)]


def _calls(unit: FileSymbols) -> list[str]:
    rows = unit.expressions
    return [rows[function][1] for op, _, function, args in rows if op == _CALL and args]


def _marks(unit: FileSymbols) -> list[str]:
    rows = unit.expressions
    found: list[str] = []
    for row in unit.facts.definitions:
        for number, _, _ in row.decorators:
            op, name, base, _ = rows[number]
            if op == _CALL:
                op, name, base, _ = rows[base]
            if op == _ATTRIBUTE:
                found.append(name)
    return found


def _is_providing(unit: FileSymbols) -> bool:
    injected = unit.entries.injected
    ends = tuple(name.rpartition(".")[2] for name in injected.providers)
    texts = [text for row in unit.facts.definitions for _, _, text in row.decorators]
    return (
        unit.file.path.rpartition("/")[2] in injected.shared
        or (bool(injected.plugins) and injected.plugins in unit.names[0])
        or any(end in text for end in ends for text in texts)
    )
