"""SHOW: each question is a graph function, or a relation of one node that has none."""

from collections.abc import Callable
from dataclasses import replace

from mu.model.kinds import EdgeKind
from mu.model.relation import Derived, Input, Relation
from mu.muql.compiled_query import Grounds
from mu.muql.errors import MuqlError
from mu.muql.graph_functions.function_calls import Argument
from mu.muql.graph_functions.functions import FUNCTIONS, ResultColumn
from mu.muql.repository_history import ReadSource
from mu.muql.statements.row_clauses import Answering, call_function
from mu.muql.statements.statement_parser import Parsed
from mu.muql.text import Place
from mu.store import GraphFile

SOURCE_COLUMNS = (
    ResultColumn("line", "INTEGER", "number of the line, from 1"),
    ResultColumn("text", "VARCHAR", "the line as in the file"),
)

_ASKED: dict[str, tuple[str, tuple[EdgeKind, ...]]] = {
    "dependencies": ("deps", ()),
    "imports": ("deps", (EdgeKind.IMPORTS,)),
    "importers": ("dependents", (EdgeKind.IMPORTS,)),
    "references": ("sites_of", ()),
}
"""The function that answers a question of another name, and the kinds of edge it is asked for."""

_END = "SELECT end_line FROM node WHERE key = ?"

_REACHED = FUNCTIONS["deps"].columns


def show(parsed: Parsed, graph: GraphFile, *, read_source: ReadSource | None) -> Answering:
    """Give the rows of SHOW; raises MuqlError for a clause that its question does not take."""
    question = parsed.words["question"].value.lower()
    _check_clauses(parsed, question)
    node = parsed.words["node"].value
    if question in {"children", "methods", "parents"}:
        return _contained(question, parsed, graph)
    if question in {"implementations", "overrides", "tests"}:
        return _DERIVED[question](parsed, graph)
    if question == "source":
        return _source(parsed, graph, read_source)
    name, kinds = _ASKED.get(question, (question, parsed.kinds))
    given: dict[str, Argument] = {"node": node, "kinds": kinds or parsed.kinds}
    if "DEPTH" in parsed.numbers or parsed.is_transitive:
        given["depth"] = parsed.numbers.get("DEPTH")
    answering = _near_in_order(call_function(name, graph, given=given), graph)
    return _with_anonymous(answering, graph) if question == "subclasses" else answering


def _with_anonymous(answering: Answering, graph: GraphFile) -> Answering:
    """Doubt the subclasses of a class that anonymous classes extend."""
    from mu.analysis.walks.anonymous_subclasses import anonymous_subclasses_note

    notes = (anonymous_subclasses_note(graph, each.walk.key) for each in answering.grounds.walked)
    doubts = tuple(note for note in notes if note)
    return replace(answering, grounds=answering.grounds + Grounds(doubts=doubts))


def _near_in_order(answering: Answering, graph: GraphFile) -> Answering:
    """Give the rows of a walk in the order of the command of that name."""
    if not answering.grounds.walked:
        return answering
    from mu.analysis.walks.row_order import in_order

    answer = graph.run(answering.relation, limit=None)
    direction = answering.grounds.walked[0].walk.direction
    rows = in_order(graph, answer, direction=direction)
    names = tuple(column.name for column in answering.columns)
    types = tuple(column.type for column in answering.columns)
    relation = Relation(
        "FROM in_order", columns=names, inputs=(Input("in_order", names, types, rows),)
    )
    return replace(answering, relation=relation)


def _check_clauses(parsed: Parsed, question: str) -> None:
    """Refuse DEPTH, VIA and IN where they would mean nothing."""
    free = {"dependencies", "dependents", "impact", "ancestors", "tests"}
    if parsed.kinds and question not in free:
        what = f"SHOW {question} follows its own kind of edge and takes no VIA"
        raise MuqlError(
            what, parsed.words["question"].place, f"VIA is for {', '.join(sorted(free))}"
        )
    if "IN" in parsed.words and question == "source":
        what = "SHOW source gives lines of one node and takes no IN"
        raise MuqlError(what, parsed.words["IN"].place)
    far = "DEPTH" if "DEPTH" in parsed.numbers else "TRANSITIVELY" if parsed.is_transitive else ""
    if far and question in {"references", "source"}:
        what = f"SHOW {question} goes to the node alone and takes no {far}"
        works = f"this works: SHOW {question} OF AuthService.login"
        raise MuqlError(what, parsed.words["question"].place, works)


def _contained(question: str, parsed: Parsed, graph: GraphFile) -> Answering:
    from mu.analysis.node_search.node_resolution import resolve_node
    from mu.analysis.walks import containment

    key = resolve_node(graph, parsed.words["node"].value).key
    ask = containment.parents if question == "parents" else containment.children
    is_near = question != "parents" and not parsed.is_transitive
    depth = parsed.numbers.get("DEPTH", 1 if is_near else None)
    relation = ask(key, depth=depth)
    grounds = Grounds()
    if "DEPTH" in parsed.numbers and graph.run(ask(key, depth=depth, beyond=True), limit=1).rows:
        grounds = Grounds(doubts=(f"stopped at depth {depth}: there is more beyond",))
    if question == "methods":
        sql = "SELECT * FROM inside WHERE kind = 'function' ORDER BY rowid"
        relation = Relation(sql, inputs=(Derived("inside", relation),))
    return Answering(f"SHOW {question}", relation, _REACHED, grounds)


