"""JSX elements as calls of their components with one object.

`<Row key={1} draw={paint} {...rest}/>` is `Row({key: 1, draw: paint, ...rest})`. The facts have the
attributes as keyword arguments; they are rewritten to an object literal, so that the rules for
object literals apply.
"""

from collections.abc import Iterable

import msgspec

from mu.model.facts import (
    NO_DEFINITION,
    Binding,
    BindingKind,
    Definition,
    FileFacts,
    Op,
    Scope,
    ScopeKind,
)

_KEYWORD, _SPREAD, _FUNCTION = int(Op.KEYWORD), int(Op.SPREAD), int(Op.FUNCTION)
_VALUE, _IN_CLASS = BindingKind.VALUE, ScopeKind.CLASS
_BRACE = "{"  # what the spread of an object begins with, in markup alone


def is_element(facts: FileFacts, args: tuple[int, ...]) -> bool:
    """Tell whether a call with these arguments is an element of markup that has attributes."""
    for arg in args:
        op, text, _, _ = facts.expressions[arg]
        if op == _KEYWORD or (op == _SPREAD and text[:1] == _BRACE):
            return True
    return False


def with_objects(facts: FileFacts, calls: Iterable[int], *, subkind: str) -> FileFacts:
    """The facts of a file in which elements of markup, calls by the numbers of their rows, are
    handed an object each, which is a definition of this subkind.
    """
    rows, definitions = list(facts.expressions), list(facts.definitions)
    scopes, bindings = list(facts.scopes), list(facts.bindings)
    for number in calls:
        op, text, base, args = rows[number]
        spreads = []
        for arg in args:
            kind, name, value, _ = rows[arg]
            if kind == _KEYWORD:
                bindings.append(Binding(_VALUE, len(scopes), 0, name, value, 0))
            elif kind == _SPREAD:
                spreads.append((value, 0, ""))
        rows.append((_FUNCTION, "", len(definitions), ()))
        rows[number] = (op, text, base, (len(rows) - 1,))
        definitions.append(_object(subkind, len(scopes), bases=tuple(spreads)))
        scopes.append(Scope(_IN_CLASS, 0, len(definitions) - 1, 0, 0))
    return msgspec.structs.replace(
        facts,
        expressions=rows,
        definitions=tuple(definitions),
        scopes=tuple(scopes),
        bindings=tuple(bindings),
    )


def _object(subkind: str, body: int, *, bases: tuple[tuple[int, int, str], ...]) -> Definition:
    """An object without a name or a place of its own."""
    return NO_DEFINITION._replace(kind="class", subkind=subkind, body=body, bases=bases)
