"""Whole-program phases: class hierarchy, parameters, instantiated types, registrations.

They run in this order, before any file is linked: each uses the results of those before it.
"""

from mu.resolve.dispatch.virtual_dispatch import VirtualDispatch
from mu.resolve.emit.nodes import NodeTable
from mu.resolve.evaluation.evaluator import Evaluator
from mu.resolve.frameworks.entry_points import EntryPoints
from mu.resolve.frameworks.registrations import Registrations
from mu.resolve.program.program import Program


class WholeProgram:
    """Runs the phases; `entries` collects the entry points."""

    def __init__(
        self, program: Program, evaluator: Evaluator, *, dispatch: VirtualDispatch, nodes: NodeTable
    ) -> None:
        self._program = program
        self._evaluator = evaluator
        self._dispatch = dispatch
        self._nodes = nodes
        self.entries, self.registration = self._registering()

    def analyse(self) -> None:
        """Find all of it."""
        self._evaluator.hierarchy.prepare()
        self._evaluator.parameter_propagation.propagate()
        self._dispatch.prepare()
        self.registration.scan()

    def _registering(self) -> tuple[EntryPoints, Registrations]:
        """What collects the ways in, and what looks for frameworks."""
        entries = EntryPoints(self._program, self._evaluator, self._nodes)
        nodes = self._nodes
        return entries, Registrations(self._program, self._evaluator, nodes=nodes, entries=entries)
