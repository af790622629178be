"""FIND: nodes of a sort, by what they are connected to; a class or module counts with its parts."""

from mu.model.kinds import EdgeKind
from mu.model.relation import Cell, Derived, Input, Relation
from mu.muql.compiled_query import Grounds
from mu.muql.errors import MuqlError
from mu.muql.grammar import RELATING
from mu.muql.graph_functions.functions import FUNCTIONS, ResultColumn
from mu.muql.repository_history import ReadSource
from mu.muql.statements.row_clauses import Answering, call_function
from mu.muql.statements.show import implementations, unreadable, using_tests
from mu.muql.statements.statement_parser import Parsed
from mu.store import GraphFile

FOUND_COLUMNS: tuple[ResultColumn, ...] = FUNCTIONS["deps"].columns[:5]

_SIMILAR = "SIMILAR TO"
_KINDS = {"methods": "function", "classes": "class"}
_SCORE = ResultColumn("score", "DOUBLE", "at most 1: the share of pairs of tokens in both")

_HOLDING = """
WITH RECURSIVE holding(id) AS (
    SELECT id FROM {reached}
    UNION
    SELECT contains.source FROM holding JOIN contains ON contains.target = holding.id
)
SELECT id FROM holding
"""

_OF_CLASSES = ("INHERITING", "IMPLEMENTING")
"""What a class around another does not do because the inner one does."""

_ALONG = {
    "CALLING": ("dependents", EdgeKind.CALLS),
    "CALLED BY": ("deps", EdgeKind.CALLS),
    "IMPORTING": ("dependents", EdgeKind.IMPORTS),
    "IMPORTED BY": ("deps", EdgeKind.IMPORTS),
    "INHERITING": ("dependents", EdgeKind.INHERITS),
    "USING": ("dependents", EdgeKind.USES),
    "USED BY": ("deps", EdgeKind.USES),
    "TESTED BY": ("deps", EdgeKind.TESTS),
    "MENTIONING": ("dependents", EdgeKind.MENTIONS),
    "MENTIONED BY": ("deps", EdgeKind.MENTIONS),
}


def find(parsed: Parsed, graph: GraphFile, *, read_source: ReadSource | None) -> Answering:
    """Give the nodes that fit all clauses, in the order of their places.

    With SIMILAR TO the most alike come first.
    """
    things = parsed.words["things"].value.lower()
    names = [name for name in RELATING if name in parsed.words and name != _SIMILAR]
    related = [_related(name, parsed, graph) for name in names]
    conditions, values = _own_conditions(parsed)
    inputs: list[Derived | Input] = []
    for number, (name, found) in enumerate(zip(names, related, strict=True)):
        reached, holding = f"reached_{number}", f"holding_{number}"
        inputs.append(Derived(reached, found.relation))
        is_holder = things in {"modules", "documents"}
        if is_holder or (things == "classes" and name not in _OF_CLASSES):
            inputs.append(Derived(holding, Relation(_HOLDING.format(reached=reached))))
            reached = holding
        conditions.append(f"id IN (SELECT id FROM {reached})")
    columns, order = FOUND_COLUMNS, "path NULLS LAST, start_line, id"
    source, grounds = things, sum((found.grounds for found in related), Grounds())
    if _SIMILAR in parsed.words:
        scores, alike = _scores(parsed, graph, read_source)
        inputs.append(scores)
        source, columns = f"{things} JOIN scored USING (id)", (*columns, _SCORE)
        order = f"score DESC, {order}"
        grounds += alike
    named = ", ".join(column.name for column in columns[5:])
    where = f"WHERE {' AND '.join(conditions)}" if conditions else ""
    sql = (
        f"SELECT id, name, kind, path, nullif(start_line, 0) AS line{named and ', '}{named}"
        f" FROM {source} {where} ORDER BY {order}"
    )
    relation = Relation(sql, values, inputs=tuple(inputs))
    return Answering(f"FIND {things}", relation, columns, grounds)


def _scores(
    parsed: Parsed, graph: GraphFile, read_source: ReadSource | None
) -> tuple[Input, Grounds]:
    """Give the scores of SIMILAR TO by id, and which there are none of."""
    from mu.analysis.node_search.node_resolution import resolve_node
    from mu.analysis.node_search.similar_code import LEAST, MOST, find_similar

    word = parsed.words[_SIMILAR]
    if read_source is None:
        raise MuqlError("the sources are not at hand here", word.place, "ask with `mu query`")
    node = resolve_node(graph, word.value)
    things = parsed.words["things"].value.lower()
    if things != "nodes" and _KINDS.get(things, things[:-1]) != node.kind:
        what = f"{node.id} is a {node.kind}, which is like nodes of its own kind alone"
        raise MuqlError(what, word.place, f"this works: FIND nodes SIMILAR TO {node.id}")
    found = find_similar(graph, node, read=read_source)
    if not found.is_readable:
        raise unreadable(node.id, word.place)
    cut = f"only the {MOST:,} definitions nearest in length were compared"
    table = Input("scored", ("id", "score"), ("VARCHAR", "DOUBLE"), found.scores)
    notes = (f"scores below {LEAST:g} are left out",)
    return table, Grounds(notes=notes, doubts=() if found.is_whole else (cut,))


def _related(name: str, parsed: Parsed, graph: GraphFile) -> Answering:
    node = parsed.words[name].value
    depth = None if parsed.is_transitive else 1
    if name == "IMPLEMENTING":
        return implementations(graph, node, depth=depth)
    if name == "TESTING":
        return using_tests(graph, node, depth=depth)
    function, kind = _ALONG[name]
    return call_function(function, graph, given={"node": node, "depth": depth, "kinds": (kind,)})


def _own_conditions(parsed: Parsed) -> tuple[list[str], tuple[Cell, ...]]:
    """Write the conditions on a node itself."""
    conditions: list[str] = []
    values: list[Cell] = []
    if "MATCHING" in parsed.words:
        conditions.append("contains(lower(name), lower(?))")
        values.append(parsed.words["MATCHING"].value)
    if "WITH DECORATOR" in parsed.words:
        decorator = parsed.words["WITH DECORATOR"].value.removeprefix("@")
        conditions.append(
            "list_bool_or(list_transform(decorators, lambda d:"
            " split_part(d, '(', 1) = ? OR ends_with(split_part(d, '(', 1), ?)))"
        )
        values += [decorator, f".{decorator}"]
    return conditions, tuple(values)
