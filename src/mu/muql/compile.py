"""Compile the text of a query: decide which family it is of, and hand it on."""

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from mu.errors import ExitCode, MuError
from mu.model.relation import Cell
from mu.muql.allowed import allowed
from mu.muql.compiled_query import Query
from mu.muql.draft import Draft
from mu.muql.errors import MuqlError
from mu.muql.repository_history import Beyond, asking
from mu.muql.selects.select import SELECT_WORDS, compile_select
from mu.muql.text import Token, locate, tokens
from mu.store import GraphFile

if TYPE_CHECKING:
    from mu.model.relation import Input
    from mu.muql.graph_functions.beside_tables import Table
    from mu.muql.repository_history import State
    from mu.muql.selects.revision_clauses import Dated, Moment

MAX_BYTES = 65_536
MAX_BRACKETS = 100
_MAX_OPENED = 2_000
_DATED = frozenset({*SELECT_WORDS, "@", "("})
"""What a query begins with that may have revisions behind it."""
_NONE: Mapping[str, Cell] = MappingProxyType({})
_NOTHING = Beyond()


@dataclass(frozen=True, slots=True)
class _Surroundings:
    """What a query is compiled with: the graph, the project's folder, who reads its lines.

    `is_named` says that the query is one of the library, which names no revision.
    """

    graph: GraphFile
    project: Path | None
    beyond: Beyond
    parameters: Mapping[str, Cell]
    beside: "tuple[Table, ...]" = ()
    is_named: bool = False


def compile_query(
    text: str,
    graph: GraphFile,
    *,
    project: Path | None = None,
    parameters: Mapping[str, Cell] = _NONE,
    beside: "tuple[Input, ...]" = (),
    beyond: Beyond = _NOTHING,
) -> Query:
    """Compile one statement; it is bound to the relations of `graph`, but not run.

    A query that names a revision is bound to the graph of that, which the past supplies, and the
    `state` of the result has that graph.

    `project` is the folder whose named queries may be called beside those that ship with MU;
    `parameters` are the values of the `$name`s in the text, and of those that are handed to a named
    query; a SELECT may read the tables `beside` those of the graph, too. `beyond` reads the lines
    of files, for SHOW source and ANALYZE unused, and knows the past.

    Raises MuqlError, whose message has the place of the mistake, for anything that cannot run, and
    AmbiguousNodeError or UnknownNodeError for a node reference that does not mean one node.
    """
    tables: tuple[Table, ...] = ()
    if beside:
        from mu.muql.graph_functions.beside_tables import tables_beside  # most queries have none

        tables = tables_beside(beside)
    around = _Surroundings(graph, project, beyond, parameters, tables)
    return _compile_any(text, around)


def _compile_any(text: str, around: _Surroundings) -> Query:
    text, parts = _single(text)
    if parts[0].text.upper() == "EXPLAIN":
        return _explain(text, parts[0], around)
    if parts[0].text.upper() in _DATED and parts[-1].kind in {"string", "quoted"}:
        from mu.muql.selects.revision_clauses import read_dated  # few queries end with a string

        dated = read_dated(text, parts)
        if dated is not None:
            with _placed_in(text):
                return _compile_dated(dated, around)
    return _compile_timeless(text, around)


def _compile_timeless(text: str, around: _Surroundings) -> Query:
    """Compile a query whose revisions were taken off."""
    text, parts = _single(text)
    return _compile_named(text, around) if parts[0].text == "@" else _compile(text, parts, around)


def _compile_dated(dated: "Dated", around: _Surroundings) -> Query:
    """Compile a query for the revision that it is asked at, or for both that it compares."""
    states = [_state(around, moment) for moment in dated.moments]
    if len(states) == 1:
        with _as_of(states[0]):
            return _compile_timeless(dated.text, _at(around, states[0])).at(states[0])
    from mu.analysis.node_search.node_resolution import UnknownNodeError
    from mu.muql.changed_between import Side, changed

    sides: list[Side] = []
    for state in states:
        try:
            side = Side(state, _compile_timeless(dated.text, _at(around, state)))
        except UnknownNodeError as error:
            absent = f"{error.message} as of {state.name}"
            if sides and sides[0].query is None:
                raise MuError(f"{absent}, nor before", error.hint, error.code) from error
            side = Side(state, None, absent)
        sides.append(side)
    timeout = around.beyond.past.timeout if around.beyond.past else 0.0
    return changed(sides[0], sides[1], timeout=timeout)


def _state(around: _Surroundings, moment: "Moment") -> "State":
    """Give the state of a revision; raises MuqlError where that is not possible."""
    if around.is_named:
        what = "a named query asks the graph that it is called for"
        raise MuqlError(what, moment.place, "put AT behind the call: @hotspots AT 'HEAD~1'")
    with asking(around.beyond.past, moment.place) as past:
        return past.at(moment.revision)


def _at(around: _Surroundings, state: "State") -> _Surroundings:
    beyond = Beyond(state.read_source, around.beyond.past)
    return replace(around, graph=state.graph, beyond=beyond)


@contextmanager
def _as_of(state: "State") -> Iterator[None]:
    """Say of a node that there is none, or several, that this is so at a revision."""
    try:
        yield
    except MuError as error:
        if error.code is not ExitCode.NO_NODE:
            raise
        raise MuError(f"{error.message} as of {state.name}", error.hint, error.code) from error


