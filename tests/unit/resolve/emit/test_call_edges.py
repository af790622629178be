"""What it takes to make an edge of one call, once the whole program is analysed."""

import sys
from collections.abc import Callable
from types import FrameType

from mu.languages.loading import load_rules
from mu.model.graph import File
from mu.model.kinds import Category, EdgeKind, Rule
from mu.resolve import ProgramText
from mu.resolve.linker import Linker
from mu.resolve.program.program import Program
from mu.syntax import Extractor

TEXTS = {
    "api.py": """\
from client import Client


class Api:
    def __init__(self, client: Client):
        self.client = client

    def load(self, x):
        return self.client.get(x)
""",
    "client.py": "class Client:\n    def get(self, key):\n        return key\n",
    "main.py": "from api import Api\nfrom client import Client\n\nApi(Client()).load('a')\n",
}

MOST_CALLS = 95
MOST_MODULES = 22
MOST_EVALUATIONS = 4
"""Calls from outside that the evaluator answers: `called` of the function and `symbols` that it
names, `values` of the receiver, each once, and `values` of the function within `called`.
"""

Called = tuple[int, str, str]
"""(depth, module below `mu/resolve`, function) of a call."""


class Trace:
    """Records the calls of functions under `mu/resolve` that one function leads to."""

    def __init__(self, root: str) -> None:
        self.calls: list[Called] = []
        self._root = root
        self._depth = 0  # within the root, 0 outside of it

    def __call__(self, frame: FrameType, event: str, argument: object) -> None:
        _, found, module = frame.f_code.co_filename.partition("/mu/resolve/")
        if not found or event not in ("call", "return"):
            return
        name = frame.f_code.co_qualname
        if event == "return":
            self._depth -= self._depth > 0
        elif self._depth or name == self._root:
            self._depth += 1
            self.calls.append((self._depth, module, name))

    def of(self, run: Callable[[], object]) -> None:
        """Run and record."""
        sys.setprofile(self)
        try:
            run()
        finally:
            sys.setprofile(None)

    def drawn(self) -> str:
        """The calls as a tree."""
        lines = [f"{'  ' * depth}{name}  ({module})" for depth, module, name in self.calls]
        modules = {module for _, module, _ in self.calls}
        return "\n".join([*lines, f"{len(lines)} calls in {len(modules)} modules"])


def analysed() -> tuple[Program, Linker]:
    """The program of the texts, of which all is known but what becomes of its references."""
    files, facts = [], {}
    for key, (path, text) in enumerate(TEXTS.items()):
        facts[key] = Extractor().extract(text.encode(), "python")
        size, lines = len(text), text.count("\n")
        files.append(File(key, path, "python", Category.SOURCE, "indexed", "", "", size, lines, ()))
    program = Program(ProgramText(files, facts, load_rules({"python"})))
    linker = Linker(program)
    linker.whole_program.prepare()
    linker.whole_program.analyse()
    linker.counts_named("")  # names are counted when they are first asked for
    return program, linker


def test_a_call_becomes_an_edge_without_evaluating_anything_twice() -> None:
    program, linker = analysed()
    trace = Trace("CallEdges.of")

    trace.of(lambda: linker.link(program.units[0]))

    ids = {node.key: node.id for node in linker.nodes.meant_in(linker.ledger)}
    calls = [edge for edge in linker.ledger.edges if edge.kind == EdgeKind.CALLS]
    assert [(ids[edge.source], ids[edge.target], edge.rule) for edge in calls] == [
        ("fn:api.py:Api.load", "fn:client.py:Client.get", Rule.INFERRED)
    ]
    modules = {module for _, module, _ in trace.calls}
    asked = [name for _, module, name in trace.calls if module == "evaluator.py"]
    assert len(trace.calls) <= MOST_CALLS, trace.drawn()
    assert len(modules) <= MOST_MODULES, trace.drawn()
    assert len(asked) <= MOST_EVALUATIONS, trace.drawn()
