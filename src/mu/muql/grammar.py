"""The grammar of the graph statements, as data.

The parser, the reference page, the words that a prompt completes and the card for language models
are all made from the tables here, so a form that one of them knows, all of them know.

A statement is its head, words and slots in order, and then clauses: each at most once, in any
order, with AND between them or nothing. What the slots take:

    {node}       a node reference; quotes only where it holds spaces or commas
    {number}     a whole number
    {kinds}      kinds of edge with commas between
    {text}       a text in quotes, or one word
    {condition}  a condition as in SELECT, over the columns of the answer and those of the node
    {order}      what follows ORDER BY in a SELECT
"""

from dataclasses import dataclass

from mu.muql.graph_functions.functions import FUNCTIONS

QUESTIONS = {
    "dependencies": "what it depends on; one step unless DEPTH says more",
    "dependents": "what depends on it; one step unless DEPTH says more",
    "callers": "what calls it",
    "callees": "what it calls",
    "imports": "what it imports",
    "importers": "what imports it",
    "impact": "all that depends on it, directly or through others",
    "ancestors": "all that it depends on, directly or through others",
    "children": "what is defined in it",
    "methods": "functions that are defined in it",
    "parents": "what it is defined in, up to the module",
    "subclasses": "classes that inherit it, near and far",
    "superclasses": "classes that it inherits, near and far",
    "implementations": "concrete classes below it, or concrete methods that override it",
    "overrides": "methods that override it, near and far",
    "references": "every reference in the text that means it, and those that could",
    "tests": "tests that use it, or modules of nameless ones; with DEPTH, through others too",
    "source": "its lines, as they were when the graph was built",
}
"""What SHOW can show of a node."""

SYNONYMS = {
    "deps": "dependencies",
    "usages": "references",
    "members": "children",
    "contents": "children",
    "bases": "superclasses",
    "subtypes": "subclasses",
    "code": "source",
}
"""Other words for what SHOW can show."""

THINGS = {
    "functions": "everything that can be called",
    "methods": "functions of a class",
    "classes": "types that have members",
    "modules": "source files and packages",
    "documents": "pages",
    "sections": "headings of documents, and the text under them",
    "nodes": "all of these, variables and externals",
}
"""What FIND can find: relations of these names."""

