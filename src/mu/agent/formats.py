"""Answers as compact text, for models and for people who read what a model would.

Nodes are lines of MU text, such as `# login :: calls  app/auth.py:12`. The last lines give the
total, the verdict, what could add to it, and the call for the rest.
"""

import textwrap
from collections.abc import Iterator, Sequence

import msgspec

from mu.errors import MuError
from mu.model.relation import Answer, Cell
from mu.operations.navigation.describe import NodeDescription
from mu.operations.navigation.node_source import NodeSource
from mu.operations.navigation.wiki import WikiPage
from mu.operations.packing.context import Context
from mu.operations.results import NodeRows, RouteRows, Rows
from mu.operations.revisions.release_notes import ReleaseNotes
from mu.operations.workflows import StepResult, WorkflowRun
from mu.render.formats.mu_text import SIGILS, cell_text, mu_lines, node_line
from mu.render.listing import listing
from mu.render.redaction import redact
from mu.render.text import printable

CHARACTERS_A_TOKEN = 4
"""How many characters of text make a token, about; servers report the real count afterwards."""

Result = Rows | NodeRows | RouteRows | NodeDescription | NodeSource
"""What an operation gives that a tool stands for."""

_CUT = 200
_SIGNATURE_CUT = 600
_POSSIBLE_SHOWN = 5
_LISTED_PLACES = " could add to this: "
"""Before the places in a note that stand in lines of their own here."""


def format_tool_result(result: Result | MuError, *, offset: int | None = None) -> str:
    """Write what a tool gave, whatever it is; an error becomes JSON with `error` and `hint`.

    `offset` is how many rows were left out first, by a tool that can leave some out: with it, what
    was cut says how to read on.
    """
    match result:
        case MuError():
            told = {"error": result.message, "hint": result.hint}
            return msgspec.json.encode({name: text for name, text in told.items() if text}).decode()
        case NodeDescription():
            return format_description(result)
        case NodeSource():
            return format_source(result)
    return format_mu_output(result, offset=offset)


def format_mu_output(result: Rows | NodeRows | RouteRows, *, offset: int | None = None) -> str:
    """Write any result of an operation over the graph; `offset` as for `format_tool_result`."""
    if isinstance(result, RouteRows):
        return _joined(_route_lines(result))
    lines = [f"of {result.node.id}"] if isinstance(result, NodeRows) else []
    return _joined([*lines, *_row_lines(result), *_footer(result.answer, result.possible, offset)])


def format_workflow(result: WorkflowRun) -> str:
    """Write what each step of a workflow gave, below the step's name."""
    return "\n".join(f"## {each.step}\n{format_step(each)}" for each in result.steps)


def format_step(step: StepResult) -> str:
    """Write what a step of a workflow gave."""
    match step.result:
        case Context():
            return step.result.text
        case WikiPage():
            return "\n".join(line.text for line in step.result.lines)
        case ReleaseNotes():
            return step.result.text
    return format_tool_result(step.result)


def format_deps_tree(result: NodeRows) -> str:
    """Write what was reached as a tree below the node that was asked about."""
    tree = map(_short, mu_lines(result.answer))
    return _joined([f"of {result.node.id}", *tree, *_footer(result.answer, result.possible)])


def format_impact_summary(result: NodeRows, *, offset: int = 0) -> str:
    """Write what a change may break: how much of it is direct, transitive and tests, and rows."""
    return _joined(
        [
            f"impact of {result.node.id}",
            *_row_lines(result),
            *_footer(result.answer, result.possible, offset),
        ]
    )


def format_cycles_summary(result: Rows) -> str:
    """Write each cycle as a line: who depends on whom, and where."""
    cycles: dict[Cell, list[dict[str, Cell]]] = {}
    for row in _dicts(result.answer):
        cycles.setdefault(row.get("cycle_id"), []).append(row)
    if not cycles:
        return _joined(
            ["no cycles", *(f"note: {_short(note)}" for note in result.answer.notes[:-1])]
        )
    lines = [f"{len(cycles)} cycles" if len(cycles) > 1 else "1 cycle"]
    for number, rows in cycles.items():
        steps = " -> ".join(f"{row.get('path')}:{row.get('line')}" for row in rows)
        lines.append(
            f"{number}: {steps} -> back ({rows[0].get('size', len(rows))} in the component)"
        )
    return _joined([*lines, *_footer(result.answer, None)])


