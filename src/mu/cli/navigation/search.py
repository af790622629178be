"""`mu search`: definitions by name or by words."""

from typing import Unpack

import click

from mu.cli.arguments import options, walk_options
from mu.cli.arguments.operation_call import ask
from mu.cli.display.result_output import show
from mu.model.kinds import NodeKind
from mu.operations.navigation.search import search as find_nodes


class _Search(options.Paged, walk_options.Scoped):
    words: tuple[str, ...]
    kind: tuple[str, ...]


@click.command(
    params=[
        click.Argument(["words"], nargs=-1, required=True),
        click.Option(
            ["--kind"],
            type=click.Choice([kind.value for kind in NodeKind]),
            multiple=True,
            metavar="KIND",
            help=f"Find only nodes of this kind: {', '.join(NodeKind)}; may be repeated.",
        ),
        *walk_options.SCOPE,
        *options.page(20),
        *options.FORM,
    ]
)
@click.pass_obj
def search(folder: str | None, /, **given: Unpack[_Search]) -> None:
    """Find nodes by WORDS: a name, a part of one, or a question.

    Names that are the words, or begin with them, come first, then what says most about them in its
    name, path, signature, docstring, comments and strings; tests and generated code come last.
    Endings and common abbreviations do not matter: auth is authentication, and never author.
    Columns: id, name, kind, path, line, score from 0 to 1, and why.

    \b
    Examples:
      mu search AuthService
      mu search what handles auth
    """
    result = ask(
        folder,
        find_nodes,
        " ".join(given["words"]),
        kinds=tuple(NodeKind(kind) for kind in given["kind"]) or tuple(NodeKind),
        scope=walk_options.scope(given),
        limit=options.row_limit(given),
        offset=given["offset"],
    )
    show(result, options.form(given))
