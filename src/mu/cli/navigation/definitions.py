"""The commands that show one node: what is known of it, and its source."""

import sys
from collections.abc import Iterator, Sequence

import click

from mu.cli.arguments import options
from mu.cli.arguments.node_argument import node_argument
from mu.cli.arguments.operation_call import ask
from mu.cli.display.json_documents import encoded
from mu.cli.display.result_output import same_command
from mu.operations.navigation.describe import KindCount, NodeDescription
from mu.operations.results import DEFAULT_LIMIT
from mu.render.text import printable, printable_source

_json = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


@click.command()
@click.argument("node")
@_json
@click.pass_obj
def describe(start: str | None, /, *, node: str, as_json: bool) -> None:
    """Summarise NODE: its signature, place and documentation; what it uses and what uses it.

    `mu deps`, `mu dependents` and `mu impact` list what is counted. A class stands for its members,
    a module for its definitions.

    \b
    Example:
      mu describe AuthService.login
    """
    from mu.operations.navigation.describe import describe as operation

    result = ask(start, operation, node)
    if as_json:
        click.echo(encoded(result))
        return
    for line in _description(result):
        click.echo(printable(line))
    sys.stdout.flush()
    for note in result.notes:
        click.echo(printable(f"note: {note}"), err=True)


@click.command(
    params=[
        node_argument(),
        click.Option(["--plain"], is_flag=True, help="Leave out the numbers of the lines."),
        *options.page(DEFAULT_LIMIT),
        click.Option(["as_json", "--json"], is_flag=True, help="Print JSON."),
    ]
)
@click.pass_obj
def read(
    start: str | None, /, *, node: str, plain: bool, limit: int, offset: int, as_json: bool
) -> None:
    """Show the lines of NODE: a definition, a file, or what stands at path:line.

    Only files inside the repository are read, and only while they are as they were when the graph
    was built. What is read goes to standard output, which node it is to standard error.

    \b
    Examples:
      mu read AuthService.login
      mu read src/app/auth.py:40 --plain
    """
    from mu.operations.navigation.node_source import read as operation

    result = ask(start, operation, node, limit=limit, offset=offset)
    if as_json:
        click.echo(encoded(result))
        return
    width = len(str(result.lines[-1].number)) if result.lines else 0
    for line in result.lines:
        text = printable_source(line.text)
        click.echo(text if plain else f"{line.number:>{width}}  {text}".rstrip())
    sys.stdout.flush()
    click.echo(printable(f"node: {result.node.id}"), err=True)
    shown, total = len(result.lines), result.total
    lines = f"{total} line" if total == 1 else f"{total} lines"
    click.echo(f"{shown} of {lines}" if shown < total else lines, err=True)
    if result.next_offset is not None:
        click.echo(printable(f"more: {same_command(result.next_offset)}"), err=True)


def _description(found: NodeDescription) -> Iterator[str]:
    node = found.node
    yield node.id
    words = [*found.words, found.visibility, found.language] if node.path else []
    sort = node.kind if found.subkind in {"", node.kind} else f"{node.kind} ({found.subkind})"
    place = f", {node.path}:{found.start_line}-{found.end_line}" if node.path else ""
    yield f"  {' '.join([*words, sort])}{place}"
    yield from (f"  @{decorator}" for decorator in found.decorators)
    if found.signature:
        yield f"  {' '.join(found.signature.split())}"
    yield from (f"  {' '.join(signature.split())}" for signature in found.constructors)
    first = next((line.strip() for line in found.docstring.splitlines() if line.strip()), "")
    if first:
        yield f"  {first}"
    if found.parent:
        yield f"in         {found.parent}"
    if found.complexity:
        yield f"complexity {found.complexity}"
    yield f"contains   {_counts(found.contains, is_nodes=True)}"
    yield f"uses       {_counts(found.uses)}"
    yield f"used by    {_counts(found.used_by)}; {found.verdict}"
    if found.open_references:
        yield f"           open references that could add to this: {found.open_references}"
    yield f"tests      {found.used_by_tests}"
    yield f"impact     {found.affected}"


def _counts(counts: Sequence[KindCount], *, is_nodes: bool = False) -> str:
    """Write how many there are of each kind; the names of edge kinds are plural already."""
    return (
        ", ".join(f"{each.count} {each.kind}{_ending(each) if is_nodes else ''}" for each in counts)
        or "nothing"
    )


def _ending(count: KindCount) -> str:
    if count.count == 1:
        return ""
    return "es" if count.kind.endswith("s") else "s"