def format_description(described: NodeDescription) -> str:
    """Write what is known of a node."""
    node = described.node
    place = f"  {node.path}:{described.start_line}-{described.end_line}" if node.line else ""
    words = " ".join(word for word in (described.subkind, *described.words) if word)
    lines = [f"{SIGILS.get(node.kind, '?')} {node.id.partition(':')[2]} :: {words}{place}"]
    if described.signature:
        lines.append(_short(described.signature, _SIGNATURE_CUT))
    lines += [_short(signature, _SIGNATURE_CUT) for signature in described.constructors]
    if described.docstring:
        lines.append(_short(" ".join(described.docstring.split("\n\n")[0].split())))
    counts = {
        "contains": described.contains,
        "uses": described.uses,
        "used by": described.used_by,
    }
    for name, kinds in counts.items():
        if kinds:
            lines.append(f"{name}: {', '.join(f'{row.count} {row.kind}' for row in kinds)}")
    lines.append(f"a change may affect {described.affected} nodes ({described.verdict})")
    lines += [f"note: {note}" for note in described.notes]
    return _joined(lines)


def format_source(source: NodeSource) -> str:
    """Write lines of source behind their numbers, and the call for the rest."""
    width = len(str(source.lines[-1].number)) if source.lines else 1
    lines = [f"{source.node.path}", *(f"{row.number:>{width}} {row.text}" for row in source.lines)]
    if source.next_offset is not None:
        rest = source.total - source.next_offset
        lines.append(f"({rest} more lines: offset={source.next_offset})")
    return _joined(lines)


def truncate_response(text: str, max_tokens: int = 4000) -> str:
    """Cut a text to a number of tokens at the end of a line, and say how much was left out."""
    room = max_tokens * CHARACTERS_A_TOKEN
    if len(text) <= room:
        return text
    kept = text[:room].rsplit("\n", 1)[0]
    left = text.count("\n") - kept.count("\n")
    if kept.count("```") % 2:
        kept += "\n```"
    return f"{kept}\n[cut here: {left} more lines]"


def format_for_terminal(text: str, *, width: int = 80) -> str:
    """Wrap paragraphs at the width of a terminal; lists, tables and code stay as they are.

    What could steer a terminal is taken out.
    """
    lines: list[str] = []
    in_code = False
    for line in text.splitlines():
        in_code ^= line.startswith("```")
        is_plain = not in_code and line[:1].isalpha()
        lines += textwrap.wrap(line, width) or [""] if is_plain else [line]
    return "\n".join(printable(line) for line in lines)


def _row_lines(result: Rows | NodeRows) -> list[str]:
    """Write rows by what they are: edges with their sites, nodes, or anything else."""
    answer = result.answer
    is_select = isinstance(result, Rows) and result.is_select
    if "code" in answer.columns and not is_select:
        return [line.plain() for line in listing(answer, is_backward=result.is_backward)]
    if {"id", "kind", "path", "line"} <= set(answer.columns):
        return [_short(node_line(row)) for row in _dicts(answer)]
    return _table_lines(answer)


def _table_lines(answer: Answer) -> list[str]:
    if not answer.columns:
        return []
    rows = [" | ".join(map(cell_text, row)) for row in answer.rows]
    return [" | ".join(answer.columns), *map(_short, rows)]


def _route_lines(result: RouteRows) -> Iterator[str]:
    yield f"from {result.start.id} to {result.goal.id}"
    if "code" in result.answer.columns:
        yield from (line.plain() for line in listing(result.answer))
    else:
        yield from (str(row["id"]) for row in _dicts(result.answer))
    yield from _footer(result.answer, None)


def _footer(answer: Answer, possible: Answer | None, offset: int | None = None) -> Iterator[str]:
    """Write the total, the verdict and what it comes from, and where to read on."""
    shown = f"{len(answer.rows)} of {answer.total} rows"
    if len(answer.rows) == answer.total:
        shown = "1 row" if answer.total == 1 else f"{answer.total} rows"
    following = 0 if offset is None else offset + len(answer.rows)
    rest = f"; more: offset={following}" if answer.rows and following < answer.total else ""
    rest = rest if following else ""
    yield f"({shown}, {answer.verdict}{rest})"
    has_places = possible is not None and possible.total > 0
    for note in answer.notes:
        said, is_list, _ = note.partition(_LISTED_PLACES)
        yield (
            f"note: {said}{_LISTED_PLACES.rstrip()}"
            if is_list and has_places
            else f"note: {_short(note)}"
        )
    if possible is not None and possible.total:
        for row in _dicts(possible)[:_POSSIBLE_SHOWN]:
            place = f"{row.get('path')}:{row.get('line')}"
            yield f"? {place} {cell_text(row.get('text'))} ({row.get('reason')})"


def _dicts(answer: Answer) -> list[dict[str, Cell]]:
    return [dict(zip(answer.columns, row, strict=True)) for row in answer.rows]


def _short(text: str, most: int = _CUT) -> str:
    """Cut a text that is long; a secret in it goes first, as half of one looks like none."""
    return text if len(text) <= most else f"{redact(text)[:most]}..."


def _joined(lines: Iterator[str] | Sequence[str]) -> str:
    return "\n".join(printable(line) for line in lines)
