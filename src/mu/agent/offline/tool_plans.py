"""The calls that answer each kind of question that is recognised without a model.

A question whose kind has queries of its own is answered by these: `{a}` in one is the name as a
literal, `{name}` its last part and `{b}` that of the second, `{like}` a pattern of the second name,
and `{within}` a condition for what lies in the part of the repository that the question is about.
"""

import re
from collections.abc import Callable, Sequence

from mu.agent.offline.limited_listings import SUCH, limited_listing, place_check, within
from mu.agent.offline.question_kinds import Kind, Question
from mu.agent.offline.sql_text import conjunction, lies_within, quoted
from mu.agent.values import Json

Arguments = dict[str, Json]
Plan = list[tuple[str, Arguments]]

_RELATIONS = {
    "class": "classes",
    "classes": "classes",
    "function": "functions",
    "functions": "functions",
    "method": "methods",
    "methods": "methods",
    "module": "modules",
    "modules": "modules",
    "file": "files",
    "files": "files",
    "edge": "edges",
    "edges": "edges",
    "node": "nodes",
    "nodes": "nodes",
    "variables": "variables",
    "tests": "functions WHERE is_test",
    "calls": "calls",
    "imports": "imports",
}
_SORTS = frozenset(("types", "kinds", "sorts", "objects", "implementations"))
_SUBKINDS = frozenset(
    ("interface", "struct", "enum", "trait", "type", "property", "constant", "package", "component")
)
_FUNCTION = re.compile(r"(?:^|[.:#])[a-z_]\w*$")
"""What may be the name of a function, in most languages."""

_READ = 40
_LAST = re.compile(r"[\w$]+")
_FILE = re.compile(r"[\w-]\.[A-Za-z]\w{0,4}$")
_PASSING_ON = re.compile(r"(?:^|[./])(?:index|__init__|mod|lib|main)\.\w+$")
"""The files that stand for a package, and may pass on what they take in."""

_FILLED = frozenset((Kind.MEMBERS, Kind.METHODS))
_KNOT = re.compile(
    r"^\d+: (?P<steps>(?P<start>\S+):\d+ -> .*?)back \((?P<size>\d+) in the component\)$",
    re.MULTILINE,
)
_IN_KNOT = """
WITH RECURSIVE pair(near, far) AS (
    SELECT DISTINCT edge.path, other.path FROM imports AS edge
    JOIN nodes AS other ON other.id = edge.target WHERE edge.role <> 'type-only'
), ahead(path) AS (
    SELECT {start} UNION SELECT pair.far FROM ahead JOIN pair ON pair.near = ahead.path
), behind(path) AS (
    SELECT {start} UNION SELECT pair.near FROM behind JOIN pair ON pair.far = behind.path
) SELECT path AS in_the_knot FROM ahead WHERE path IN (FROM behind) ORDER BY path
"""
_CONTEXT_TOKENS = 1000
_OVERVIEW_TOKENS = 1000
_ROWS = 100
_NAMED_TESTS = """
SELECT count(*) FILTER (id IN (SELECT id FROM entry_points WHERE role = 'test'))
    AS tests_with_a_name, count(*) AS test_functions_in_all, count(DISTINCT path) AS files
FROM functions WHERE is_test AND {within}
"""
_PLACE = "id, kind, path, start_line AS line"


def _is_own(question: Question) -> bool:
    """Tell whether a question asks for the public members of a single file."""
    name = question.names[0] if question.kind is Kind.PUBLIC else ""
    return bool(_FILE.search(name)) and not _PASSING_ON.search(name)


def plan_knots(told: str) -> Plan:
    """The calls that list the modules of the first three components, of which a cycle was shown."""
    large = [found["start"] for found in _KNOT.finditer(told) if _is_part(found)]
    return [_query(_IN_KNOT.replace("{start}", quoted(start))) for start in large[:3]]


def plan_check(question: Question) -> Plan:
    """The calls that tell whether there is what a question names, of which nothing was listed."""
    checks = [_query(text) for text in place_check(question)]
    if question.kind is Kind.METHODS and _FILE.search(question.names[0]):
        checks.append(("mu_describe", {"node": question.names[0]}))
    if question.kind is Kind.OVERRIDDEN and len(question.names) > 1:
        checks.append(("mu_describe", {"node": question.names[1]}))
    return checks


def _is_part(found: re.Match[str]) -> bool:
    return found["steps"].count(" -> ") < int(found["size"])


