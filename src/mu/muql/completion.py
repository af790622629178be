"""What may come next in the text of a query: words, relations, columns, names of nodes.

The words of graph statements come from their grammar, the rest from the schema, the library of
named queries and the graph. What is suggested fits the place as far as a glance tells: a SELECT is
not parsed, since one that is being written seldom can be.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from mu.model.kinds import EdgeKind
from mu.muql.grammar import (
    CLAUSES,
    METRICS,
    QUESTIONS,
    STATEMENTS,
    THINGS,
    Clause,
    Statement,
    statement_words,
)
from mu.muql.graph_functions.functions import FUNCTIONS
from mu.muql.named_queries.library import Library
from mu.muql.text import Token, tokens
from mu.store import ALIASES, EXTENDED, PUBLIC, GraphFile, relation_schema

MOST = 50
"""How many suggestions there are at most."""

SELECT_WORDS = (
    "SELECT", "FROM", "WHERE", "GROUP BY", "GROUP BY ALL", "HAVING", "QUALIFY", "ORDER BY", "LIMIT",
    "OFFSET", "DISTINCT", "AS", "JOIN", "LEFT JOIN", "ON", "USING", "AND", "OR", "NOT", "IN",
    "LIKE", "ILIKE", "BETWEEN", "IS NULL", "IS NOT NULL", "CASE", "WHEN", "THEN", "ELSE", "END",
    "DESC", "ASC", "WITH", "RECURSIVE", "UNION", "UNION ALL", "EXCEPT", "INTERSECT", "EXISTS",
    "FILTER", "OVER", "PARTITION BY", "count(*)", "sum(", "avg(", "min(", "max(", "any_value(",
    "list(",
)  # fmt: skip
"""Words of SELECT that are worth completing."""

_LAST = re.compile(r"(?P<quote>['\"]?)(?P<word>[^\s,()'\"]*)$")
_SOURCE = re.compile(r"(?:\b(?:FROM|JOIN)|,)\s+(\w+)(?:\([^()]*\))?(?:\s+(?:AS\s+)?(\w+))?", re.I)
_WORD = re.compile(r"\"(?:[^\"]|\"\")*\"|'(?:[^']|'')*'|,|[^\s,]+")
_CHOICES: dict[str, Sequence[str]] = {
    "question": tuple(QUESTIONS),
    "things": tuple(THINGS),
    "metric": tuple(METRICS),
    "relation": (*PUBLIC, *ALIASES),
    "subject": (*PUBLIC, *FUNCTIONS, *METRICS),
}
_NO_ALIAS = {word.split()[0] for word in SELECT_WORDS} | {"INNER", "CROSS", "NATURAL", "RIGHT"}
_AFTER_RELATION = {"FROM", "JOIN"}
_ONE_WORD = {"node", "number", "text"}


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A text that may replace the last `length` characters, and what it is."""

    text: str
    length: int
    sort: str


def complete(
    before: str, after: str, *, graph: GraphFile, project: Path | None
) -> tuple[Suggestion, ...]:
    """Suggest what may follow `before`, the text up to the cursor; `after` is the text behind it.

    `project` is the folder whose named queries may be called. Raises what reading the graph raises.
    """
    found = _LAST.search(before)
    word, quote = (found["word"], found["quote"]) if found else ("", "")
    head = before[: len(before) - len(word) - len(quote)]
    context = _Context(head, word, quote, before + after, graph, project)
    offers = _offers(context, list(tokens(head)))
    unique = {text: Suggestion(text, len(word), sort) for text, sort in offers}
    return tuple(unique.values())[:MOST]


@dataclass(frozen=True, slots=True)
class _Context:
    """The place of the cursor: `word` is being written, after an open `quote` if there is one."""

    head: str
    word: str
    quote: str
    whole: str
    graph: GraphFile
    project: Path | None


Offers = Iterator[tuple[str, str]]


def _offers(context: _Context, parts: Sequence[Token]) -> Offers:
    first = parts[0].text.upper() if parts else ""
    if context.word.startswith("@") and not parts:
        yield from _named(context)
    elif first == "@":
        yield from _arguments(context, parts)
    elif not parts:
        words = [*statement_words(), "SELECT", "FROM", "WITH"]
        yield from _matching(context.word, words, "keyword")
    elif first in statement_words():
        yield from _in_statement(context, _WORD.findall(context.head))
    else:
        yield from _in_select(context, parts)


