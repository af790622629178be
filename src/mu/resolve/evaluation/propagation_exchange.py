"""What the processes of a group tell each other while they propagate arguments.

Each evaluates the calls of its own files, and all hold the points-to sets of all parameters: at the
end of an iteration each gets what the files of the others pass. An iteration reads only what
earlier ones have found, so it does not matter which process evaluates a call, as far as the answers
of the solver do not depend on the order of queries.
"""

import pickle
from array import array
from collections.abc import Iterable, Iterator, Sequence, Set
from typing import NamedTuple, TypeVar

from mu.resolve.abstract_values import Value
from mu.resolve.calls.argument_forwarding import ArgumentForwarding, Delivered
from mu.resolve.parallel.portable_values import PortableNumber, PortableValues
from mu.resolve.parallel.process_group import ProcessGroup
from mu.resolve.program.file_symbols import FileSymbols
from mu.resolve.program.program import Program
from mu.resolve.program.stub_library import LibraryModule
from mu.resolve.solver.flow import Flow
from mu.resolve.solver.parameter_sets import ParameterSets
from mu.resolve.solver.propagation_state import Makers
from mu.resolve.solver.solver import ParameterKey

_Message = TypeVar("_Message")


class _Arguments(NamedTuple):
    """Arguments as (function, place, index in `values`, file), one after the other.

    `modules` are library modules that each process must have read, and `is_order_relevant` is as in
    `Solver`.
    """

    values: list[Value]
    rows: "array[int]"
    modules: Sequence[LibraryModule]
    is_order_relevant: bool


class OrderMattersError(Exception):
    """A bound was reached, so that answers depend on which query is asked first."""


class PropagationExchange:
    """Exchanges what calls pass with the other processes of a group; all call each method."""

    def __init__(
        self, program: Program, flow: Flow, group: ProcessGroup, units: Sequence[FileSymbols]
    ) -> None:
        """The process links the files `units`."""
        self._flow = flow
        self._group = group
        self._values = PortableValues(program)
        self.units = units
        self._files = {unit.key for unit in units}

    def is_own(self, unit: FileSymbols) -> bool:
        """Return whether this process links a file."""
        return unit.key in self._files

    def begin(self, sets: ParameterSets, forwarding: ArgumentForwarding) -> None:
        """Record from now on what is exchanged later."""
        sets.share()
        forwarding.take_recorded()

    def exchange_arguments(self, sets: ParameterSets) -> None:
        """Add what the files of all processes pass, in the same order in each.

        Raises `OrderMattersError` if what they find may depend on which files each of them links.
        """
        for found in self._gather(self._packed(sets.take_found())):
            if found.is_order_relevant:
                raise OrderMattersError
            self._values.read_modules(found.modules)
            values = [*map(self._values.own_value, found.values)]
            for function, place, value, file in _rows_of(found.rows, 4):
                sets.put((function, place), values[value], file=file)

    def exchange_forwarded(self, forwarding: ArgumentForwarding) -> Iterator[Delivered]:
        """Record what the others found to be forwarded; yield the arguments it reaches."""
        own = forwarding.take_recorded()
        for rank, found in enumerate(self._gather(own)):
            if rank != self._group.rank:
                yield from forwarding.record(found)

    def gather_makers(self, makers: Makers) -> None:
        """Add the constructor calls that the others found."""
        for rank, found in enumerate(self._gather(makers)):
            for need, arguments in found.items() if rank != self._group.rank else ():
                known = makers.setdefault(need, {})
                for argument, calls in arguments.items():
                    known.setdefault(argument, set()).update(calls)

    def gather_definitions(self, numbers: Set[int]) -> set[int]:
        """Return the definitions that any process found."""
        own: list[PortableNumber] = [*map(self._values.number, sorted(numbers))]
        return {self._values.own_number(one) for found in self._gather(own) for one in found}

    def _packed(self, found: Iterable[tuple[ParameterKey, Value, int]]) -> _Arguments:
        places: dict[Value, int] = {}
        rows = array("q")
        for (function, place), value, file in found:
            rows.extend((function, place, places.setdefault(value, len(places)), file))
        values = [*map(self._values.value, places)]
        modules, solver = self._values.extending_modules(), self._flow.solver
        return _Arguments(values, rows, modules, solver.is_order_relevant)

    def _gather(self, message: _Message) -> Iterator[_Message]:
        """Yield the messages of all processes, in the order of ranks.

        They come from this program alone, so they may be pickled.
        """
        gathered = self._group.all_gather(pickle.dumps(message, pickle.HIGHEST_PROTOCOL))
        return map(pickle.loads, gathered)


def _rows_of(flat: "array[int]", width: int) -> Iterator[tuple[int, ...]]:
    """Yield the rows of an array that has them one after the other."""
    cells = iter(flat)
    return zip(*[cells] * width, strict=True)
