"""Show a result: rows on standard output, everything else on standard error."""

import sys
from collections.abc import Callable, Collection
from typing import TYPE_CHECKING

import click

from mu.cli.arguments.options import TEXT
from mu.cli.terminal import width
from mu.model.found import FoundNode
from mu.model.kinds import Verdict
from mu.model.relation import Answer
from mu.operations.results import NodeRows, RouteRows, Rows
from mu.render.text import printable

if TYPE_CHECKING:
    from mu.render.formats.json_document import Value

Result = Rows | NodeRows | RouteRows


def show(result: Result, form: str, *, more: Callable[[int], str] | None = None) -> None:
    """Write `result` in one of the formats of `--format`.

    JSON says everything in one document; with the others what the rows do not say goes to standard
    error: the node that was meant, the number of rows, the verdict, notes and how to get the rest.
    `more` says how to get the rows from an offset on; without it, by the same command. Raises
    MuError for a drawing or tree of rows that have no edges.
    """
    answer = result.answer
    if form == "json":
        from mu.render.formats.json_document import json_document

        about: dict[str, Value] = {name: _described(node) for name, node in _about(result)}
        if not isinstance(result, RouteRows) and result.possible is not None:
            about["possible"] = _in_doubt(result.possible)
        sys.stdout.write(json_document(answer, about=about, next_offset=result.next_offset))
        return
    notes: list[str] = []
    if form == TEXT:
        from mu.cli.display.text_output import write_text

        result = write_text(result, possible=possible_command())
    elif form == "csv":
        from mu.render.formats.csv_document import write_csv

        write_csv(answer, sys.stdout)
    elif form == "jsonl":
        from mu.render.formats.json_document import json_lines

        sys.stdout.writelines(json_lines(answer))
    elif form == "tree":
        from mu.render.formats.tree import tree_lines

        sys.stdout.writelines(f"{line}\n" for line in tree_lines(answer))
    elif form == "mu":
        from mu.render.formats.mu_text import mu_lines

        sys.stdout.writelines(f"{line}\n" for line in mu_lines(answer))
    elif form == "vimgrep":
        from mu.render.formats.vimgrep import vimgrep_lines

        sys.stdout.writelines(f"{line}\n" for line in vimgrep_lines(answer))
    elif form in {"mermaid", "dot"}:
        notes = _draw(result, form)
    else:
        _write_table(answer)
    sys.stdout.flush()
    for line in [*_remarks(result, more or same_command), *notes]:
        for part in _wrapped(printable(line)):
            sys.stderr.write(f"{part}\n")


def _wrapped(line: str) -> list[str]:
    """Break what is longer than the terminal between words; a command is never broken."""
    if not sys.stderr.isatty() or line.startswith("more: ") or len(line) <= (room := width()):
        return [line]
    import textwrap

    return textwrap.wrap(
        line, room, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False
    )


def _draw(result: Result, form: str) -> list[str]:
    """Write the edges in the rows; gives what is to be noted."""
    from mu.render.formats.drawing import drawing_of

    is_backward = None if isinstance(result, RouteRows) else result.is_backward
    drawing = drawing_of(result.answer, is_backward=is_backward)
    nodes, arcs, is_directed = drawing.nodes, drawing.arcs, drawing.is_directed
    if form == "dot":
        from mu.render.formats.dot import dot_lines

        sys.stdout.writelines(dot_lines(nodes, arcs, is_directed=is_directed))
        return []
    from mu.render.formats.mermaid import mermaid

    text, note = mermaid(nodes, arcs, is_directed=is_directed)
    sys.stdout.write(text)
    return [f"note: {note}"] if note else []


def _about(result: Result) -> list[tuple[str, FoundNode]]:
    match result:
        case NodeRows():
            return [("node", result.node)]
        case RouteRows():
            return [("start", result.start), ("goal", result.goal)]
        case _:
            return []


def _described(node: FoundNode) -> dict[str, str | int | None]:
    return {
        "id": node.id,
        "kind": node.kind,
        "name": node.name,
        "qualified_name": node.qualified_name,
        "path": node.path or None,
        "line": node.line or None,
    }


def _in_doubt(possible: Answer) -> "Value":
    """Write the references that could add to the rows: how many, and the first of them."""
    sites = [dict(zip(possible.columns, row, strict=True)) for row in possible.rows]
    return {"total": possible.total, "sites": sites}


def _write_table(answer: Answer) -> None:
    """Use rich on a terminal; elsewhere plain lines, without colour and without cutting."""
    if sys.stdout.isatty():
        from mu.cli.display.terminal_table import print_table

        print_table(answer)
        return
    from mu.render.formats.table import table_lines

    sys.stdout.writelines(f"{line}\n" for line in table_lines(answer))


_MEANINGS = {
    Verdict.EXACT: " (no unresolved reference could add one)",
    Verdict.AT_LEAST: " (unresolved references could add more)",
}
"""What a verdict says, for who reads it on a terminal."""
_PATH_MEANINGS = {Verdict.EXACT: " (each hop is resolved)"}


def _remarks(result: Result, more: Callable[[int], str]) -> list[str]:
    answer = result.answer
    lines = [f"{name}: {node.id}" for name, node in _about(result)]
    meanings = _PATH_MEANINGS if isinstance(result, RouteRows) else _MEANINGS
    meaning = meanings.get(answer.verdict, "") if sys.stderr.isatty() and answer.rows else ""
    lines.append(f"{result.count}, {answer.verdict}{meaning}")
    lines += [f"note: {note}" for note in answer.notes]
    if result.next_offset is not None:
        lines.append(f"more: {more(result.next_offset)}")
    return lines


def same_command(offset: int) -> str:
    """Write the command line that was given, for the rows from `offset` on."""
    return _command(leaving={"offset"}, adding=("--offset", str(offset)))


def possible_command() -> str:
    """Write the command that lists all references that could add to the rows of the one given;
    empty where none does.
    """
    context = click.get_current_context(silent=True)
    if context is None or all(each.name != "is_possible" for each in context.command.params):
        return ""
    left = {"offset", "limit", "each_site", "form", "as_json"}
    return _command(leaving=left, adding=("--possible",))


def _command(*, leaving: Collection[str], adding: tuple[str, ...]) -> str:
    import shlex

    context = click.get_current_context()
    words = [context.command_path.split()[0]]
    if context.obj is not None:
        words += ["-C", str(context.obj)]
    words += context.command_path.split()[1:]
    for parameter in context.command.params:
        value = context.params.get(parameter.name or "")
        if parameter.name in leaving or value in (None, False, ()) or value == parameter.default:
            continue
        flag = [] if isinstance(parameter, click.Argument) else [parameter.opts[-1]]
        for item in value if isinstance(value, tuple) else (value,):
            words += flag if item is True else [*flag, str(item)]
    return shlex.join([*words, *adding])