def plan(question: Question | None, text: str) -> Plan:
    """The calls that answer a question."""
    if question is None or question.kind is Kind.HANDLES:
        return [("mu_context", {"question": text, "max_tokens": _CONTEXT_TOKENS})]
    if question.kind in _FILLED and _FILE.search(question.names[0]):
        return [_query(_in_file(question))]
    if listing := limited_listing(question):
        return [_query(listing)]
    if question.muql:
        muqls = question.muql[:1] if _is_own(question) else question.muql
        return [_query(_filled(muql, question)) for muql in muqls]
    return _PLANNERS[question.kind](question) or [("mu_search", {"words": text})]


def _in_file(question: Question) -> str:
    """What stands in a file and in nothing else of it: methods of a class elsewhere, too."""
    only = "nodes.kind = 'function'" if question.kind is Kind.METHODS else "nodes.kind <> 'module'"
    return (
        f"SELECT {_PLACE} FROM nodes WHERE {only} AND {lies_within(question.names[0])}"
        " AND NOT EXISTS (SELECT 1 FROM contains"
        " JOIN nodes AS holder ON holder.id = contains.source"
        " WHERE contains.target = nodes.id AND holder.path = nodes.path"
        " AND holder.kind IN ('class', 'function')) ORDER BY path, line"
    )


def _query(muql: str) -> tuple[str, Arguments]:
    return ("mu_query", {"muql": muql, "limit": _ROWS})


def _filled(muql: str, question: Question) -> str:
    first = question.names[0] if question.names else ""
    last = (_LAST.findall(first) or [""])[-1]
    second = question.names[1] if len(question.names) > 1 else ""
    texts = {
        "{a}": quoted(first),
        "{b}": quoted((_LAST.findall(second) or [""])[-1]),
        "{name}": quoted(last),
        "{like}": quoted(f"%{_stem(second)}%"),
        "{within}": within(question)
        if question.scope
        else lies_within("" if "{a}" in muql else first),
    }
    for mark, text in texts.items():
        muql = muql.replace(mark, text)
    return muql


def _stem(word: str) -> str:
    """A word without the ending of its plural."""
    word = word.lower()
    return re.sub("ies$", "", word) if word.endswith("ies") else word.removesuffix("s")


def _tool(name: str, **more: Json) -> Callable[[Question], Plan]:
    return lambda question: [(name, {"node": question.names[0], **more})]


def _between(question: Question) -> Plan:
    if len(question.names) < 2:
        return []
    first, second = question.names[:2]
    return [
        ("mu_path", {"start": first, "goal": second}),
        ("mu_path", {"start": second, "goal": first}),
    ]


def _why(question: Question) -> Plan:
    """The way between two names; and what the file of the first makes of what it takes there."""
    if len(question.names) < 2:
        return []
    first, second = map(quoted, question.names[:2])
    taken = (
        "SELECT DISTINCT taken.target FROM sites AS taken"
        " JOIN sites AS way ON way.path = taken.path AND way.line = taken.line"
        f" WHERE taken.kind = 'import' AND way.kind = 'import' AND way.target IN"
        f" (SELECT id FROM deps({first}, kinds => ['imports']) WHERE id IN"
        f" (SELECT from_id FROM dependents({second}, kinds => ['imports'])))"
    )
    outside = f"ext:{question.names[1]}."
    path = f"SELECT near.path FROM deps({first}) AS used JOIN nodes AS near ON near.id = from_id"
    uses = (
        "SELECT DISTINCT edge.target AS id, far.kind, edge.path, edge.line, edge.kind AS via,"
        " regexp_extract(edge.source, '[^:]*$') AS used_by"
        " FROM edges AS edge JOIN nodes AS far ON far.id = edge.target"
        f" WHERE edge.path IN ({path}) AND far.kind <> 'module'"
        f" AND (edge.target IN ({taken}) OR starts_with(edge.target, {quoted(outside)}))"
        " ORDER BY edge.line LIMIT 30"
    )
    return [*_between(question), _query(uses)]


def _compared(question: Question) -> Plan:
    """What two names are, what is in them, and what each calls that the other does not."""
    if len(question.names) < 2:
        return []
    first, second = question.names[:2]
    plan: Plan = [("mu_describe", {"node": first}), ("mu_describe", {"node": second})]
    for name in (first, second):
        plan.append(_query(f"SHOW children OF {quoted(name)}"))
        if _FUNCTION.search(name):
            plan.append(("mu_read", {"node": name, "limit": _READ}))
    for name, other in ((first, second), (second, first)):
        plan.append(
            _query(
                f"SELECT id, kind, path, line, {quoted(name)} AS only_by FROM"
                f" deps({quoted(name)}, kinds => ['calls', 'inherits']) WHERE id NOT IN (SELECT id"
                f" FROM deps({quoted(other)}, kinds => ['calls', 'inherits'])) LIMIT 20"
            )
        )
    return plan


