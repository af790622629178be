"""DESCRIBE, SHOW TABLES, SHOW COLUMNS: what there is to ask with, from the tables of the rest."""

from collections.abc import Sequence

from mu.model.relation import Cell, Input, Relation
from mu.muql.errors import MuqlError
from mu.muql.grammar import CLAUSES, METRICS, QUESTIONS, STATEMENTS, THINGS, Statement
from mu.muql.graph_functions.functions import FUNCTIONS, GraphFunction, ResultColumn
from mu.muql.nearest import did_you_mean
from mu.muql.statements.row_clauses import Answering
from mu.muql.statements.statement_parser import Parsed, Word
from mu.muql.text import shown
from mu.store import ALIASES, EXTENDED, PUBLIC, GraphFile, relation_schema

Rows = Sequence[tuple[Cell, ...]]


def describe(parsed: Parsed, graph: GraphFile) -> Answering:
    """Give all names, or what is known of the one that is asked for."""
    word = parsed.words.get("subject")
    if word is None:
        return _rows("DESCRIBE", ("name", "sort", "meaning"), _everything())
    name = " ".join(word.value.lower().split())
    if ALIASES.get(name, name) in PUBLIC:
        return _columns(ALIASES.get(name, name), graph)
    if name in FUNCTIONS:
        return _function(FUNCTIONS[name])
    statements = [s for s in STATEMENTS if s.name.lower() == name]
    if statements:
        return _statement(statements[0])
    for choices, verb in ((QUESTIONS, "SHOW"), (METRICS, "ANALYZE")):
        if name in choices:
            meaning = [(name, f"{verb} {name}", choices[name])]
            return _rows("DESCRIBE", ("name", "sort", "meaning"), meaning)
    raise _unknown(word)


def show_tables() -> Answering:
    """List the relations."""
    rows = [(name, relation_schema(name).comment) for name in PUBLIC]
    return _rows("SHOW TABLES", ("name", "meaning"), rows)


def show_columns(parsed: Parsed, graph: GraphFile) -> Answering:
    """List the columns of a relation; raises MuqlError when there is none of that name."""
    word = parsed.words["relation"]
    name = ALIASES.get(word.value.lower(), word.value.lower())
    if name not in PUBLIC:
        what = f"unknown relation `{shown(word.value)}`"
        what = did_you_mean(what, name, among=PUBLIC)
        raise MuqlError(what, word.place, f"the relations are {', '.join(PUBLIC)}")
    return _columns(name, graph)


def _everything() -> list[tuple[Cell, ...]]:
    rows: list[tuple[Cell, ...]] = []
    rows += [(name, "relation", relation_schema(name).comment) for name in PUBLIC]
    rows += [(f.signature, "function", f.meaning) for f in FUNCTIONS.values()]
    rows += [(s.syntax, "statement", s.meaning) for s in STATEMENTS]
    rows += [(f"SHOW {name} OF node", "question", text) for name, text in QUESTIONS.items()]
    return rows + [(f"ANALYZE {name}", "metric", text) for name, text in METRICS.items()]


def _columns(name: str, graph: GraphFile) -> Answering:
    types = dict(graph.columns(f"FROM {name}"))
    rows = [(c.name, types.get(c.name, ""), c.comment) for c in relation_schema(name).columns]
    if name in EXTENDED:
        added = graph.added_columns().values()
        rows += [(column.name, column.type, f"added {column.comment}") for column, _ in added]
    return _rows("DESCRIBE", ("column", "type", "meaning"), rows)


def _function(function: GraphFunction) -> Answering:
    rows: list[tuple[Cell, ...]] = [(function.signature, "function", function.meaning)]
    rows += [(c.name, c.type, c.comment) for c in function.columns]
    rows.append((f"SELECT * FROM {function.call}", "example", ""))
    return _rows("DESCRIBE", ("column", "type", "meaning"), rows)


def _statement(statement: Statement) -> Answering:
    clauses = [CLAUSES[name] for name in statement.clauses]
    choices = {"{question}": QUESTIONS, "{things}": THINGS, "{metric}": METRICS}
    rows: list[tuple[Cell, ...]] = [(statement.syntax, "statement", statement.meaning)]
    for part in statement.head:
        rows += [(name, part.strip("{}"), text) for name, text in choices.get(part, {}).items()]
    rows += [(clause.syntax, "clause", clause.meaning) for clause in clauses]
    rows += [(example, "example", "") for example in statement.examples]
    return _rows("DESCRIBE", ("part", "sort", "meaning"), rows)


def _unknown(word: Word) -> MuqlError:
    names = [*PUBLIC, *FUNCTIONS, *METRICS, *QUESTIONS, *(s.name.lower() for s in STATEMENTS)]
    what = did_you_mean(f"nothing is called `{shown(word.value)}`", word.value, among=names)
    return MuqlError(what, word.place, "DESCRIBE alone lists all there is")


def _rows(of: str, columns: tuple[str, ...], rows: Rows) -> Answering:
    table = Input("described", columns, ("VARCHAR",) * len(columns), rows)
    shown_columns = tuple(ResultColumn(column, "VARCHAR", "") for column in columns)
    return Answering(
        of, Relation("FROM described", columns=columns, inputs=(table,)), shown_columns
    )
