"""Write the pages of `docs/reference` that are made from the code; a test compares them with it."""

import ast
import dataclasses
import inspect
import json
import re
import textwrap
import typing
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

import click

import mu
from mu import config
from mu.analysis.node_search.node_resolution import FoundNode
from mu.api import OpenWorkspace
from mu.cli.application import application
from mu.daemon.openapi import openapi_document
from mu.mcp.server import make_server
from mu.muql import grammar
from mu.muql.graph_functions.functions import FUNCTIONS, GraphFunction
from mu.muql.named_queries.invocation import signature
from mu.muql.named_queries.library import Library
from mu.muql.named_queries.named_query import NamedQuery
from mu.operations.graph_file.live_workspace import LiveWorkspace
from mu.operations.registry import OPERATIONS
from mu.store import ALIASES, PUBLIC, RelationSchema, relation_schema

WIDTH = 78  # what a terminal of 80 columns gets
REFERENCE = Path(__file__).resolve().parents[1] / "docs" / "reference"

REACH = {
    config.Reach.FREE: "yes",
    config.Reach.LOWER: "may lower it",
    config.Reach.NONE: "no",
}


_SETTINGS = """\
# Settings

A flag is stronger than a `MU_*` variable, that than your own `config.toml`, that than the
repository's `mu.toml`, and that than the default. A stronger value replaces a weaker one; lists are
not joined. `mu config` shows each value in force, where it came from, and where your own file is.

The part of a name before the dot is the section of a file:

```toml
[build]
exclude = ["third_party/"]
roots = ["src"]

[query]
timeout = 5
```

A list in a variable is separated by commas. Patterns are written like lines of a `.gitignore`. An
unknown section or key, a wrong type, and a `mu.toml` that would widen what MU does are errors that
name the place.

| setting | default | variable | in `mu.toml` | meaning |
|---|---|---|---|---|
"""


def cli_page() -> str:
    """Every command with its help, as it is printed 80 columns wide."""
    context = click.Context(
        application, info_name="mu", terminal_width=WIDTH, **application.context_settings
    )
    parts = [
        "# Commands",
        "The console scripts `mu` and `mubase` are the same.",
        *(f"## `{path}`\n\n```\n{text}\n```" for path, text in _commands(context)),
    ]
    return "\n\n".join(parts) + "\n"


def settings_page() -> str:
    """Every setting: name, default, variable, what a repository may do, meaning."""
    rows = [
        f"| `{key.name}` | {_shown(key.default)} | `{key.variable}` | {REACH[key.reach]} "
        f"| {key.summary} |"
        for key in config.KEYS
    ]
    return _SETTINGS + "\n".join(rows) + "\n"


_RELATIONS = """\
# Relations

What a query may name. Lines count from 1, paths are relative to the root and written with `/`, ids
are unique in a graph. An edge's `source` depends on its `target`, except for `contains`.

Each relation that says "the columns of" another has just those, without repeating them here.
"""


def relations_page() -> str:
    """Every public relation: its columns, unless they are those of `nodes` or `edges`."""
    short = {name: alias for alias, name in ALIASES.items()}
    parts = []
    for name in PUBLIC:
        schema = relation_schema(name)
        also = f" Also called `{short[name]}`." if name in short else ""
        parts.append(f"\n## `{name}`\n\n{schema.comment}{also}\n")
        if not _is_repeating(schema):
            rows = [f"| `{column.name}` | {column.comment} |" for column in schema.columns]
            parts.append("\n".join(["", "| column | what it holds |", "|---|---|", *rows, ""]))
    return _RELATIONS + "".join(parts)


def _is_repeating(schema: RelationSchema) -> bool:
    wholes = [relation_schema(name) for name in ("nodes", "edges") if name != schema.name]
    return any(set(schema.columns) <= set(whole.columns) for whole in wholes)


_OPERATIONS = """\
# Operations

What every surface calls: plain functions, from arguments to a frozen result that a
[command](cli.md) shows.
"""


def operations_page() -> str:
    """Every operation: how it is called, and what it does."""
    parts = [_OPERATIONS]
    for operation in OPERATIONS:
        [tree] = ast.parse(textwrap.dedent(inspect.getsource(operation))).body
        call = f"{operation.__name__}({ast.unparse(tree.args)}) -> {ast.unparse(tree.returns)}"
        text = inspect.getdoc(operation)
        parts.append(f"\n## `{operation.__name__}`\n\n```python\n{call}\n```\n\n{text}\n")
    return "".join(parts)


_PYTHON = """\
# Python

The functions of the package `mu`, the methods of the workspace that `mu.open` gives, and what they
answer. The [guide](../guides/python.md) shows how they are used. Each method raises `mu.MuError`.
"""

