"""`mu kernel export`: the graph, or a part of it, as one document."""

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict, Unpack

import click

from mu.cli.arguments import options
from mu.errors import ExitCode, MuError
from mu.model.kinds import EdgeKind, NodeKind
from mu.operations.workspace import Workspace
from mu.render.text import visible_json

if TYPE_CHECKING:
    from mu.operations.graph_file.export import Part


class _Given(TypedDict):
    form: str
    output: str | None
    node_kind: tuple[str, ...]
    edge_kind: tuple[str, ...]
    prefix: str


@click.command(
    params=[
        click.Option(
            ["--format", "form"],
            type=click.Choice(["json", "graphml", "mermaid", "dot"]),
            default="json",
            show_default=True,
            help="What to write.",
        ),
        click.Option(
            ["--node-kind"],
            type=click.Choice([kind.value for kind in NodeKind]),
            multiple=True,
            help="Only nodes of this kind; may be repeated.",
        ),
        click.Option(
            ["--edge-kind"],
            type=click.Choice([kind.value for kind in EdgeKind]),
            multiple=True,
            help="Only edges of this kind; may be repeated.",
        ),
        click.Option(
            ["--path", "prefix"],
            default="",
            metavar="PREFIX",
            help="Only nodes of files whose path begins so.",
        ),
        click.Option(
            ["-o", "--output"], metavar="FILE", help="Write to FILE, not to standard output."
        ),
    ]
)
@click.pass_obj
def export(start: str | None, /, **given: Unpack[_Given]) -> None:
    """Write the graph as one document, in a documented and stable shape.

    JSON holds the whole graph. The others hold nodes and edges, all or those that are chosen: an
    edge is there when both its ends are. Mermaid draws 500 edges at most; a note says what was left
    out.

    \b
    Example:
      mu kernel export --format mermaid --node-kind module --edge-kind imports --path src/
    """
    with options.workspace(start) as workspace:
        if given["form"] == "mermaid":
            _write_mermaid(workspace, given)
        else:
            _write(_pieces(workspace, given), given["output"])


def _pieces(workspace: Workspace, given: _Given) -> Iterable[str]:
    from mu.operations.graph_file import export as operations

    if given["form"] == "json":
        if given["node_kind"] or given["edge_kind"] or given["prefix"]:
            raise MuError(
                "the JSON document is the whole graph",
                "leave out --node-kind, --edge-kind and --path, or choose another --format",
                ExitCode.USAGE,
            )
        return map(visible_json, operations.export_json(workspace))
    if given["form"] == "graphml":
        return operations.export_graphml(workspace, _part(given))
    return operations.export_dot(workspace, _part(given))


def _write_mermaid(workspace: Workspace, given: _Given) -> None:
    from mu.operations.graph_file.export import export_mermaid

    text, note = export_mermaid(workspace, _part(given))
    _write([text], given["output"])
    if note:
        sys.stdout.flush()
        click.echo(f"note: {note}; choose with --node-kind, --edge-kind or --path", err=True)


def _part(given: _Given) -> "Part":
    from mu.operations.graph_file.export import Part

    return Part(
        tuple(NodeKind(kind) for kind in given["node_kind"]) or tuple(NodeKind),
        tuple(EdgeKind(kind) for kind in given["edge_kind"]) or tuple(EdgeKind),
        given["prefix"],
    )


def _write(pieces: Iterable[str], output: str | None) -> None:
    if output is None:
        sys.stdout.writelines(pieces)
        return
    try:
        with Path(output).open("w", encoding="utf-8") as file:
            file.writelines(pieces)
    except OSError as error:
        raise MuError(f"cannot write {output}: {error.strerror}") from error
