"""Whole-program phases: class hierarchy, parameters, instantiated types, registrations.

Who extends whom, what calls pass, which classes have instances, and what frameworks are told of:
found before any file is linked, in this order.
"""

from mu.resolve.dispatch.virtual_dispatch import VirtualDispatch
from mu.resolve.entries import Entries
from mu.resolve.evaluation.evaluator import Evaluator
from mu.resolve.nodes import NodeTable
from mu.resolve.program.program import Program
from mu.resolve.registration import Registration


class WholeProgram:
    """Finds it; `entries` collects the ways in."""

    def __init__(
        self, program: Program, evaluator: Evaluator, *, dispatch: VirtualDispatch, nodes: NodeTable
    ) -> None:
        self._program = program
        self._evaluator = evaluator
        self._dispatch = dispatch
        self._nodes = nodes
        self.entries, self.registration = self._registering()

    def gather(self) -> None:
        """Find all of it."""
        self._evaluator.hierarchy.prepare()
        self._evaluator.arguments.gather()
        self._dispatch.prepare()
        self.registration.scan()

    def _registering(self) -> tuple[Entries, Registration]:
        """What collects the ways in, and what looks for frameworks."""
        entries = Entries(self._program, self._evaluator, self._nodes)
        nodes = self._nodes
        return entries, Registration(self._program, self._evaluator, nodes=nodes, entries=entries)
