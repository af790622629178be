"""The prompt says what is true: each example in it runs, and the card is the grammar's own."""

import ast
import re
from pathlib import Path

import pytest

from fakes.graphs import make_graph, write
from mu.agent import ToolCall
from mu.agent.prompt import summarise, summary_text, system_prompt
from mu.agent.toolbox import Toolbox
from mu.muql.grammar import card
from mu.operations.graph_file.added_columns import add_columns
from mu.operations.queries.query import query
from mu.operations.workspace import Workspace

GRAPH = """\
src/app/auth.py
  class AuthService @ 3-20
    def login(user) @ 5-12 ^4
src/app/models.py
  class User @ 1-9
src/app/pay.py
  class PaymentService @ 1-30
"""

CALL = re.compile(r"^(?:and |then )?(mu_\w+)\((.*)\)", re.MULTILINE)
CALLS = [
    (name, arguments)
    for name, arguments in CALL.findall(system_prompt())
    if "<the" not in arguments
]


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    write(make_graph(GRAPH), tmp_path)
    return Workspace(tmp_path)


@pytest.mark.parametrize(("name", "arguments"), CALLS)
def test_every_call_in_an_example_runs(workspace: Workspace, name: str, arguments: str) -> None:
    call = ast.parse(f"f({arguments})", mode="eval").body
    assert isinstance(call, ast.Call)
    given = {str(keyword.arg): ast.literal_eval(keyword.value) for keyword in call.keywords}

    result = Toolbox(workspace).execute(ToolCall("c", name, given))

    assert not result.is_error, result.content


def test_there_are_at_least_six_worked_examples() -> None:
    assert len(re.findall(r"^Q: ", system_prompt(), re.MULTILINE)) >= 6
    assert len(CALLS) >= 6


def test_the_card_of_the_language_stands_in_it() -> None:
    assert card() in system_prompt()
    assert "{" not in system_prompt().replace(card(), "")


def test_every_column_it_names_is_there(workspace: Workspace) -> None:
    lines = re.findall(r"^- (nodes|edges|sites|metrics|.*?)(?:,| and|: )", system_prompt(), re.M)
    assert {"nodes", "edges", "sites", "metrics"} <= set(lines)
    section = system_prompt().split("one statement, read only):")[1].split("##")[0]
    for line in re.sub(r"\n  ", " ", section).strip().splitlines():
        for part in line.removeprefix("- ").split(";"):
            names, columns = part.split(": ", 1)
            if columns == "the same without kind":
                columns = "source, target, source_name, target_name, path, line, rule, sites"
            columns = columns.removeprefix("by ").replace(" (ids)", "")
            for relation in re.findall(r"\w+", names.replace(" and ", " ")):
                query = f"SELECT {columns} FROM {relation} LIMIT 1"
                result = Toolbox(workspace).execute(ToolCall("c", "mu_query", {"muql": query}))
                assert not result.is_error, f"{query}: {result.content}"


def test_the_summary_tells_what_the_graph_holds(workspace: Workspace) -> None:
    summary = summarise(workspace)

    assert dict(summary.nodes) == {"class": 3, "module": 3, "function": 1}
    assert summary.languages == (("python", 3),)
    told = summary_text(summary)
    assert told.startswith('## This repository\n\n<repository_data tool="graph_summary">\nnodes: ')
    assert "languages: python (3 files)" in told
    assert "{graph_summary}" not in system_prompt() + told


def test_the_summary_tells_which_columns_were_added(workspace: Workspace) -> None:
    assert "more columns" not in summarise(workspace).to_text()
    table = workspace.root / "risk.csv"
    path = query(workspace, "SELECT path FROM modules").answer.rows[0][0]
    table.write_text(f"path,risk\n{path},1\n")
    add_columns(workspace, "table", file=table)

    told = summarise(workspace).to_text()
    assert told.endswith("more columns of functions, classes and modules: risk (from risk.csv)")