def _overrides(parsed: Parsed, graph: GraphFile) -> Answering:
    node, depth = parsed.words["node"].value, parsed.numbers.get("DEPTH")
    kinds = (EdgeKind.OVERRIDES,)
    return call_function("dependents", graph, given={"node": node, "depth": depth, "kinds": kinds})


def implementations(graph: GraphFile, node: str, *, depth: int | None = None) -> Answering:
    """Give the concrete classes below a class or the concrete methods over its methods."""
    from mu.analysis.node_search.node_resolution import resolve_node

    is_class = resolve_node(graph, node).kind == "class"
    kind = EdgeKind.INHERITS if is_class else EdgeKind.OVERRIDES
    below = call_function(
        "dependents", graph, given={"node": node, "depth": depth, "kinds": (kind,)}
    )
    sql = (
        "SELECT below.* FROM below JOIN nodes USING (id) WHERE NOT nodes.is_abstract"
        " AND nodes.kind <> 'module' AND nodes.subkind NOT IN ('interface', 'protocol', 'trait')"
        " AND NOT (nodes.kind = 'class' AND EXISTS (FROM nodes AS member JOIN contains"
        " ON contains.target = member.id WHERE contains.source = nodes.id AND member.is_abstract))"
        " ORDER BY below.rowid"
    )
    relation = Relation(sql, inputs=(Derived("below", below.relation),))
    return Answering("SHOW implementations", relation, _REACHED, below.grounds)


def _implementations(parsed: Parsed, graph: GraphFile) -> Answering:
    return implementations(graph, parsed.words["node"].value, depth=parsed.numbers.get("DEPTH"))


def using_tests(
    graph: GraphFile, node: str, *, depth: int | None = 1, kinds: tuple[EdgeKind, ...] = ()
) -> Answering:
    """Give the tests that use a node, or lead to it in `depth` steps.

    They are test functions, and modules where tests have no names and are code of the module. A
    depth of None is no bound.
    """
    reached = call_function(
        "dependents", graph, given={"node": node, "depth": depth, "kinds": kinds}
    )
    sql = (
        "SELECT * FROM testing WHERE kind = 'function'"
        " OR kind = 'module' AND id IN (SELECT source FROM tests)"
        " AND path NOT IN (SELECT path FROM testing WHERE kind = 'function')"
        " ORDER BY rowid"
    )
    is_test = (
        "SELECT * FROM reached WHERE id IN (SELECT id FROM nodes WHERE is_test) ORDER BY rowid"
    )
    testing = Relation(is_test, inputs=(Derived("reached", reached.relation),))
    relation = Relation(sql, inputs=(Derived("testing", testing),))
    grounds = reached.grounds + Grounds(doubts=_unseen(graph, reached.grounds))
    return Answering("SHOW tests", relation, _REACHED, grounds)


def _unseen(graph: GraphFile, grounds: Grounds) -> tuple[str, ...]:
    """Say that tests are not seen which go through what code outside the repository calls."""
    from mu.analysis.completeness.external_callers import entry_nodes

    found = [each for walked in grounds.walked for each in entry_nodes(graph, walked)]
    if not found:
        return ()
    more = f" and {len(found) - 1} more" if len(found) > 1 else ""
    return (f"tests that go through {found[0]}{more} are not seen: code outside calls it",)


def _tests(parsed: Parsed, graph: GraphFile) -> Answering:
    return using_tests(
        graph,
        parsed.words["node"].value,
        depth=parsed.numbers.get("DEPTH", None if parsed.is_transitive else 1),
        kinds=parsed.kinds,
    )


def unreadable(node: str, place: Place) -> MuqlError:
    """Give the error for a node whose text is not there as it was, or is nowhere here."""
    what = f"the lines of {node} are not there as they were when the graph was built"
    return MuqlError(what, place, "run `mu kernel build` to build it again")


def _source(parsed: Parsed, graph: GraphFile, read_source: ReadSource | None) -> Answering:
    from mu.analysis.node_search.node_resolution import resolve_node

    word = parsed.words["node"]
    node = resolve_node(graph, word.value)
    if read_source is None:
        raise MuqlError("the sources are not at hand here", word.place)
    end = int(str(graph.run(Relation(_END, (node.key,))).rows[0][0]))
    (whole,) = read_source([node.path])
    lines = list(enumerate(whole[:end], start=1))[node.line - 1 :] if node.line else []
    if not lines:
        raise unreadable(node.id, word.place)
    table = Input("source_lines", ("line", "text"), ("INTEGER", "VARCHAR"), lines)
    sql = "SELECT line, text FROM source_lines ORDER BY line"
    return Answering("SHOW source", Relation(sql, inputs=(table,)), SOURCE_COLUMNS)


_DERIVED: dict[str, Callable[[Parsed, GraphFile], Answering]] = {
    "implementations": _implementations,
    "overrides": _overrides,
    "tests": _tests,
}