def _named(context: _Context) -> Offers:
    for entry in Library(context.project).entries():
        if entry.query is not None and entry.name.startswith(context.word[1:].lower()):
            yield f"@{entry.name}", "named query"


def _arguments(context: _Context, parts: Sequence[Token]) -> Offers:
    """Offer the parameters of a named query, or nodes where one is to be given."""
    name = parts[1].text.lower() if len(parts) > 1 else ""
    query = next((e.query for e in Library(context.project).entries() if e.name == name), None)
    if query is None:
        return
    last = "".join(part.text for part in parts[-2:])
    if last == ":=":
        given = next((p for p in query.parameters if p.name == parts[-3].text.lower()), None)
        if given is not None and given.type == "node":
            yield from _nodes(context)
    elif parts[-1].text in {"(", ","}:
        yield from _matching(context.word, (f"{p.name} := " for p in query.parameters), "parameter")


def _in_statement(context: _Context, words: Sequence[str]) -> Offers:
    """Offer what the grammar has at this place, over all statements that begin so."""
    for statement in STATEMENTS:
        for place, part in enumerate(statement.head):
            if place == len(words):
                yield from _slot(context, part.strip("{}?"), is_word=not part.startswith("{"))
                break
            if part == "{statement}":
                yield from _nested(context, words[place:])
                break
            if not _fits(part, words[place]):
                break
        else:
            yield from _in_clauses(context, statement, words[len(statement.head) :])


def _nested(context: _Context, words: Sequence[str]) -> Offers:
    """Offer what may stand in the statement that another one begins, as EXPLAIN does."""
    outer = len(_WORD.findall(context.head)) - len(words)
    start = [found.start() for found in _WORD.finditer(context.head)][outer]
    head = context.head[start:]
    yield from _offers(replace(context, head=head), list(tokens(head)))


def _fits(part: str, word: str) -> bool:
    """Tell whether a word that is written whole may stand where the head has `part`."""
    choices = _CHOICES.get(part.strip("{}?"))
    if choices is not None:
        return word.lower() in choices
    return part.startswith("{") or part == word.upper()


def _in_clauses(context: _Context, statement: Statement, words: Sequence[str]) -> Offers:
    """Offer the value of the clause that was begun, or the clauses that are left."""
    clauses = [CLAUSES[name] for name in statement.clauses]
    open_clause, place, used = _last_clause(clauses, words)
    given = words[place:]
    if open_clause is not None and open_clause.slot and not _is_given(open_clause, given):
        yield from _slot(context, open_clause.slot, is_word=False)
        return
    begun = words[-1].upper() if words else ""
    rests = [" ".join(c.words[1:]) for c in clauses if c.words[0] == begun and len(c.words) > 1]
    if rests:
        yield from _matching(context.word, rests, "keyword")
        return
    if open_clause is not None and open_clause.slot in {"condition", "order"}:
        yield from _columns(context)
    left = (clause.name for clause in clauses if clause.name not in used)
    yield from _matching(context.word, left, "keyword")


def _last_clause(
    clauses: Sequence[Clause], words: Sequence[str]
) -> tuple[Clause | None, int, set[str]]:
    """Find the clause that was begun last, where its value begins, and all that were begun."""
    found: Clause | None = None
    start, used, place = 0, set[str](), 0
    by_length = sorted(clauses, key=lambda clause: -len(clause.words))
    while place < len(words):
        here = tuple(word.upper() for word in words[place:])
        clause = next((c for c in by_length if here[: len(c.words)] == c.words), None)
        if clause is None:
            place += 1
            continue
        place += len(clause.words)
        found, start = clause, place
        used.add(clause.name)
    return found, start, used


def _is_given(clause: Clause, words: Sequence[str]) -> bool:
    if clause.slot in _ONE_WORD:
        return bool(words)
    return bool(words) and words[-1] != ","


