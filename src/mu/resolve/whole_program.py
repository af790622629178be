"""Whole-program phases: class hierarchy, parameters, instantiated types, registrations.

They run in this order, before any file is linked: each uses the results of those before it.
"""

from collections.abc import Callable, Mapping, Sequence, Set
from typing import NamedTuple

from mu.resolve.dispatch.operation_methods import OperationMethods, Operations
from mu.resolve.dispatch.virtual_dispatch import VirtualDispatch
from mu.resolve.emit.nodes import NodeNames, NodeTable
from mu.resolve.evaluator import Evaluator
from mu.resolve.frameworks.entry_points import EntryPoints
from mu.resolve.frameworks.registrations import Registering, Registrations
from mu.resolve.program.file_outline import FileOutline
from mu.resolve.program.file_symbols import FileSymbols
from mu.resolve.program.program import Program
from mu.resolve.program.stub_library import LibraryModule
from mu.resolve.solver.parameter_sets import Argument
from mu.resolve.solver.propagation_state import Passed, PropagationState
from mu.resolve.solver.solver import ParameterKey


class WholeProgramState(NamedTuple):
    """What the phases found: what propagation did, the classes that may have instances, the
    library modules that were read, in their order, the classes that extend each class, what files
    register, what operations ask, and by the keys of files their outlines and, but for those that
    extend classes elsewhere, the names of their nodes.
    """

    propagation: PropagationState
    live: Set[int]
    library_modules: Sequence[LibraryModule]
    children: Mapping[int, Sequence[int]]
    registering: Registering
    operations: Operations
    outlines: Mapping[int, FileOutline]
    names: Mapping[int, NodeNames]


class Calls(NamedTuple):
    """Files, or parts of them, of which calls are looked at, and the arguments that are not taken
    of those which they pass.
    """

    files: Sequence[FileSymbols]
    left_out: Set[Argument]


class FileReach(NamedTuple):
    """What one file adds to what is known of the whole program.

    `named` are the classes that it names as values, `supers` the (class, member) that its methods
    ask of classes above, `forwarding` the functions that forward their arguments.
    """

    passed: Passed
    named: Set[int]
    supers: Set[tuple[int, str]]
    forwarding: Set[int]


NO_CALLS = Calls((), frozenset())


class WholeProgram:
    """Runs the phases; `entries` collects the entry points."""

    def __init__(
        self,
        program: Program,
        evaluator: Evaluator,
        *,
        dispatch: VirtualDispatch,
        operations: OperationMethods,
        nodes: NodeTable,
    ) -> None:
        self._program = program
        self._evaluator = evaluator
        self.dispatch = dispatch
        self._operations = operations
        self._nodes = nodes
        self.entries, self.registration = self._registering()
        self.has_registrations = False  # of all files

    def analyse(self) -> None:
        """Find all of it."""
        self._evaluator.hierarchy.prepare()
        self._evaluator.parameter_propagation.propagate()
        self.dispatch.prepare()
        self.registration.scan()
        self.has_registrations = True

    def expect_library(self, modules: Sequence[LibraryModule]) -> None:
        """Have library modules, in their order."""
        languages = {rules.name: rules for rules in self._program.rules}
        for module in modules:
            if module.language in languages:
                self._program.expect_library(languages[module.language], module)

    def state(self) -> WholeProgramState:
        """What was found, for `resume`."""
        propagation = self._evaluator.parameter_propagation.state()
        modules = self._program.library_modules()
        children, registering = self._evaluator.hierarchy.children, self.registration.registering
        outlines = self._program.outlines()
        foreseen = (key for key, one in outlines.items() if not one.is_extending)
        names = {key: self._nodes.names(key) for key in foreseen}
        live, operations = self.dispatch.live, self._operations.state()
        return WholeProgramState(
            *(propagation, live, modules, children, registering, operations),
            outlines=outlines,
            names=names,
        )

    def resume(
        self,
        state: WholeProgramState,
        calls: Calls = NO_CALLS,
        *,
        more: Callable[[Set[ParameterKey]], Calls] = lambda _: NO_CALLS,
    ) -> set[ParameterKey]:
        """Take what the phases found before an edit in the place of running them all.

        Library modules have their old order, which numbers what is defined in them. What
        `calls` pass is added; `more` is told the parameters that hold more by that, and gives all
        that are to be looked at then, if there are others. Gives all such parameters.
        """
        self.expect_library(state.library_modules)
        self._operations.resume(state.operations)
        changed = [
            number
            for unit in calls.files
            for number in range(unit.first, unit.first + len(unit.facts.definitions))
        ]
        self._evaluator.hierarchy.resume(state.children, changed)
        self._evaluator.solver.doubt(state.propagation.shown.keys())  # bases met them empty
        propagation = self._evaluator.parameter_propagation
        propagation.resume(state.propagation)
        grown: set[ParameterKey] = set()
        last = calls
        while calls.files:
            last = calls
            grown |= propagation.extend(calls.files, calls.left_out)
            calls = more(grown)
        propagation.finish()
        live = {*state.live, *propagation.made}
        live.update(one for unit in last.files for one in self.dispatch.passed_around_in(unit))
        self.dispatch.resume(live)
        return grown

    def resume_registrations(
        self, state: WholeProgramState, files: Set[int], *, parts: Mapping[int, FileSymbols]
    ) -> None:
        """Look at what some files register, or `parts` of them, and at all others only where these
        register anything, now or before.
        """
        self.entries, self.registration = self._registering()
        self.has_registrations = False
        if not self.registration.resume(state.registering, files, parts=parts):
            self.register(state, files)

    def register(self, state: WholeProgramState, files: Set[int] = frozenset()) -> None:
        """Look at all files that registered something before, and at some others, from the start,
        if that was not done.
        """
        if not self.has_registrations:
            self.has_registrations = True
            self.entries, self.registration = self._registering()
            self.registration.scan(state.registering, files)

    def _registering(self) -> tuple[EntryPoints, Registrations]:
        """What collects the ways in, and what looks for frameworks."""
        entries = EntryPoints(self._program, self._evaluator, self._nodes)
        nodes = self._nodes
        return entries, Registrations(self._program, self._evaluator, nodes=nodes, entries=entries)
