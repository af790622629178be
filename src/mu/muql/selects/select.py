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
from typing import TYPE_CHECKING

from mu.model.relation import Cell, Derived, Input, Relation
from mu.muql.compiled_query import Grounds
from mu.muql.draft import Draft
from mu.muql.errors import MuqlError
from mu.muql.nearest import did_you_mean
from mu.muql.selects.checker import CheckedSelect, check_select
from mu.muql.selects.column_joins import NO_COLUMNS, Joined, all_columns, named_columns
from mu.muql.text import Token, locate, locate_bytes, locate_word, shown, tokens
from mu.muql.tree import Json, JsonObject
from mu.store import (
    EXTENDED,
    PUBLIC,
    Fault,
    FaultKind,
    GraphFile,
    QueryError,
    query_error,
    read_fault,
    relation_schema,
)

if TYPE_CHECKING:
    from mu.muql.graph_functions.beside_tables import Table
    from mu.muql.repository_history import Past

COLUMN_ALIASES = {
    "type": "kind",
    "file_path": "path",
    "file": "path",
    "line": "start_line",
    "line_start": "start_line",
    "line_end": "end_line",
}
"""Old and other names of columns, and what they are called now."""

SELECT_WORDS = ("SELECT", "FROM", "WITH", "VALUES", "TABLE")
"""What a SELECT begins with."""

_MAX_REPLACED = 50
_LIMIT = re.compile(r"\blimit\s*(?::=|=>)", re.IGNORECASE)
_NAME = re.compile(r'(?:(?:\w+|"[^"]*")\s*\.\s*)*(?P<last>\w+|"[^"]*")')


@dataclass(frozen=True, slots=True)
class CompiledSelect:
    """A SELECT that will run, and what the graph functions in it rest on."""

    relation: Relation
    grounds: Grounds


@dataclass(frozen=True, slots=True)
class _Checked:
    """What is known of the query while it is bound."""

    select: CheckedSelect
    tables: "tuple[Table, ...]"
    parameters: Mapping[str, Cell]


def compile_select(
    draft: Draft,
    graph: GraphFile,
    *,
    parameters: Mapping[str, Cell],
    tables: "tuple[Table, ...]" = (),
    past: "Past | None" = None,
) -> CompiledSelect:
    """Compile one SELECT without a trailing `;`, which may read `tables`.

    `parameters` are the values of its `$name`s; the `past` is for `diff`. Raises MuqlError.
    """
    _quote_limit(draft)
    known = {table.derived.name for table in tables}
    tree = _parse(draft, graph)
    select = check_select(draft.original, tree, parameters=parameters, known=known)
    grounds = Grounds()
    if select.calls:
        from mu.muql.selects.expansion import (
            expand,  # a SELECT without a function does not pay for it
        )

        called, grounds = expand(draft, graph, calls=select.calls, parameters=parameters, past=past)
        tables += called
    bound = {name: parameters[name] for name in sorted(select.parameters)}
    checked = _Checked(select, tables, bound)
    added = NO_COLUMNS
    if select.has_star and not draft.is_changed and not select.relations.isdisjoint(EXTENDED):
        added = all_columns(graph, draft.text)
    columns, added = _bind(draft, graph, checked, added)
    inputs: tuple[Input | Derived, ...] = (*(table.derived for table in tables), *added.inputs)
    relation = Relation(draft.text, bound, columns, inputs, added.views)
    return CompiledSelect(relation, grounds + Grounds(notes=added.notes))


def _quote_limit(draft: Draft) -> None:
    """Let `limit := 5` be an argument, which the engine's grammar takes for a clause."""
    if not _LIMIT.search(draft.text):
        return
    parts = list(tokens(draft.text))
    for word, one, two in reversed(list(zip(parts, parts[1:], parts[2:], strict=False))):
        if word.text.lower() == "limit" and one.text + two.text in {":=", "=>"}:
            start = len(draft.text[: word.start].encode())
            draft.replace(start, start + len("limit"), text='"limit"')


def _bind(
    draft: Draft, graph: GraphFile, checked: _Checked, added: Joined
) -> tuple[tuple[str, ...], Joined]:
    """Bind the query, with today's names in the place of old ones; gives the columns' names.

    Added columns are joined when the query names one that the graph does not have, so that no other
    query changes its meaning, or takes longer, for them.
    """
    empty = [table.empty() for table in checked.tables]
    for _ in range(_MAX_REPLACED):
        try:
            found = graph.columns(
                draft.text,
                checked.parameters,
                inputs=(*empty, *added.inputs),
                views=added.views,
            )
            return tuple(name for name, _ in found), added
        except QueryError as error:
            if _replace_old_name(draft, error.fault, checked.select):
                continue
            missing = error.fault.name if error.fault.kind is FaultKind.NO_COLUMN else ""
            if missing and not added.views:
                taken = {column.name for table in checked.tables for column in table.columns}
                added = named_columns(graph, draft.text, missing=missing, taken=taken)
                if added.views:
                    continue
            fault = _original(draft, error.fault)
            raise _error_at(draft.original, fault, checked, graph) from error
    raise MuqlError(f"more than {_MAX_REPLACED} old column names in one query")