_METHODS = """
## Methods of a workspace

`root` is the folder. `close()` closes the graph, as leaving a `with` block does. Other arguments
than the first one or two go by name.
"""

_RESULTS = """
## Results and arguments

All are frozen. `str(result)` is readable text, and a notebook shows tables. Results of rows have
`records()`: a mapping from columns to values for each row.
"""


def python_page() -> str:
    """The Python API: functions, methods, and the fields of what they take and give."""
    parts = [_PYTHON]
    for function in (mu.open, mu.build):
        parts.append(_callable(function, f"mu.{function.__name__}", drop=0))
    parts.append(_METHODS)
    for operation in OPERATIONS:
        method = getattr(OpenWorkspace, operation.__name__)
        parts.append(_callable(method, operation.__name__, drop=1))
    parts.append(_RESULTS)
    return "".join([*parts, *map(_value, sorted(_values(), key=lambda each: each.__name__))])


def _callable(function: Callable[..., object], name: str, *, drop: int) -> str:
    """Write a function without its first `drop` arguments."""
    [tree] = ast.parse(textwrap.dedent(inspect.getsource(function))).body
    del tree.args.args[:drop]
    for each in (*tree.args.args, *tree.args.kwonlyargs):
        each.annotation = _unquoted(each.annotation)
    call = f"{name}({ast.unparse(tree.args)}) -> {ast.unparse(_unquoted(tree.returns))}"
    depth = "###" if drop else "##"
    text = inspect.getdoc(function)
    return f"\n{depth} `{name}`\n\n```python\n{call}\n```\n\n{text}\n"


def _unquoted(annotation: ast.expr | None) -> ast.expr | None:
    """Give what an annotation that is written as text says."""
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        return ast.parse(annotation.value, mode="eval").body
    return annotation


def _values() -> set[type]:
    """Find the classes of values that methods give, and those that are part of them."""
    found: set[object] = set()
    open_types: list[object] = [mu.Scope, mu.Supplied]
    for operation in OPERATIONS:
        open_types.append(inspect.signature(operation, eval_str=True).return_annotation)
    while open_types:
        each = open_types.pop()
        open_types += typing.get_args(each)
        if dataclasses.is_dataclass(each) and each not in found:
            found.add(each)
            open_types += [_named_type(field.type, each) for field in dataclasses.fields(each)]
    return {each for each in found if isinstance(each, type)}


def _named_type(annotation: object, owner: type) -> object:
    """Give the type of a field, of which some are written as text."""
    if not isinstance(annotation, str):
        return annotation
    return FoundNode if annotation == "FoundNode" else owner


def _value(kind: type) -> str:
    rows = [f"- `{field.name}: {_type_text(field.type)}`" for field in dataclasses.fields(kind)]
    fields = "\n".join(rows)
    return f"\n### `{kind.__name__}`\n\n{inspect.getdoc(kind)}\n\n{fields}\n"


def _type_text(annotation: object) -> str:
    text = annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)
    return re.sub(r"\b(?:[a-z_]\w*\.)+", "", text)


_QUERIES = """\
# Named queries

Queries that ship with MU, called by name: `mu query "@hotspots(least := 10)"`. Arguments go by
name or by place; those that have a default may be left out. A text or a [node
reference](cli.md#mu) needs no quotes unless it holds a space, a comma or a bracket. `mu query
--list` lists them in a terminal.

## Your own

A project keeps its own in `.mu/queries`, a file each. `.mu/queries/callers_in.muql` is called as
`@callers_in(node := AuthService.login)`:

```sql
-- What calls a node from files below a folder.
-- parameter node node: what is called
-- parameter prefix text := '': only files whose path begins so
SELECT source, path, line FROM calls
WHERE target = $node AND starts_with(path, $prefix)
ORDER BY path, line
```

The comments on top say what the query gives and declare its parameters: a name, a type (`text`,
`integer`, `number`, `boolean`, or `node`, which takes a node reference and is the id of that
node), a default if there is one, and what it means. Values are bound to the `$name`s and never
become a part of the text. What the query may do is what any query may. A name that ships with MU
cannot be taken; a file that cannot be used is listed with the reason, and does no harm to the
others.

## The library

A test is a function or file that is told to be one by its name or place. Nodes of tests are left
out unless the query is about them.
"""


def queries_page() -> str:
    """Every named query that ships with MU: its call, what it gives, its parameters and text."""
    entries = Library(None).entries()
    return _QUERIES + "".join(_query_section(entry.query) for entry in entries if entry.query)


