"""Compile a SELECT: parsed by the engine, checked as a tree, bound without being run.

The text that runs is the user's own, so nothing can be lost in translation; only old column names
are replaced. Those are found by binding: where the engine knows no `type` and `kind` is meant, the
name is replaced at that place and the query is bound again. The engine's own rules of scope decide
in this way, and a column that is really called `type` keeps its meaning.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass

from mu.model.relation import Cell, Relation
from mu.muql.checker import CheckedSelect, JsonObject, check_select
from mu.muql.errors import MuqlError
from mu.muql.nearest import did_you_mean
from mu.muql.text import Token, locate, locate_bytes, locate_word, shown, tokens
from mu.store import (
    PUBLIC,
    Fault,
    FaultKind,
    GraphFile,
    QueryError,
    query_error,
    read_fault,
    relation_schema,
)

COLUMN_ALIASES = {
    "type": "kind",
    "file_path": "path",
    "line_start": "start_line",
    "line_end": "end_line",
}
"""Old column names, and what they are called now."""

FIRST_WORDS = ("SELECT", "FROM", "WITH", "VALUES", "TABLE", "SHOW", "FIND")

_MAX_REPLACED = 50
_NAME = re.compile(r'(?:(?:\w+|"[^"]*")\s*\.\s*)*(?P<last>\w+|"[^"]*")')


@dataclass(frozen=True, slots=True)
class _Edit:
    """A replaced name: where it ended in the text before, and by how many bytes it grew."""

    end: int
    growth: int


def compile_select(text: str, graph: GraphFile, *, parameters: Mapping[str, Cell]) -> Relation:
    """Compile one SELECT without a trailing `;`; `parameters` are the values of its `$name`s.

    Raises MuqlError.
    """
    checked = check_select(text, _parse(text, graph), parameters=parameters)
    bound = {name: parameters[name] for name in sorted(checked.parameters)}
    sql, edits = text, list[_Edit]()
    while True:
        try:
            columns = graph.columns(sql, bound)
        except QueryError as error:
            fault = error.fault
            replaced = _replace_old_name(sql, fault, checked, edits)
            if replaced is None:
                raise _error_at(text, _original(fault, edits), checked.relations) from error
            sql, edit = replaced
            edits.append(edit)
        else:
            return Relation(sql, bound, tuple(name for name, _ in columns))


def _parse(text: str, graph: GraphFile) -> JsonObject:
    serialized = graph.serialize(text)
    try:
        tree = json.loads(serialized)
    except RecursionError:
        raise MuqlError("the query is nested too deeply") from None
    if tree["error"]:
        raise _error_at(text, read_fault(serialized), frozenset(PUBLIC))
    statements = tree["statements"]
    if len(statements) != 1:
        raise MuqlError("one statement at a time")
    statement: JsonObject = statements[0]
    return statement


def _replace_old_name(
    sql: str, fault: Fault, checked: CheckedSelect, edits: list[_Edit]
) -> tuple[str, _Edit] | None:
    """Put today's name in the place of an old one that the engine did not find."""
    if fault.kind is not FaultKind.NO_COLUMN or fault.position < 0 or len(edits) >= _MAX_REPLACED:
        return None
    new = COLUMN_ALIASES.get(fault.name.lower())
    data = sql.encode()
    found = _NAME.match(data[fault.position :].decode(errors="replace"))
    if new is None or found is None or found["last"].strip('"').lower() != fault.name.lower():
        return None
    start = fault.position + len(found[0][: found.start("last")].encode())
    end = fault.position + len(found[0].encode())
    if _original(fault, edits).position in checked.bare_columns:
        new = f"{new} AS {fault.name.lower()}"
    edited = data[:start] + new.encode() + data[end:]
    return edited.decode(), _Edit(end, len(edited) - len(data))


def _original(fault: Fault, edits: list[_Edit]) -> Fault:
    """Give the fault with its position in the text as it was written."""
    position = fault.position
    for edit in reversed(edits):
        if position >= edit.end + edit.growth:
            position -= edit.growth
    return Fault(fault.kind, fault.name, position)


def _error_at(text: str, fault: Fault, relations: frozenset[str]) -> MuqlError:
    """Word a fault of the engine for someone who sees the text."""
    wording = query_error(fault)
    what, hint = wording.message, wording.hint
    place = locate_bytes(text, fault.position, length=1) if fault.position >= 0 else None
    if place is not None:
        place = locate(text, _offset(text, fault), length=max(1, len(_faulty(text, fault))))
    elif fault.name:
        place = locate_word(text, {fault.name.lower()})
    if fault.kind is FaultKind.NO_COLUMN:
        columns = {c.name for name in relations for c in relation_schema(name).columns}
        what = did_you_mean(f"unknown column `{shown(fault.name)}`", fault.name, among=columns)
        if len(relations) == 1:
            (only,) = relations
            names = ", ".join(column.name for column in relation_schema(only).columns)
            hint = f"the columns of {only} are {names}"
    elif fault.kind is FaultKind.SYNTAX:
        what = _syntax_error(text, fault)
    elif fault.kind is FaultKind.NOT_SELECT:
        place = locate_word(text, ("pivot", "unpivot", "pivot_wider", "pivot_longer"))
        what = "PIVOT is not part of MUQL" if place else what
    return MuqlError(what, place, hint)


def _syntax_error(text: str, fault: Fault) -> str:
    first = next(tokens(text), Token("word", "", 0))
    if first.kind != "word" or first.text.upper() not in FIRST_WORDS:
        what = f"a query does not begin with `{shown(first.text)}`"
        return did_you_mean(what.replace("`", "`"), first.text.upper(), among=FIRST_WORDS)
    name = fault.name or _faulty(text, fault)
    if fault.position < 0 or not name:
        return (
            "syntax error at the end of the query" if not name else f"syntax error: {shown(name)}"
        )
    return f"syntax error at `{shown(name)}`"


def _offset(text: str, fault: Fault) -> int:
    return len(text.encode()[: fault.position].decode(errors="ignore"))


def _faulty(text: str, fault: Fault) -> str:
    """Give the word or sign the fault stands at, its qualifiers included."""
    rest = text[_offset(text, fault) :] if fault.position >= 0 else ""
    found = _NAME.match(rest)
    return found[0] if found else rest[:1].strip()