METRICS = {
    "coupling": "for each module: how many modules depend on it (Ca), on how many it depends (Ce),"
    " instability Ce / (Ca + Ce), abstractness, and distance from the main sequence"
    " |A + I - 1| (Martin 1994)",
    "cohesion": "for each class: LCOM4, the number of groups of methods that share no field and do"
    " not call each other (Hitz and Montazeri 1995); 1 is cohesive",
    "complexity": "for each function: cyclomatic complexity, decision points + 1 (McCabe 1976)",
    "hotspots": "for each function: lines * (fan-in * fan-out)^2 (Henry and Kafura 1981); with the"
    " added columns churn, coverage: churn * complexity, or the change risk in place of complexity",
    "circular": "a row for each strongly connected component of imports, with a shortest cycle"
    " (Tarjan 1972)",
    "unused": "definitions that are unreachable from any entry point, with a reason and a"
    " confidence: `high` for private ones, `medium` for public ones, `low` where the file looks"
    " up names while it runs;"
    " what an unresolved reference could mean is left out",
    "untested": "functions that no test reaches (static test reachability, Alves and Visser 2009)",
    "layers": "for each folder: its level, 1 for one that depends on no other folder, else one more"
    " than the highest it depends on; folders in a cycle share a level (Lakos 1996)",
    "impact": "for each module: how many modules depend on it directly or through others, and that"
    " as a share of all (visibility fan-in, MacCormack and others 2006)",
}
"""What ANALYZE measures: one definition each, with its source."""


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause: the words that begin it and the slot that follows, empty where nothing does."""

    words: tuple[str, ...]
    slot: str
    meaning: str

    @property
    def name(self) -> str:
        """Its words, as in `CALLED BY`."""
        return " ".join(self.words)

    @property
    def syntax(self) -> str:
        """How it is written."""
        return f"{self.name} {{{self.slot}}}" if self.slot else self.name


@dataclass(frozen=True, slots=True)
class Statement:
    """A graph statement; `head` are upper-case words, and slots between braces.

    A slot that may be left out ends in a question mark.
    """

    name: str
    head: tuple[str, ...]
    meaning: str
    clauses: tuple[str, ...] = ()
    examples: tuple[str, ...] = ()

    @property
    def syntax(self) -> str:
        """How it is written, without its clauses."""
        return " ".join(f"[{part[:-2]}}}]" if part.endswith("?}") else part for part in self.head)


_ALL_CLAUSES = (
    Clause(("DEPTH",), "number", "maximum depth"),
    Clause(("MAX", "DEPTH"), "number", "maximum number of edges of the path"),
    Clause(("VIA",), "kinds", "follow only edges of these kinds"),
    Clause(("IN",), "text", "only what lies below this path"),
    Clause(("FOR",), "node", "only this node and what it contains, or what lies below this path"),
    Clause(("CALLING",), "node", "that call it"),
    Clause(("CALLED", "BY"), "node", "that it calls"),
    Clause(("IMPORTING",), "node", "that import it"),
    Clause(("IMPORTED", "BY"), "node", "that it imports"),
    Clause(("INHERITING",), "node", "that inherit it"),
    Clause(("IMPLEMENTING",), "node", "concrete classes below it, or concrete methods over it"),
    Clause(("USING",), "node", "that name it without calling it"),
    Clause(("USED", "BY"), "node", "that it names without calling them"),
    Clause(("TESTING",), "node", "tests that use it"),
    Clause(("TESTED", "BY"), "node", "that this test uses"),
    Clause(("MENTIONING",), "node", "documents and sections that mention it"),
    Clause(("MENTIONED", "BY"), "node", "code that this page or section mentions"),
    Clause(("SIMILAR", "TO"), "node", "of its kind whose text is most like it, with a `score`"),
    Clause(("WITH", "DECORATOR"), "text", "that have this decorator, by its name or the end of it"),
    Clause(("MATCHING",), "text", "whose name holds this text, in any case"),
    Clause(("TRANSITIVELY",), "", "through others, too"),
    Clause(("AT",), "text", "as it was at this revision of git"),
    Clause(("WHERE",), "condition", "only rows for which this holds"),
    Clause(("ORDER", "BY"), "order", "in this order"),
    Clause(("LIMIT",), "number", "maximum number of rows"),
    Clause(("OFFSET",), "number", "skip the first rows"),
)
CLAUSES = {clause.name: clause for clause in _ALL_CLAUSES}

_ROWS = ("WHERE", "ORDER BY", "LIMIT", "OFFSET", "AT")
RELATING = tuple(
    clause.name for clause in _ALL_CLAUSES if clause.slot == "node" and clause.name != "FOR"
)
"""The clauses of FIND that take a node."""

STATEMENTS = (
    Statement(
        "SHOW",
        ("SHOW", "{question}", "OF", "{node}"),
        "Answers one question about one node",
        ("DEPTH", "TRANSITIVELY", "VIA", "IN", *_ROWS),
        (
            "SHOW callers OF AuthService.login DEPTH 2",
            "SHOW callers OF AuthService.login IN src/app",
            "SHOW impact OF src/app/auth.py VIA calls, imports WHERE NOT is_test LIMIT 20",
            "SHOW callers OF AuthService.login AT 'HEAD~1'",
        ),
    ),
    Statement("SHOW TABLES", ("SHOW", "TABLES"), "Lists the relations", (), ("SHOW TABLES",)),
    Statement(
        "SHOW COLUMNS",
        ("SHOW", "COLUMNS", "FROM", "{relation}"),
        "Lists the columns of a relation",
        (),
        ("SHOW COLUMNS FROM functions",),
    ),
    Statement(
        "FIND CYCLES",
        ("FIND", "CYCLES"),
        "Gives a shortest cycle for each strongly connected component, and the line of each edge;"
        " imports unless VIA says otherwise; LIMIT counts cycles",
        ("VIA", "IN", "LIMIT", "AT"),
        ("FIND CYCLES VIA imports, calls IN src/app LIMIT 3", "FIND CYCLES"),
    ),
    Statement(
        "FIND",
        ("FIND", "{things}"),
        "Finds nodes by their relations; all clauses have to hold",
        (*RELATING, "WITH DECORATOR", "MATCHING", "TRANSITIVELY", "IN", *_ROWS),
        (
            "FIND functions CALLING Store.save",
            "FIND classes INHERITING Service TRANSITIVELY",
            "FIND functions SIMILAR TO AuthService.login LIMIT 5",
            "FIND methods MATCHING 'log' WHERE complexity > 5 ORDER BY complexity DESC LIMIT 10",
        ),
    ),
    Statement(
        "PATH",
        ("PATH", "FROM", "{node}", "TO", "{goal}"),
        "Gives a shortest path by which the first node depends on the second, with the rule and the"
        " reference of each step",
        ("VIA", "MAX DEPTH", "AT"),
        ("PATH FROM src/app/orders.py TO Store.save VIA calls MAX DEPTH 5",),
    ),
    Statement(
        "ANALYZE",
        ("ANALYZE", "{metric}"),
        "Measures all of the graph, or a part of it; the worst first",
        ("FOR", *_ROWS),
        ("ANALYZE coupling FOR src/app LIMIT 20", "ANALYZE unused WHERE confidence = 'high'"),
    ),
    Statement(
        "DESCRIBE",
        ("DESCRIBE", "{subject?}"),
        "Lists all relations, functions, statements and metrics, or describes one",
        (),
        ("DESCRIBE", "DESCRIBE functions", "DESCRIBE impact"),
    ),
    Statement(
        "EXPLAIN",
        ("EXPLAIN", "{statement}"),
        "Runs a query and gives the SQL it became, with the rows and the time of each step",
        (),
        ("EXPLAIN SHOW callers OF AuthService.login",),
    ),
    Statement(
        "HISTORY",
        ("HISTORY", "OF", "{node}"),
        "Lists the commits that changed a node, newest first, through renames and moves of it and"
        " of its file",
        ("LIMIT",),
        ("HISTORY OF AuthService.login LIMIT 10",),
    ),
    Statement(
        "BLAME",
        ("BLAME", "{node}"),
        "Gives the commit that each line of a node came with, through renames of its file",
        (),
        ("BLAME AuthService.login",),
    ),
)
"""The statements; where two begin alike, the one with more words of its own comes first."""


def statement_words() -> tuple[str, ...]:
    """Give the words that a graph statement begins with."""
    return tuple(dict.fromkeys(statement.head[0] for statement in STATEMENTS))


def card() -> str:
    """Give a short text on the statements, one line and one example each, for a model's prompt."""
    lines = ["Graph statements (keywords in any case; clauses in any order):"]
    for statement in STATEMENTS:
        clauses = [CLAUSES[name] for name in statement.clauses]
        written = " ".join([statement.syntax, *(f"[{clause.syntax}]" for clause in clauses)])
        lines += [f"- {written}", f"  {statement.meaning}. Example: {statement.examples[0]}"]
    for name, choices in (("question", QUESTIONS), ("things", THINGS), ("metric", METRICS)):
        lines.append(f"{{{name}}}: {' | '.join(choices)}")
    lines.append(
        "A node is an id, a path, path:line, path:name, a qualified name, or the end of these."
    )
    lines.append(f"In any FROM of a SELECT: {', '.join(f.name for f in FUNCTIONS.values())}.")
    lines.append(f"Example: SELECT * FROM {FUNCTIONS['impact'].call} WHERE NOT is_test")
    return "\n".join(lines)
