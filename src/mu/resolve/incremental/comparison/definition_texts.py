"""Comparison of the declarations of paired definitions in two versions of a file."""

import re

from mu.model.facts import Definition, Op
from mu.resolve.program.file_symbols import FileSymbols

_NAMING = frozenset((int(Op.NAME), int(Op.FUNCTION)))  # the base is no expression

_Row = tuple[FileSymbols, Definition]


def are_said_alike(old: _Row, new: _Row) -> bool:
    """Return whether two declarations are equal apart from rows, scopes, prose, lines, parameters.

    Names of base classes in the signature of a class are ignored: bases are compared separately.
    """
    return _said(old[1]) == _said(new[1]) and (
        old[1].signature == new[1].signature
        or (
            old[1].kind == new[1].kind == "class"
            and _words_but_bases(*old) == _words_but_bases(*new)
        )
    )


def taken_by(row: Definition) -> list[tuple[str, str, str]]:
    """Return (name, kind, text) of each parameter of a function."""
    return [(one.name, one.kind, one.text) for one in row.parameters]


def _said(row: Definition) -> tuple[object, ...]:
    return (
        *(row.kind, row.subkind, row.name, row.flags, row.returns_text),
        tuple([text for _, _, text in row.decorators]),
    )


def _words_but_bases(unit: FileSymbols, row: Definition) -> list[str]:
    """Return the words of a signature that are not part of a base class expression."""
    waiting = [number for number, _, keyword in row.bases if not keyword]
    words: set[str] = set()
    while waiting:
        op, text, base, args = unit.expressions[waiting.pop()]
        words.update(re.findall(r"\w+", text))
        waiting += [one for one in (*args, 0 if op in _NAMING else base) if one]
    return [word for word in re.findall(r"\w+", row.signature) if word not in words]