def _query_section(query: NamedQuery) -> str:
    rows = [f"| `{p.name}` | {p.type} | {p.meaning} |" for p in query.parameters]
    table = ["", "| parameter | type | what it means |", "|---|---|---|", *rows, ""] if rows else []
    body = "\n".join(line for line in query.text.splitlines() if not line.startswith("--"))
    return (
        f"\n### `{signature(query)}`\n\n{query.description}\n"
        + "\n".join(table)
        + f"\n```sql\n{body}\n```\n"
    )


_MUQL = """\
# MUQL

One language for people, programs and language models, of two families: SELECT, as in DuckDB, over
the [relations](relations.md) and the graph functions below and nothing else; and the graph
statements. Keywords may be in any case, `--` and `/* */` are comments, a `;` at the end is fine,
and a query is one statement. [Added columns](../guides/columns.md) are columns of `nodes`,
`modules`, `classes`, `functions` and `methods`.

A *node* is an id, a path, `path:line`, `path:name`, a qualified name, the end of one, or a bare
name; a method may be named by a class that only inherits it, and plain words (`'connection pool'`)
mean the name that is made of them, where nothing else fits. So do the spellings of other tools: an
absolute path, `path:line:column`, `path#L12`, `path::Class::name[case]`, `package.module:name`,
`Class#name`, `name(argument, ...)`, `(*Type).name`, a path without its ending. A statement takes it
without quotes unless it holds spaces or commas. A graph function takes it in quotes, or as a plain
dotted name.

## Graph statements

The clauses of a statement may stand in any order, each once, but `WHERE` before `ORDER BY`. A
condition may name the columns of the answer and, where a row has an `id`, those of its node in
`nodes`.

The answer of a statement is a listing; that of a SELECT is a table of the columns that it names
([formats](answers.md)). `SHOW` of a walk, such as `SHOW callers OF login`, answers like the
command of that name, with the same verdict. Its rows have the
[columns of sites](answers.md#columns-of-a-walk): the place and the source text of the call, the
rule that resolved it, and how many definitions it may mean. The graph functions have the columns
listed below, without those of sites.
"""

_REVISIONS = """
## Revisions

`AT 'rev'` and `CHANGED BETWEEN 'a' AND 'b'` stand
[behind a query](../guides/reviewing.md#ask-the-past).
"""

_FUNCTIONS = """
## Graph functions

They stand in `FROM`, of any SELECT within a query, with arguments by place or by name:

```sql
SELECT f.path, f.name, f.complexity, i.distance
FROM impact('AuthService') i JOIN functions f USING (id)
WHERE NOT f.is_test ORDER BY f.complexity DESC LIMIT 10
```

A call is evaluated once, before the query. `deps`, `dependents`, `callers` and `callees` may be
asked for the node of every row, one step deep, where a column of ids is the argument:

```sql
SELECT f.name, c.name AS caller FROM functions f, callers(f.id) c WHERE f.complexity > 10
```
"""

_CARD = """
## The card

What a language model is told of the statements:

```text
{card}
```
"""


def muql_page() -> str:
    """The statements and functions of the query language, from the tables of its grammar."""
    parts = [_MUQL]
    for statement in grammar.STATEMENTS:
        parts.append(_statement(statement))
    choices = (
        ("What SHOW can show", grammar.QUESTIONS),
        ("What FIND can find", grammar.THINGS),
        ("What ANALYZE measures", grammar.METRICS),
    )
    for title, meanings in choices:
        rows = [
            f"| `{name}` | {text.replace('|', chr(92) + '|')} |" for name, text in meanings.items()
        ]
        parts.append("\n".join([f"\n### {title}\n", "| | |", "|---|---|", *rows, ""]))
    parts.append(_FUNCTIONS)
    parts += [_function(function) for function in FUNCTIONS.values()]
    parts.append(_REVISIONS)
    parts.append(_CARD.format(card=grammar.card()))
    return "".join(parts)


def _statement(statement: grammar.Statement) -> str:
    clauses = [grammar.CLAUSES[name] for name in statement.clauses]
    rows = [f"| `{c.syntax}` | {c.meaning} |" for c in clauses]
    table = ["", "| clause | |", "|---|---|", *rows] if rows else []
    lines = [f"\n### `{statement.syntax}`\n", f"{statement.meaning}.", *table]
    examples = "\n".join(statement.examples)
    return "\n".join([*lines, "", "```sql", examples, "```", ""])


