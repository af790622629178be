"""Check the syntax tree of a SELECT against what MUQL allows: a closed world.

The tree is the engine's own, so what is checked is what runs. Everything in it is named on a list
or refused: shapes of clauses, relations, functions, types. A relation is a public one or a common
table expression *in scope*; the scopes matter, because a name out of scope would fall through to
the engine's own tables.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace

from mu.muql.allowed import allowed
from mu.muql.errors import MuqlError
from mu.muql.nearest import did_you_mean
from mu.muql.text import Place, locate_bytes, locate_word, shown
from mu.muql.tree import Json, JsonObject
from mu.store import ALIASES, PUBLIC

MAX_DEPTH = 100
MAX_LIST = 1_000
MAX_RANGE = 1_000_000
MAX_PATTERN = 1_000
MAX_GROWING = 3
MAX_REPLACEMENT = 16

_NOWHERE = 1 << 62
_GROWING = frozenset({"replace", "regexp_replace", "translate"})
_VALUE_FUNCTIONS = frozenset({
    "current_catalog", "current_database", "current_date", "current_localtime",
    "current_localtimestamp", "current_query", "current_role", "current_schema", "current_time",
    "current_timestamp", "current_user", "localtime", "localtimestamp", "session_user", "user",
})  # fmt: skip
_SCHEMAS = frozenset({
    "main", "temp", "system", "memory", "graph", "pg_catalog", "information_schema",
})  # fmt: skip
_COLLATIONS = frozenset({"nocase", "noaccent", "nfc"})
_REFUSED_CLAUSES = {
    "PIVOT": "PIVOT is not part of MUQL",
    "SHOW_REF": "the engine's SHOW, DESCRIBE and SUMMARIZE are not part of MUQL",
    "VALUE_PARAMETER": "a parameter is allowed only in a named query, which declares it",
    "INSERT_QUERY_NODE": "INSERT is not part of MUQL: queries only read the graph",
    "UPDATE_QUERY_NODE": "UPDATE is not part of MUQL: queries only read the graph",
    "DELETE_QUERY_NODE": "DELETE is not part of MUQL: queries only read the graph",
    "MERGE_QUERY_NODE": "MERGE is not part of MUQL: queries only read the graph",
}
_CLAUSE_WORDS = {"SHOW_REF": ("show", "describe", "desc", "summarize")}


@dataclass(frozen=True, slots=True)
class _Scope:
    relations: frozenset[str] = frozenset()
    depth: int = 0
    recursive: bool = False
    in_from: bool = False


@dataclass(slots=True)
class _Checked:
    """What the check learned of a query on its way."""

    known_parameters: Collection[str]
    relations: set[str] = field(default_factory=set)
    parameters: set[str] = field(default_factory=set)
    calls: list[JsonObject] = field(default_factory=list)
    bare_columns: set[int] = field(default_factory=set)
    has_star: bool = False
    growing: int = 0


@dataclass(frozen=True, slots=True)
class CheckedSelect:
    """What is known of a SELECT that passed.

    `relations` are the public relations it names, `parameters` the `$name`s in it; `calls` are the
    parts of the tree that call graph functions, whose arguments are still to be checked;
    `bare_columns` are the byte offsets of columns that are items of a SELECT list without an alias;
    `has_star` says that it asks for all columns of something.
    """

    relations: frozenset[str]
    parameters: frozenset[str]
    calls: tuple[JsonObject, ...]
    bare_columns: frozenset[int]
    has_star: bool = False


def check_select(
    text: str,
    tree: JsonObject,
    *,
    parameters: Collection[str],
    known: Collection[str] = frozenset(),
) -> CheckedSelect:
    """Walk the tree of one statement, which may name `parameters`.

    `known` are names of tables, in lower case, that it may read beside the public relations. Raises
    MuqlError at the first thing that is not allowed.
    """
    checked = _Checked(parameters)
    pending: list[tuple[Json, _Scope]] = [(tree, _Scope(frozenset(known)))]
    while pending:
        value, scope = pending.pop()
        if isinstance(value, list):
            if len(value) > MAX_LIST:
                raise MuqlError(
                    f"a list of more than {MAX_LIST:,} items", _first_place(text, value)
                )
            pending.extend((item, scope) for item in reversed(value))
        elif isinstance(value, dict):
            if isinstance(value.get("type"), str):
                scope = replace(scope, depth=scope.depth + 1)
                if scope.depth > MAX_DEPTH:
                    place = _place(text, value)
                    raise MuqlError(f"nested more than {MAX_DEPTH} levels deep", place)
                _check_clause(text, value, scope, checked)
            pending.extend(reversed(list(_children(value, scope))))
    return CheckedSelect(
        frozenset(checked.relations),
        frozenset(checked.parameters),
        tuple(checked.calls),
        frozenset(checked.bare_columns),
        checked.has_star,
    )


def _children(node: JsonObject, scope: _Scope) -> Iterator[tuple[Json, _Scope]]:
    """Give the parts of a node, each with the relations it may name beside the public ones."""
    expressions = node.get("cte_map")
    if isinstance(expressions, dict):
        entries = expressions.get("map")
        for entry in entries if isinstance(entries, list) else []:
            if isinstance(entry, dict):
                yield entry.get("value"), scope
                name = str(entry.get("key", "")).lower()
                scope = replace(scope, relations=scope.relations | {name})
    kind = node.get("type")
    kind = kind if isinstance(kind, str) else ""
    if kind == "TABLE_FUNCTION" and _is_graph_function(node):
        yield node.get("sample"), scope
        return
    for key, value in node.items():
        if key == "cte_map" or not isinstance(value, (dict, list)):
            continue
        if kind == "RECURSIVE_CTE_NODE" and key == "right":
            name = str(node.get("cte_name", "")).lower()
            yield value, replace(scope, relations=scope.relations | {name}, recursive=True)
        elif kind in {"COMPARE_IN", "COMPARE_NOT_IN"} and isinstance(value, list):
            yield value[:1], scope  # what is looked for stands before the list
            yield value[1:], scope
        elif kind in {"TABLE_FUNCTION", "FUNCTION"}:
            yield value, replace(scope, in_from=kind == "TABLE_FUNCTION")
        else:
            yield value, scope


def _check_clause(text: str, node: JsonObject, scope: _Scope, checked: _Checked) -> None:
    kind = str(node["type"])
    if kind == "VALUE_PARAMETER" and checked.known_parameters:
        _check_parameter(text, node, checked)
    elif kind not in allowed("clauses"):
        what = _REFUSED_CLAUSES.get(kind, f"{kind.replace('_', ' ').lower()} is not part of MUQL")
        words = _CLAUSE_WORDS.get(kind, (kind.partition("_")[0].lower(),))
        raise MuqlError(what, _place(text, node) or locate_word(text, words))
    if kind == "SELECT_NODE":
        checked.bare_columns.update(_bare_columns(node))
    elif kind == "BASE_TABLE":
        _check_relation(text, node, scope, checked)
    elif kind == "TABLE_FUNCTION":
        _check_table_function(text, node, checked)
    elif kind == "FUNCTION":
        _check_function(text, node, scope, checked)
    elif kind.startswith("WINDOW_"):
        _check_window(text, node)
    elif kind == "TYPE":
        _check_type(text, node)
    elif kind == "COLLATE":
        _check_collation(text, node)
    elif kind == "COLUMN_REF":
        _check_column(text, node)
    elif kind == "STAR":
        checked.has_star = True
    elif kind == "RECURSIVE_CTE_NODE" and node.get("key_targets"):
        raise MuqlError("USING KEY is not part of MUQL", locate_word(text, {"using"}))


def _check_parameter(text: str, node: JsonObject, checked: _Checked) -> None:
    name = str(node.get("identifier", ""))
    if name not in checked.known_parameters:
        known = checked.known_parameters
        what = did_you_mean(f"unknown parameter `${shown(name)}`", name, among=known)
        raise MuqlError(what, _place(text, node), f"the parameters are {', '.join(known)}")
    checked.parameters.add(name)


def _check_relation(text: str, node: JsonObject, scope: _Scope, checked: _Checked) -> None:
    name = str(node.get("table_name", ""))
    place = _place(text, node)
    if node.get("schema_name") or node.get("catalog_name"):
        raise MuqlError(f"relations have no schema: write `{shown(name)}` alone", place)
    if node.get("at_clause") is not None:
        raise MuqlError("AT is not part of MUQL here", place)
    if name.lower() in scope.relations:
        return
    if name.lower() not in PUBLIC and name.lower() not in ALIASES:
        raise _unknown_relation(name, place, scope)
    checked.relations.add(ALIASES.get(name.lower(), name.lower()))


def _unknown_relation(name: str, place: Place | None, scope: _Scope) -> MuqlError:
    from mu.muql.graph_functions.functions import (
        FUNCTIONS,  # a SELECT without a function does not pay for it
    )

    if name.lower() in FUNCTIONS:
        what = f"`{name.lower()}` is a function: it needs its arguments in brackets"
        hint = f"this works: SELECT * FROM {FUNCTIONS[name.lower()].call}"
        return MuqlError(what, place, hint)
    names = (*PUBLIC, *ALIASES, *scope.relations)
    what = did_you_mean(f"unknown relation `{shown(name)}`", name, among=names)
    return MuqlError(what, place, f"the relations are {', '.join(PUBLIC)}")


def _is_graph_function(node: JsonObject) -> bool:
    from mu.muql.graph_functions.functions import FUNCTIONS

    call = node.get("function")
    return isinstance(call, dict) and str(call.get("function_name", "")).lower() in FUNCTIONS


def _check_table_function(text: str, node: JsonObject, checked: _Checked) -> None:
    from mu.muql.graph_functions.functions import FUNCTIONS

    function = node.get("function")
    call = function if isinstance(function, dict) else {}
    name = str(call.get("function_name", "")).lower()
    place = _place(text, node)
    if name in FUNCTIONS and not _is_qualified(call):
        checked.calls.append(node)
        return
    if name not in allowed("table_functions") or _is_qualified(call):
        known = allowed("table_functions") | FUNCTIONS.keys()
        what = did_you_mean(f"unknown table function `{shown(name)}`", name, among=known)
        hint = "MUQL reads the graph and nothing else"
        if name in PUBLIC:
            what, hint = f"`{name}` is a relation, not a function", f"this works: FROM {name}"
        raise MuqlError(what, place, hint)
    if name == "unnest":
        return
    numbers = [_whole_number(argument) for argument in _arguments(call)]
    if not numbers or any(number is None for number in numbers):
        raise MuqlError(f"{name} takes written whole numbers only", place)
    bounds = [number for number in numbers[:2] if number is not None]
    if max(map(abs, bounds)) > MAX_RANGE:
        raise MuqlError(f"{name} goes to {MAX_RANGE:,} at most", place)


def _check_function(text: str, node: JsonObject, scope: _Scope, checked: _Checked) -> None:
    name = str(node.get("function_name", "")).lower()
    if name in allowed("table_functions") and not _is_qualified(node):
        if name != "unnest" and not scope.in_from:
            hint = f"this works: SELECT n FROM {name}(3) AS t(n)"
            raise MuqlError(f"`{name}` is allowed only in FROM", _place(text, node), hint)
        return
    known = allowed("scalar_functions") | allowed("aggregate_functions")
    if name in known and _is_in_schema(node):
        what = f"functions have no schema: write `{name}` alone"
        raise MuqlError(what, _place(text, node))
    if name not in known:
        raise _unknown_function(name, _place(text, node), known)
    constants = (_constant(argument) or "" for argument in _arguments(node))
    if "reg" in name and any(len(constant) > MAX_PATTERN for constant in constants):
        what = f"a regular expression of more than {MAX_PATTERN:,} characters"
        raise MuqlError(what, _place(text, node))
    if name in _GROWING:
        _check_growing(text, node, scope, checked)


def _unknown_function(name: str, place: Place | None, known: Collection[str]) -> MuqlError:
    from mu.muql.graph_functions.functions import FUNCTIONS

    if name in FUNCTIONS:
        hint = f"this works: SELECT * FROM {FUNCTIONS[name].call}"
        return MuqlError(f"`{name}` is allowed only in FROM", place, hint)
    if name in allowed("window_functions"):
        return MuqlError(f"`{name}` needs OVER (...)", place)
    return MuqlError(did_you_mean(f"unknown function `{shown(name)}`", name, among=known), place)


def _check_growing(text: str, node: JsonObject, scope: _Scope, checked: _Checked) -> None:
    """Bound replacements: repeated, they ask for memory that the engine's limit does not see."""
    name = str(node.get("function_name", "")).lower()
    arguments = _arguments(node)
    parts = [_constant(argument) for argument in arguments[1:3]]
    if len(parts) < 2 or parts[1] is None:
        raise MuqlError(f"the last text of `{name}` must be written out", _place(text, node))
    if name != "regexp_replace" and parts[0] and len(parts[1]) <= len(parts[0]):
        return
    if name == "regexp_replace" and not parts[1]:
        return
    checked.growing += 1
    if scope.recursive:
        raise MuqlError(
            f"`{name}` may not make text longer in a recursive query", _place(text, node)
        )
    if len(parts[1]) > MAX_REPLACEMENT or checked.growing > MAX_GROWING:
        raise MuqlError(
            f"`{name}` may make text longer {MAX_GROWING} times a query, by at most"
            f" {MAX_REPLACEMENT} characters each",
            _place(text, node),
        )


