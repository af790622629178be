"""What linking a file depends on of all files at once.

Who extends whom, what calls pass, which classes have instances, and what frameworks are told of:
found before any file is linked, in this order, and found again once files were renewed.
"""

from collections.abc import Set

from mu.resolve.arguments import Arguments
from mu.resolve.dispatch import Dispatch
from mu.resolve.entries import Entries
from mu.resolve.evaluate import Evaluator
from mu.resolve.nodes import NodeTable
from mu.resolve.program import Program
from mu.resolve.registration import Registration
from mu.resolve.search import Need, Needs
from mu.resolve.steps import Steps


class Gathering:
    """Finds it; `entries` collects the ways in, `needs` is what was needed beside the steps."""

    def __init__(
        self, program: Program, evaluator: Evaluator, *, dispatch: Dispatch, nodes: NodeTable
    ) -> None:
        self._program = program
        self._evaluator = evaluator
        self._dispatch = dispatch
        self._nodes = nodes
        self.entries, self.registration = self._registering()
        self.needs: Needs = frozenset()
        self._prepared: Needs = frozenset()

    def gather(self) -> None:
        """Find all of it, for the first time."""
        search = self._evaluator.search
        self._evaluator.hierarchy.prepare()
        self._prepared = search.needed()
        self._evaluator.arguments.gather()
        self._dispatch.prepare()
        self.registration.scan()
        self.needs = self._prepared | search.needed()

    def gather_again(self, renewed: Set[int]) -> tuple[Set[Need], bool]:
        """Find out again what calls pass, of which those in renewed files may be others.

        Gives the parameters of which that is something else now, and whether the classes that have
        instances are others.
        """
        evaluator, search = self._evaluator, self._evaluator.search
        before, live = evaluator.arguments, self._dispatch.live
        steps = Steps(before.steps, renewed)
        evaluator.arguments = Arguments(self._program, evaluator, steps)
        evaluator.arguments.take_over(before)
        kept = search.set_aside(self._program.all_units())
        evaluator.arguments.gather()
        search.take_back(kept, self._program.all_units())
        changed = steps.close() | evaluator.arguments.made_otherwise(before, renewed)
        search.forget(changed)
        self._dispatch.prepare()
        self.scan()
        self.needs = self._prepared | search.needed()
        return changed, self._dispatch.live is not live

    def scan(self) -> None:
        """Look again at what frameworks are told of, once files were renewed."""
        self.entries, self.registration = self._registering()
        self.registration.scan()

    def _registering(self) -> tuple[Entries, Registration]:
        """What collects the ways in, and what looks for frameworks."""
        entries = Entries(self._program, self._evaluator, self._nodes)
        nodes = self._nodes
        return entries, Registration(self._program, self._evaluator, nodes=nodes, entries=entries)