def _function(function: GraphFunction) -> str:
    rows = [f"| `{c.name}` | {c.comment} |" for c in function.columns]
    lines = [f"\n### `{function.name}`\n", "```sql", f"SELECT * FROM {function.call}", "```", ""]
    lines += [f"`{function.signature}`: {function.meaning}.", ""]
    return "\n".join([*lines, "| column | what it holds |", "|---|---|", *rows, ""])


def mcp_page() -> str:
    """Every tool, resource and prompt of the MCP server, as clients are told of them."""
    with LiveWorkspace(REFERENCE) as live:
        server = make_server(live)
    parts = [
        "# MCP tools",
        "What `mu mcp` gives [coding assistants](../guides/assistants.md); all tools only read.",
    ]
    for tool in server._tool_manager.list_tools():
        required = tool.parameters.get("required", [])
        rows = _arguments(tool.parameters["properties"], required)
        parts.append(f"## `{tool.name}`\n\n{tool.description}\n\n{rows}".rstrip())
    rows = [f"| `{each.uri_template}` | {each.description} |"
            for each in server._resource_manager.list_templates()]  # fmt: skip
    parts.append("\n".join(["## Resources\n", "| address | what it gives |", "|---|---|", *rows]))
    rows = [
        f"| `{each.name}` | {each.description} |" for each in server._prompt_manager.list_prompts()
    ]
    parts.append("\n".join(["## Prompts\n", "| prompt | what it asks for |", "|---|---|", *rows]))
    return "\n\n".join(parts) + "\n"


def http_page() -> str:
    """Every address of the daemon, from its OpenAPI document."""
    document = json.loads(openapi_document())
    schemas = document["components"]["schemas"]
    parts = [
        "# HTTP API",
        "Addresses of the [daemon](../guides/daemon.md), which serves the same as OpenAPI 3.1 at "
        "`/openapi.json`. Each takes the token; a POST takes `workspace`, the folder, and "
        "`arguments`, which are listed. Results are those of the [operations](operations.md).",
    ]
    for path, methods in document["paths"].items():
        for method, described in methods.items():
            body = described.get("requestBody", {}).get("content", {}).get("application/json", {})
            given = body.get("schema", {}).get("properties", {}).get("arguments", {})
            schema = schemas.get(given.get("$ref", "").rpartition("/")[2], given)
            rows = _arguments(schema.get("properties", {}), schema.get("required", []))
            summary = " ".join(described["summary"].split())
            parts.append(f"## `{method.upper()} {path}`\n\n{summary}\n\n{rows}".rstrip())
    return "\n\n".join(parts) + "\n"


def _arguments(properties: Mapping[str, typing.Any], required: Iterable[str]) -> str:
    """List arguments with their types and defaults; empty for none."""
    rows = []
    for name, schema in properties.items():
        default = "required" if name in required else f"`{json.dumps(schema.get('default'))}`"
        about = schema.get("description", "")
        rows.append(f"| `{name}` | {_json_type(schema)} | {default} | {about} |")
    return (
        "\n".join(["| argument | type | default | |", "|---|---|---|---|", *rows]) if rows else ""
    )


def _json_type(schema: Mapping[str, typing.Any]) -> str:
    """Name the type that a JSON schema stands for."""
    if "enum" in schema:
        return ", ".join(f"`{json.dumps(each)}`" for each in schema["enum"])
    if "anyOf" in schema:
        return " or ".join(map(_json_type, schema["anyOf"]))
    if "$ref" in schema:
        return str(schema["$ref"].rpartition("/")[2])
    if schema.get("type") == "array":
        inner = _json_type(schema["items"]) if isinstance(schema.get("items"), dict) else "values"
        return f"list of {inner}"
    return str(schema.get("type", "any"))


PAGES: Mapping[str, Callable[[], str]] = {
    "mcp.md": mcp_page,
    "http.md": http_page,
    "cli.md": cli_page,
    "muql.md": muql_page,
    "operations.md": operations_page,
    "python.md": python_page,
    "queries.md": queries_page,
    "relations.md": relations_page,
    "settings.md": settings_page,
}


def _commands(context: click.Context) -> Iterator[tuple[str, str]]:
    yield context.command_path, context.get_help()
    if not isinstance(context.command, click.Group):
        return
    for name in context.command.list_commands(context):
        command = context.command.get_command(context, name)
        if command is not None and not command.hidden:
            yield from _commands(
                click.Context(command, info_name=name, parent=context, terminal_width=WIDTH)
            )


def _shown(value: config.Value) -> str:
    if isinstance(value, tuple):
        return "none"
    return f"{value:g}" if isinstance(value, float) else f"{value:,}"


if __name__ == "__main__":
    for name, page in PAGES.items():
        (REFERENCE / name).write_text(page(), encoding="utf-8")