def _check_window(text: str, node: JsonObject) -> None:
    name = str(node.get("function_name", "")).lower()
    known = allowed("aggregate_functions") | allowed("window_functions")
    if name not in known or _is_qualified(node):
        what = did_you_mean(f"unknown window function `{shown(name)}`", name, among=known)
        raise MuqlError(what, _place(text, node))


def _check_type(text: str, node: JsonObject) -> None:
    name = str(node.get("type_name", "")).lower()
    if name.removesuffix(" with time zone") not in allowed("types") or _is_qualified(node):
        what = did_you_mean(f"unknown type `{shown(name)}`", name, among=allowed("types"))
        raise MuqlError(
            what,
            _place(text, node),
            "this works: SELECT CAST(complexity AS VARCHAR) FROM functions",
        )


def _check_collation(text: str, node: JsonObject) -> None:
    name = str(node.get("collation", "")).lower()
    if not set(name.split(".")) <= _COLLATIONS:
        what = did_you_mean(f"unknown collation `{shown(name)}`", name, among=_COLLATIONS)
        raise MuqlError(what, _place(text, node), f"known are {', '.join(sorted(_COLLATIONS))}")


def _check_column(text: str, node: JsonObject) -> None:
    names = node.get("column_names")
    if isinstance(names, list) and len(names) == 1 and str(names[0]).lower() in _VALUE_FUNCTIONS:
        what = (
            f"`{str(names[0]).lower()}` is not part of MUQL: an answer depends on the graph alone"
        )
        raise MuqlError(what, _place(text, node))


