"""JSX elements as calls of their components with one object.

`<Row key={1} draw={paint} {...rest}/>` is `Row({key: 1, draw: paint, ...rest})`. The facts have the
attributes as keyword arguments, which are rewritten to an object literal here, so that the rules
for object literals apply.
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
_BRACE = "{"  # the text of a spread begins with it in JSX only


def is_element(facts: FileFacts, args: tuple[int, ...]) -> bool:
    """Return whether a call with these arguments is a JSX element with attributes."""
    for arg in args:
        op, text, _, _ = facts.expressions[arg]
        if op == _KEYWORD or (op == _SPREAD and text[:1] == _BRACE):
            return True
    return False


def with_objects(facts: FileFacts, calls: Iterable[int], *, subkind: str) -> FileFacts:
    """Return the facts with one object literal as the argument of each JSX element.

    `calls` are the rows of the elements; the objects are definitions with this `subkind`.
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
    """Return the definition of an object literal; it has no name and no lines."""
    return NO_DEFINITION._replace(kind="class", subkind=subkind, body=body, bases=bases)