def _slot(context: _Context, slot: str, *, is_word: bool) -> Offers:
    if is_word:
        yield from _matching(context.word, [slot], "keyword")
    elif slot in _CHOICES:
        yield from _matching(context.word, _CHOICES[slot], slot)
    elif slot in {"node", "goal"}:
        yield from _nodes(context)
    elif slot == "kinds":
        yield from _matching(context.word, (kind.value for kind in EdgeKind), "kind of edge")
    elif slot in {"condition", "order"}:
        yield from _columns(context)


def _in_select(context: _Context, parts: Sequence[Token]) -> Offers:
    last = parts[-1].text.upper()
    if _is_node_argument(parts):
        quote = context.quote or "'"
        opening = "" if context.quote else quote
        yield from ((f"{opening}{name}{quote}", sort) for name, sort in _nodes(context))
        return
    if context.quote:
        return
    if last in _AFTER_RELATION:
        yield from _relations(context)
        return
    if last == "," and _is_in_from(parts):
        yield from _relations(context)
    yield from _columns(context)
    yield from _matching(context.word, SELECT_WORDS, "keyword")


def _is_node_argument(parts: Sequence[Token]) -> bool:
    """Tell whether the cursor stands in the first argument of a graph function."""
    return (
        len(parts) > 1
        and parts[-1].text == "("
        and parts[-2].text.lower() in FUNCTIONS
        and any(p.name in {"node", "a"} for p in FUNCTIONS[parts[-2].text.lower()].parameters)
    )


def _is_in_from(parts: Sequence[Token]) -> bool:
    words = (part.text.upper() for part in reversed(parts))
    return next((word for word in words if word in {"FROM", "SELECT", "WHERE", "BY"}), "") == "FROM"


def _relations(context: _Context) -> Offers:
    yield from _matching(context.word, (*PUBLIC, *ALIASES), "relation")
    yield from _matching(context.word, (f"{name}(" for name in FUNCTIONS), "graph function")


def _columns(context: _Context) -> Offers:
    """Offer the columns of the relations that the text names, or of the one before a dot."""
    sources = _sources(context.whole)
    alias, dot, word = context.word.rpartition(".")
    if dot:
        columns = _columns_of(sources.get(alias.lower(), alias.lower()), context.graph)
        yield from (
            (f"{alias}.{name}", "column") for name in columns if name.startswith(word.lower())
        )
        return
    named = set(sources.values()) or {"nodes", _asked(context.head)}
    for relation in (*FUNCTIONS, *PUBLIC):
        if relation in named:
            yield from _matching(word, _columns_of(relation, context.graph), "column")
    aliases = (alias for alias, of in sources.items() if alias not in {of, word.lower()})
    yield from _matching(word, (f"{alias}." for alias in aliases), "alias")


def _asked(head: str) -> str:
    """Give the graph function that answers the question of a SHOW; empty where it is none."""
    words = [word.lower() for word in _WORD.findall(head)[:2]]
    return {"dependencies": "deps"}.get(words[1], words[1]) if words[:1] == ["show"] else ""


def _sources(text: str) -> dict[str, str]:
    """Find the relations and graph functions that a text names, by their aliases and names."""
    sources: dict[str, str] = {}
    for relation, alias in _SOURCE.findall(text):
        name = ALIASES.get(relation.lower(), relation.lower())
        if name in PUBLIC or name in FUNCTIONS:
            is_alias = alias and alias.upper() not in _NO_ALIAS
            sources[alias.lower() if is_alias else name] = name
    return sources


def _columns_of(relation: str, graph: GraphFile) -> tuple[str, ...]:
    if relation in FUNCTIONS:
        return tuple(column.name for column in FUNCTIONS[relation].columns)
    name = ALIASES.get(relation, relation)
    columns = tuple(c.name for c in relation_schema(name).columns) if name in PUBLIC else ()
    return columns + (tuple(graph.added_columns()) if name in EXTENDED else ())


def _nodes(context: _Context) -> Offers:
    from mu.analysis.node_search.name_completion import names

    answer = context.graph.run(names(context.word), limit=MOST)
    yield from ((str(name), str(kind)) for name, kind in answer.rows)


def _matching(word: str, candidates: Iterable[str], sort: str) -> Offers:
    low = word.lower()
    yield from ((text, sort) for text in candidates if text.lower().startswith(low))