def _such(question: Question) -> Plan:
    """The functions of a name, or of all there are, of which a word holds."""
    word = question.names[-1].lower()
    condition = next(told for begun, told in SUCH.items() if word.startswith(begun))
    if len(question.names) > 1:
        of = quoted(question.names[0])
        return [_query(f"SHOW children OF {of} WHERE kind = 'function' AND {condition}")]
    where = conjunction(condition, "NOT is_test", lies_within(question.scope))
    return [_query(f"SELECT {_PLACE} FROM functions{where} ORDER BY path, line LIMIT 100")]


def _counted(question: Question) -> Plan:
    sort = question.names[0].lower()
    if sort in {"tests", "test"}:
        return [_query(_NAMED_TESTS.replace("{within}", lies_within(question.scope)))]
    relation, _, condition = _RELATIONS.get(sort, "").partition(" WHERE ")
    if question.scope and relation in {"edges", "calls", "imports"}:
        return []
    if not relation:
        return _listed(question)
    inside = f"'/' || path || '/' LIKE {quoted(f'%/{question.scope}/%')}"
    part = inside if relation == "files" and question.scope else lies_within(question.scope)
    return [_query(f"SELECT count(*) FROM {relation}{conjunction(condition or 'true', part)}")]


def _largest(question: Question) -> Plan:
    relation = _RELATIONS.get(question.names[0].lower(), "") if question.names else "functions"
    if relation in {"files", "modules"}:
        part = quoted(f"%/{question.scope.strip('/')}/%")
        where = f" WHERE '/' || path || '/' LIKE {part}" if question.scope else ""
        return [_query(f"SELECT path, lines FROM files{where} ORDER BY lines DESC LIMIT 15")]
    if relation not in {"classes", "functions", "methods"}:
        return []
    where = conjunction(lies_within(question.scope))
    return [_query(f"SELECT {_PLACE}, lines FROM {relation}{where} ORDER BY lines DESC LIMIT 15")]


def _most_used(question: Question) -> Plan:
    """What most edges lead to, of a sort when one is named; for files, those from other files."""
    names = question.names
    sort = _RELATIONS.get(names[1].lower(), "") if len(names) > 1 else ""
    if sort in {"files", "modules"}:
        kind = " AND edge.kind = 'imports'" if names[0].lower() == "imported" else ""
        return [
            _query(
                "SELECT far.path, count(DISTINCT near.path) AS files FROM edges AS edge"
                " JOIN nodes AS far ON far.id = edge.target"
                " JOIN nodes AS near ON near.id = edge.source"
                f" WHERE edge.kind <> 'contains'{kind} AND far.path <> near.path"
                " GROUP BY ALL ORDER BY files DESC, far.path LIMIT 15"
            )
        ]
    relation = {"called": "calls", "imported": "imports"}.get(names[0].lower(), "edges")
    kinds = "" if relation != "edges" else " AND edge.kind <> 'contains'"
    return [
        _query(
            "SELECT far.id, far.kind, far.path, far.start_line AS line, count(*) AS times"
            f" FROM {relation} AS edge JOIN nodes AS far ON far.id = edge.target"
            f" WHERE far.kind <> 'external'{kinds}{_of_sort(sort)}"
            " GROUP BY ALL ORDER BY times DESC LIMIT 15"
        )
    ]


def _of_sort(relation: str) -> str:
    is_known = relation in {"classes", "functions", "methods"}
    return f" AND far.id IN (SELECT id FROM {relation})" if is_known else ""


def is_by_word(question: Question) -> bool:
    """Tell whether a list is filtered by a word, and not a list of all nodes of a kind."""
    words = question.names[0].lower().split() if question.names else []
    is_sort = len(words) == 1 and (words[0] in _RELATIONS or _stem(words[0]) in _SUBKINDS)
    return question.kind in (Kind.LISTING, Kind.COUNT) and not is_sort


