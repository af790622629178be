"""Whole-program phases: class hierarchy, parameters, instantiated classes, registrations.

They run in this order, before any file is linked: each uses the results of those before it.
"""

from collections.abc import Callable, Mapping, Sequence, Set
from typing import NamedTuple

from mu.resolve.dispatch.operation_methods import OperationMethods, Operations
from mu.resolve.dispatch.virtual_dispatch import VirtualDispatch
from mu.resolve.emit.nodes import NodeNames, NodeTable
from mu.resolve.evaluation.propagation_exchange import PropagationExchange
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
    """Results of the phases, to resume after an edit.

    `live` are the classes that may have instances, `library_modules` the modules of stubs in the
    order in which they were read, and `children` the direct subclasses of each class. `outlines`
    and `names` (of nodes) are by file key; files that extend classes elsewhere have no `names`.
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
    """Files, or parts of files, whose calls are evaluated; arguments `left_out` are not added."""

    files: Sequence[FileSymbols]
    left_out: Set[Argument]


class FileContribution(NamedTuple):
    """A file's contribution to the whole-program facts.

    `named` are the classes that it uses as values, `supers` the (class, member) pairs that its
    methods look up in superclasses, `forwarding` its functions that forward their arguments.
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
        self.has_registrations = False  # whether those of all files were scanned

    def prepare(self) -> None:
        """Run the first phase: find what does not depend on the values of parameters."""
        self._evaluator.hierarchy.prepare()
        self._evaluator.parameter_propagation.prepare()

    def analyse(self, exchange: PropagationExchange | None = None) -> None:
        """Run all other phases, in a process of a group together with the others."""
        self._evaluator.parameter_propagation.propagate(exchange)
        self.dispatch.prepare(exchange)
        self.registration.scan()
        self.has_registrations = True

    def expect_library(self, modules: Sequence[LibraryModule]) -> None:
        """Number library modules in the given order."""
        languages = {rules.name: rules for rules in self._program.rules}
        for module in modules:
            if module.language in languages:
                self._program.expect_library(languages[module.language], module)

    def state(self) -> WholeProgramState:
        """Return the results of the phases, for `resume`."""
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
        """Resume from the results before an edit, instead of running all phases.

        Library modules keep their old order, which determines the numbers of their definitions.
        The arguments that `calls` pass are added. `more` is called with all parameters that grew
        so far, and returns all calls to evaluate next, or none. Returns the parameters that grew.
        """
        self.expect_library(state.library_modules)
        self._operations.resume(state.operations)
        changed = [
            number
            for unit in calls.files
            for number in range(unit.first, unit.first + len(unit.facts.definitions))
        ]
        self._evaluator.hierarchy.resume(state.children, changed)
        # The bases were evaluated while all parameters were still empty.
        self._evaluator.solver.invalidate(state.propagation.points_to.keys())
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
        live.update(one for unit in last.files for one in self.dispatch.classes_as_values(unit))
        self.dispatch.resume(live)
        return grown

    def resume_registrations(
        self, state: WholeProgramState, files: Set[int], *, parts: Mapping[int, FileSymbols]
    ) -> None:
        """Scan some files, or `parts` of them, for registrations.

        Other files are scanned only as far as they share kinds of registrations with these, now or
        before.
        """
        self.entries, self.registration = self._registering()
        self.has_registrations = False
        if not self.registration.resume(state.registering, files, parts=parts):
            self.register(state, files)

    def register(self, state: WholeProgramState, files: Set[int] = frozenset()) -> None:
        """Scan all files with registrations before the edit, and `files`, unless that was done."""
        if not self.has_registrations:
            self.has_registrations = True
            self.entries, self.registration = self._registering()
            self.registration.scan(state.registering, files)

    def _registering(self) -> tuple[EntryPoints, Registrations]:
        """Return new collectors of entry points and of registrations."""
        entries = EntryPoints(self._program, self._evaluator, self._nodes)
        nodes = self._nodes
        return entries, Registrations(self._program, self._evaluator, nodes=nodes, entries=entries)
