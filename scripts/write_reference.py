"""Write the pages of `docs/reference` that are made from the code; a test compares them with it."""

import ast
import inspect
import textwrap
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import click

from mu import config
from mu.cli.application import application
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


PAGES: Mapping[str, Callable[[], str]] = {
    "cli.md": cli_page,
    "operations.md": operations_page,
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