def _listed(question: Question) -> Plan:
    """All of a sort; for a word such as `models`, the classes that are or extend one so called."""
    words = question.names[0].lower().split()
    relation = _RELATIONS.get(words[-1])
    if relation and len(words) == 1:
        return [_query(_all_of(relation, question.scope))]
    is_sort = relation or (len(words) > 1 and words[-1] in _SORTS)
    meant = [_stem(word) for word in (words[:-1] if is_sort else words)]
    part = within(question)
    if len(words) == 1 and meant[0] in _SUBKINDS:
        where = conjunction(f"subkind = '{meant[0]}'", part)
        order = "ORDER BY is_test, path, line LIMIT 200"
        return [_query(f"SELECT {_PLACE} FROM nodes{where} {order}")]
    inside = "" if part == "true" else f" AND near.id IN (SELECT id FROM nodes WHERE {part})"
    columns = ("near.name", "near.path", "parse_filename(near.path, true)")
    named, placed, filed = (_all_like(column, meant) for column in columns)
    types = [f"contains(near.returns, {quoted(word.capitalize())})" for word in meant]
    returned = " AND ".join(types)
    return [
        _query(
            "WITH RECURSIVE below(id) AS (SELECT near.id FROM nodes AS near WHERE"
            f" near.kind IN ('class', 'external') AND {named} UNION SELECT edge.source"
            " FROM inherits AS edge JOIN below ON edge.target = below.id)"
            " SELECT near.id, near.kind, near.path, near.start_line AS line FROM classes AS near"
            f" WHERE NOT near.is_test AND (near.id IN (FROM below) OR {placed}){inside}"
            f" ORDER BY NOT {named}, near.path, line LIMIT 100"
        ),
        _query(
            "SELECT near.id, near.kind, near.path, near.start_line AS line FROM functions AS near"
            f" WHERE NOT near.is_test AND near.visibility = 'public'"
            " AND near.id NOT IN (SELECT id FROM methods)"
            f" AND ({named} OR {returned} OR {filed}){inside}"
            f" ORDER BY NOT {named}, near.path, line LIMIT 60"
        ),
        _query(
            f"SELECT path, lines FROM files WHERE category = 'source' AND"
            f" {_all_like('path', meant)} ORDER BY path LIMIT 100"
        ),
    ]


def _all_like(column: str, words: Sequence[str]) -> str:
    """The condition that a column has all the words in it."""
    return f"({' AND '.join(f'{column} ILIKE ' + quoted(f'%{word}%') for word in words)})"


def _all_of(relation: str, scope: str) -> str:
    relation, _, condition = relation.partition(" WHERE ")
    if relation == "files":
        part = quoted(f"%/{scope.strip('/')}/%")
        where = f" WHERE '/' || path || '/' LIKE {part}" if scope else ""
        return f"SELECT path, lines FROM files{where} LIMIT 200"
    where = conjunction(condition or "NOT is_test", lies_within(scope))
    return f"SELECT {_PLACE} FROM {relation}{where} LIMIT 200"


def _extending(question: Question) -> Plan:
    """What extends a class, which may be named in the plural."""
    name = question.names[0]
    names = [name, name[:-1]] if name[-1:] == "s" and name[-2:] != "ss" else [name]
    return [_query(f"SHOW subclasses OF {quoted(name)}") for name in names]


def _described_with(show: str) -> Callable[[Question], Plan]:
    """What is known of a name, and what one more query shows of it."""
    return lambda question: [
        ("mu_describe", {"node": question.names[0]}),
        _query(f"SHOW {show} OF {quoted(question.names[0])}"),
    ]


def _known(question: Question) -> Plan:
    """What is known of a name, and what uses it."""
    node = question.names[0]
    return [
        ("mu_describe", {"node": node}),
        ("mu_deps", {"node": node, "direction": "incoming"}),
    ]


def _cycles(question: Question) -> Plan:
    """The cycles of imports, of the whole repository or of a part."""
    if not question.scope:
        return [("mu_cycles", {})]
    return [_query(f"FIND CYCLES IN {quoted(question.scope)} LIMIT 20")]


def _part_unused(question: Question) -> Plan:
    part = f" FOR {quoted(question.scope)}" if question.scope else ""
    return [_query(f"ANALYZE unused{part} LIMIT 40")]


_PLANNERS: dict[Kind, Callable[[Question], Plan]] = {
    Kind.IMPACT: _tool("mu_impact"),
    Kind.ANCESTORS: _tool("mu_ancestors"),
    Kind.DEPENDENCIES: _tool("mu_deps", limit=_ROWS),
    Kind.DEPENDENTS: _tool("mu_deps", direction="incoming", limit=_ROWS),
    Kind.WHY: _why,
    Kind.COMPARED: _compared,
    Kind.SUCH: _such,
    Kind.LENGTH: _tool("mu_describe"),
    Kind.PATH: _between,
    Kind.CYCLES: _cycles,
    Kind.CODEBASE: lambda _: [
        ("analyze_codebase", {"detail": "overview", "max_tokens": _OVERVIEW_TOKENS})
    ],
    Kind.SUBCLASSES: _extending,
    Kind.UNUSED: _part_unused,
    Kind.LARGEST: _largest,
    Kind.MOST_USED: _most_used,
    Kind.COUNT: _counted,
    Kind.LISTING: _listed,
    Kind.WHERE: _tool("mu_describe"),
    Kind.DESCRIPTION: _tool("mu_describe"),
    Kind.FLOW: _described_with("callees"),
    Kind.OUTLINE: _described_with("children"),
    Kind.NAMED: _known,
}
"""How the questions are answered that their own MUQL does not answer."""
