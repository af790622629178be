"""The rows of a statement, and what its row clauses make of them.

Without WHERE, ORDER BY, LIMIT or OFFSET the rows are those of the statement's relation. With one,
the statement becomes a SELECT over that relation and goes the way of every other SELECT: what
stands in a condition is parsed, checked and bound like anything else a user writes.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from mu.model.relation import Derived, Relation
from mu.muql.compiled_query import Grounds, Query
from mu.muql.draft import Draft
from mu.muql.errors import MuqlError
from mu.muql.graph_functions.beside_tables import Table, free_prefix
from mu.muql.graph_functions.function_calls import Argument, GraphCall
from mu.muql.graph_functions.functions import FUNCTIONS, ResultColumn
from mu.muql.repository_history import Past
from mu.muql.selects.select import compile_select
from mu.muql.statements.statement_parser import Parsed, Span
from mu.muql.text import locate, tokens
from mu.store import GraphFile, relation_schema

_NONE = Grounds()


@dataclass(frozen=True, slots=True)
class Answering:
    """The rows of a statement, in order; `of` is what errors call them.

    Where there is an `id` among the columns, a condition may speak of that node's columns, too.
    """

    of: str
    relation: Relation
    columns: tuple[ResultColumn, ...]
    grounds: Grounds = _NONE


def call_function(name: str, graph: GraphFile, *, given: Mapping[str, Argument]) -> Answering:
    """Give the rows of a graph function; what is not `given` has its default.

    No kinds of edge are those by default, and a depth of None is no bound.
    """
    from mu.muql.graph_functions.evaluation import evaluate  # a SELECT does not pay for it

    function = FUNCTIONS[name]
    arguments: dict[str, Argument] = {
        p.name: p.default for p in function.parameters if not p.is_required
    }
    arguments |= {key: value for key, value in given.items() if value != ()}
    evaluated = evaluate(GraphCall(function, arguments, 0, "", None), graph)
    return Answering(name, evaluated.relation, function.columns, evaluated.grounds)


def apply_clauses(
    answering: Answering, parsed: Parsed, *, text: str, graph: GraphFile, past: Past | None = None
) -> Query:
    """Give the query of a statement; raises MuqlError for a condition that cannot be."""
    if "IN" in parsed.words:
        answering = _below(answering, parsed, graph)
    spans = parsed.spans
    if not spans and not {"LIMIT", "OFFSET"} & parsed.numbers.keys():
        return Query(answering.relation, answering.grounds)
    table = Table(
        answering.of, Derived(f"{free_prefix(text)}1", answering.relation), answering.columns
    )
    draft = Draft(text)
    _rewrite(draft, parsed, head=_head(table))
    compiled = compile_select(
        draft, graph, parameters=parsed.parameters, tables=(table,), past=past
    )
    return Query(compiled.relation, answering.grounds + compiled.grounds)


def _below(answering: Answering, parsed: Parsed, graph: GraphFile) -> Answering:
    """Keep the rows that lie below the path of IN; raises MuError where no file does."""
    from mu.analysis.node_search.listing_scope import Scope, checked, in_scope

    scope = checked(graph, Scope(parsed.words["IN"].value))
    if scope.is_everything:
        return answering
    return replace(answering, relation=in_scope(answering.relation, scope))


def _head(table: Table) -> str:
    """Write the SELECT that the clauses stand behind; `row_place` keeps the rows' own order."""
    name = table.derived.name
    columns = [column.name for column in table.columns]
    listed = ", ".join(columns)
    if "id" not in columns:
        return f"SELECT {listed} FROM (SELECT *, rowid AS row_place FROM {name})"
    both = [c.name for c in relation_schema("nodes").columns if c.name in columns]
    return (
        f"SELECT {listed} FROM (SELECT {name}.*, {name}.rowid AS row_place,"
        f" nodes.* EXCLUDE ({', '.join(both)}) FROM {name} JOIN nodes ON nodes.id = {name}.id)"
    )


def _rewrite(draft: Draft, parsed: Parsed, *, head: str) -> None:
    """Let the draft be `head` with the clauses, the user's own words in their places."""
    text = draft.original
    where, order = parsed.spans.get("WHERE"), parsed.spans.get("ORDER BY")
    for span in (where, order):
        _check_brackets(text, span)
    if where and order and order.start < where.start:
        place = locate(text, where.start - len("WHERE"), length=len("WHERE"))
        raise MuqlError("WHERE stands before ORDER BY", place)
    ends = [
        f"\n{word} {parsed.numbers[word]}" for word in ("LIMIT", "OFFSET") if word in parsed.numbers
    ]
    pieces: list[tuple[str, Span | None]] = [(head, None)]
    if where:
        pieces += [("\nWHERE (", where), ("\n)", None)]
    pieces += [("\nORDER BY ", order)] if order else [("\nORDER BY row_place", None)]
    pieces.append(("".join(ends), None))
    _assemble(draft, pieces)


def _check_brackets(text: str, span: Span | None) -> None:
    """Refuse a stretch that would close a bracket which is not its own."""
    depth = 0
    for token in tokens(text[span.start : span.end]) if span else ():
        if token.kind == "sign":
            depth += (token.text in "([{") - (token.text in ")]}")
        if depth < 0 and span:
            place = locate(text, span.start + token.start, length=1)
            raise MuqlError("this bracket was never opened", place)


def _assemble(draft: Draft, pieces: list[tuple[str, Span | None]]) -> None:
    """Keep the spans of the text as written, in their order, and replace all between them."""
    done, between = 0, ""
    for words, span in pieces:
        between += words
        if span is None:
            continue
        _replace(draft, done, span.start, text=between)
        done, between = span.end, ""
    _replace(draft, done, len(draft.original), text=between)


def _replace(draft: Draft, start: int, end: int, *, text: str) -> None:
    """Replace characters of the text as written."""
    first, last = (len(draft.original[:place].encode()) for place in (start, end))
    begin = draft.now_at(first)
    draft.replace(begin, begin + last - first, text=text)