def _bare_columns(node: JsonObject) -> Iterator[int]:
    items = node.get("select_list")
    for item in items if isinstance(items, list) else []:
        if isinstance(item, dict) and item.get("type") == "COLUMN_REF" and not item.get("alias"):
            yield _offset(item)


def _is_in_schema(node: JsonObject) -> bool:
    """Tell a real schema from the value before a dot: `x.upper()` is `upper(x)`."""
    return bool(node.get("catalog")) or str(node.get("schema", "")).lower() in _SCHEMAS


def _is_qualified(node: JsonObject) -> bool:
    return bool(node.get("schema")) or bool(node.get("catalog"))


def _arguments(call: JsonObject) -> list[Json]:
    found = call.get("arguments")
    if not isinstance(found, list):
        return []
    return [item.get("expression", item) if isinstance(item, dict) else item for item in found]


def _constant(node: Json) -> str | None:
    if not isinstance(node, dict) or node.get("type") != "VALUE_CONSTANT":
        return None
    literal = node.get("literal")
    return str(literal.get("text", "")) if isinstance(literal, dict) else None


def _whole_number(node: Json) -> int | None:
    if isinstance(node, dict) and node.get("function_name") == "-":
        inner = [_whole_number(argument) for argument in _arguments(node)]
        return -inner[0] if len(inner) == 1 and inner[0] is not None else None
    text = _constant(node)
    return int(text) if text and text.lstrip("-").isdecimal() and len(text) < 20 else None


def _offset(node: Mapping[str, Json]) -> int:
    found = node.get("query_location")
    return found if isinstance(found, int) and found < _NOWHERE else -1


def _place(text: str, node: Mapping[str, Json]) -> Place | None:
    start = _offset(node)
    length = node.get("query_location_length")
    return (
        locate_bytes(text, start, length=length if isinstance(length, int) else 1)
        if start >= 0
        else None
    )


def _first_place(text: str, items: list[Json]) -> Place | None:
    return next((_place(text, item) for item in items if isinstance(item, dict)), None)