def _parse(draft: Draft, graph: GraphFile) -> JsonObject:
    serialized = graph.serialize(draft.text)
    try:
        tree = json.loads(serialized)
    except RecursionError:
        raise MuqlError("the query is nested too deeply") from None
    if tree["error"]:
        select = CheckedSelect(frozenset(PUBLIC), frozenset(), (), frozenset())
        everything = _Checked(select, (), {})
        fault = _original(draft, read_fault(serialized))
        raise _error_at(draft.original, fault, everything, graph)
    statements = tree["statements"]
    if len(statements) != 1:
        raise MuqlError("one statement at a time")
    statement: JsonObject = statements[0]
    if draft.is_changed:
        _relocate(statement, draft)
    return statement


def _relocate(tree: JsonObject, draft: Draft) -> None:
    """Let the places in the tree be those in the text as written."""
    pending: list[Json] = [tree]
    while pending:
        value = pending.pop()
        if isinstance(value, dict):
            place = value.get("query_location")
            if isinstance(place, int):
                value["query_location"] = draft.originally_at(place)
            pending.extend(value.values())
        elif isinstance(value, list):
            pending.extend(value)


def _replace_old_name(draft: Draft, fault: Fault, select: CheckedSelect) -> bool:
    """Put today's name in the place of an old one that the engine did not find."""
    if fault.kind is not FaultKind.NO_COLUMN or fault.position < 0:
        return False
    new = COLUMN_ALIASES.get(fault.name.lower())
    found = _NAME.match(draft.text.encode()[fault.position :].decode(errors="replace"))
    if new is None or found is None or found["last"].strip('"').lower() != fault.name.lower():
        return False
    if draft.originally_at(fault.position) in select.bare_columns:
        new = f"{new} AS {fault.name.lower()}"
    start = fault.position + len(found[0][: found.start("last")].encode())
    draft.replace(start, fault.position + len(found[0].encode()), text=new)
    return True


def _original(draft: Draft, fault: Fault) -> Fault:
    """Give the fault with its position in the text as it was written."""
    if fault.position < 0:
        return fault
    return Fault(fault.kind, fault.name, draft.originally_at(fault.position))


def _error_at(text: str, fault: Fault, checked: _Checked, graph: GraphFile) -> MuqlError:
    """Word a fault of the engine for someone who sees the text."""
    wording = query_error(fault)
    what, hint = wording.message, wording.hint
    place = locate_bytes(text, fault.position, length=1) if fault.position >= 0 else None
    if place is not None:
        place = locate(text, _offset(text, fault), length=max(1, len(_faulty(text, fault))))
    elif fault.name:
        place = locate_word(text, {fault.name.lower()})
    if fault.kind is FaultKind.NO_COLUMN:
        columns = _columns(checked, graph)
        known = {name for names in columns.values() for name in names}
        what = did_you_mean(f"unknown column `{shown(fault.name)}`", fault.name, among=known)
        if len(columns) == 1:
            ((only, names),) = columns.items()
            hint = f"the columns of {only} are {', '.join(names)}"
        if place and place.source[place.column - 1 :].startswith('"'):
            hint = f"a string is written in single quotes: '{shown(fault.name)}'"
    elif fault.kind is FaultKind.SYNTAX:
        what = _syntax_error(text, fault)
        misplaced = _misplaced(text)
        if misplaced:
            return misplaced
    elif fault.kind is FaultKind.NOT_SELECT:
        place = locate_word(text, ("pivot", "unpivot", "pivot_wider", "pivot_longer"))
        what = "PIVOT is not part of MUQL" if place else what
    return MuqlError(what, place, hint)


def _columns(checked: _Checked, graph: GraphFile) -> dict[str, list[str]]:
    """Give the columns of what the query reads, by what that is called."""
    relations = sorted(checked.select.relations)
    columns = {name: [c.name for c in relation_schema(name).columns] for name in relations}
    for name in set(relations).intersection(EXTENDED):
        columns[name] += graph.added_columns()
    return columns | {table.of: [c.name for c in table.columns] for table in checked.tables}


def _syntax_error(text: str, fault: Fault) -> str:
    from mu.muql.grammar import statement_words  # a SELECT does not pay for it

    first_words = (*SELECT_WORDS, *statement_words())
    first = next(tokens(text), Token("word", "", 0))
    if first.kind != "word" or first.text.upper() not in first_words:
        what = f"a query does not begin with `{shown(first.text)}`"
        return did_you_mean(what, first.text.upper(), among=first_words)
    name = fault.name or _faulty(text, fault)
    if fault.position < 0 or not name:
        return (
            "syntax error at the end of the query" if not name else f"syntax error: {shown(name)}"
        )
    return f"syntax error at `{shown(name)}`"


def _misplaced(text: str) -> MuqlError | None:
    from mu.muql.selects.revision_clauses import misplaced  # what is right does not pay for it

    return misplaced(text, list(tokens(text)))


def _offset(text: str, fault: Fault) -> int:
    return len(text.encode()[: fault.position].decode(errors="ignore"))


def _faulty(text: str, fault: Fault) -> str:
    """Give the word or sign the fault stands at, its qualifiers included."""
    rest = text[_offset(text, fault) :] if fault.position >= 0 else ""
    found = _NAME.match(rest)
    return found[0] if found else rest[:1].strip()
