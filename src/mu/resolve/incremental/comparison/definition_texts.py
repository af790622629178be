"""What definitions say of themselves in two versions of a file, compared."""

import re

from mu.model.facts import Definition, Op
from mu.resolve.program.file_symbols import FileSymbols

_NAMING = frozenset((int(Op.NAME), int(Op.FUNCTION)))  # the base is no expression

_Row = tuple[FileSymbols, Definition]


def are_said_alike(old: _Row, new: _Row) -> bool:
    """Tell whether definitions say the same besides rows, scopes, prose, places and parameters.

    Names of bases in the signature of a class do not count, which are compared apart.
    """
    return _said(old[1]) == _said(new[1]) and (
        old[1].signature == new[1].signature
        or (
            old[1].kind == new[1].kind == "class"
            and _words_but_bases(*old) == _words_but_bases(*new)
        )
    )


def taken_by(row: Definition) -> list[tuple[str, str, str]]:
    """What a function says of its parameters."""
    return [(one.name, one.kind, one.text) for one in row.parameters]


def _said(row: Definition) -> tuple[object, ...]:
    return (
        *(row.kind, row.subkind, row.name, row.flags, row.returns_text),
        tuple([text for _, _, text in row.decorators]),
    )


def _words_but_bases(unit: FileSymbols, row: Definition) -> list[str]:
    """The words of a signature but for those of the expressions that are bases."""
    waiting = [number for number, _, keyword in row.bases if not keyword]
    words: set[str] = set()
    while waiting:
        op, text, base, args = unit.expressions[waiting.pop()]
        words.update(re.findall(r"\w+", text))
        waiting += [one for one in (*args, 0 if op in _NAMING else base) if one]
    return [word for word in re.findall(r"\w+", row.signature) if word not in words]