def _compile(text: str, parts: list[Token], around: _Surroundings) -> Query:
    """Compile what a named query may hold, too."""
    word = parts[0].text.upper()
    if word == "EXPLAIN":
        place = locate(text, parts[0].start, length=len(parts[0].text))
        raise MuqlError("EXPLAIN may only stand at the beginning", place)
    if word not in SELECT_WORDS and _begins_statement(word):
        from mu.muql.statements.lowering import lower
        from mu.muql.statements.statement_parser import parse_statement

        parsed = parse_statement(text, around.parameters)
        if "AT" not in parsed.words:
            return lower(parsed, text, graph=around.graph, beyond=around.beyond)
        from mu.muql.selects.revision_clauses import Moment

        revision = parsed.words["AT"]
        state = _state(around, Moment(revision.value, revision.place))
        with _as_of(state):
            here = _at(around, state)
            return lower(parsed, text, graph=here.graph, beyond=here.beyond).at(state)
    if word in allowed("statements"):
        place = locate(text, parts[0].start, length=len(parts[0].text))
        raise MuqlError(f"{word} is not part of MUQL: queries only read the graph", place)
    compiled = compile_select(
        Draft(text),
        around.graph,
        parameters=around.parameters,
        tables=around.beside,
        past=around.beyond.past,
    )
    return Query(compiled.relation, compiled.grounds, is_select=True)


def _begins_statement(word: str) -> bool:
    from mu.muql.grammar import statement_words  # a SELECT does not pay for it

    return word in statement_words()


def _compile_named(text: str, around: _Surroundings) -> Query:
    """Compile the query that a call names, with what the call gives bound to its parameters."""
    from mu.muql.named_queries.invocation import (  # other queries do not pay for it
        bind,
        parse_call,
        supplied,
    )
    from mu.muql.named_queries.library import Library
    from mu.muql.selects.revision_clauses import read_dated

    call = supplied(parse_call(text), around.parameters)
    named = Library(around.project).find(call)
    parameters = bind(call, named, graph=around.graph)
    try:
        text, parts = _single(named.text)
        dated = read_dated(text, parts)
        inside = replace(around, parameters=parameters, is_named=True)
        if dated is not None:
            _state(inside, dated.moments[0])
        return _compile(text, parts, inside)
    except MuqlError as error:
        raise MuqlError(f"in {named.origin}: {error.what}", error.place, error.hint) from error


def _explain(text: str, word: Token, around: _Surroundings) -> Query:
    """Compile what follows EXPLAIN, its places unchanged, and run it for its steps."""
    from mu.muql.explain import explain

    rest = text[: word.start] + " " * len(word.text) + text[word.start + len(word.text) :]
    following = next(tokens(rest), None)
    if following is None or following.text.upper() == "EXPLAIN":
        place = locate(text, word.start, length=len(word.text))
        raise MuqlError("EXPLAIN needs one query behind it", place)
    with _placed_in(text):
        started = time.perf_counter()
        query = _compile_any(rest, around)
        compile_ms = (time.perf_counter() - started) * 1000
        graph = around.graph if query.state is None else query.state.graph
        return explain(query, graph, compile_ms=compile_ms)


@contextmanager
def _placed_in(text: str) -> Iterator[None]:
    """Show the places of errors in `text`, of which a part with spaces in it was compiled."""
    try:
        yield
    except MuqlError as error:
        if error.place is None:
            raise
        line = text.split("\n")[error.place.line - 1]
        raise MuqlError(error.what, replace(error.place, source=line), error.hint) from error


def _single(text: str) -> tuple[str, list[Token]]:
    """Give the text without what ends it, and its parts, of which there is one at least."""
    _check_size(text)
    parts = list(tokens(text))
    _check_brackets(text, parts)
    while parts and parts[-1].text == ";":
        text = text[: parts.pop().start]
    if not parts:
        raise MuqlError("the query is empty")
    _check_single(text, parts)
    return text, parts


def _check_single(text: str, parts: list[Token]) -> None:
    for before, token in pairwise(parts):
        if before.text == ";" and token.text != ";":
            place = locate(text, token.start, length=len(token.text))
            raise MuqlError("one statement at a time", place)


def _check_size(text: str) -> None:
    if "\0" in text:
        raise MuqlError("a query holds no NUL characters", locate(text, text.index("\0"), length=1))
    try:
        size = len(text.encode())
    except UnicodeEncodeError as error:
        place = locate(text, error.start, length=1)
        raise MuqlError("the query is not valid Unicode text", place) from None
    if size > MAX_BYTES:
        raise MuqlError(f"a query of {size:,} bytes; at most {MAX_BYTES:,} are taken")


def _check_brackets(text: str, parts: list[Token]) -> None:
    """Refuse what would keep the engine's parser busy: its time is quadratic in some nestings."""
    depth = 0
    for token in parts:
        if token.kind == "sign" and token.text in "([{":
            depth += 1
            if depth > MAX_BRACKETS:
                place = locate(text, token.start, length=1)
                raise MuqlError(f"nested more than {MAX_BRACKETS} levels deep", place)
        elif token.kind == "sign" and token.text in ")]}":
            depth -= 1
    if sum(map(text.count, "([{")) > _MAX_OPENED:
        raise MuqlError(f"more than {_MAX_OPENED:,} brackets in one query")
