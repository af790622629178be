"""The linking pipeline: from the facts of all files to the graph.

The whole-program phases run first; then one pass over the references of each file evaluates them
and writes ledger rows and edges. Each query is answered once, so the work grows with the size of
the repository, except for cycles, which are bounded.

Both are done by a group of processes for a large program, each for its files; all have the same
points-to sets of parameters.
"""

import gc
import pickle
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from mu.model.graph import Entry, Graph, Node
from mu.model.packed_rows import PackedEdges, PackedSites
from mu.resolve.dispatch.operation_methods import Operations
from mu.resolve.evaluation.propagation_exchange import OrderMattersError, PropagationExchange
from mu.resolve.limits import FEWEST_EXPRESSIONS_PER_PROCESS
from mu.resolve.linker import Linker, ReachedLimits, joined_limits
from mu.resolve.parallel.file_partition import partition
from mu.resolve.parallel.process_group import (
    LostProcessError,
    ProcessGroup,
    can_fork,
    run_in_group,
)
from mu.resolve.program.fault_isolation import with_failures
from mu.resolve.program.program import Program, ProgramText
from mu.resolve.semantics.entry_rules import Declared
from mu.resolve.whole_program import WholeProgramState


class _LinkedPart(NamedTuple):
    """What a process of a group tells the first one of the files that it linked.

    `outside` are the nodes outside the repository that it knows, in the order of their keys.
    """

    sites: PackedSites
    edges: PackedEdges
    outside: Sequence[Node]
    entries: Sequence[Entry]
    operations: Operations
    limits: ReachedLimits
    failures: Mapping[int, str]


def link(
    text: ProgramText,
    *,
    declared: Sequence[Declared] = (),
    on_state: Callable[[WholeProgramState], None] | None = None,
    processes: int = 1,
) -> Graph:
    """Build the graph of a program; `declared` are the entry points that manifests name.

    `on_state` is called with the results of the whole-program phases, which `relink` resumes from,
    unless linking failed for any file. A large program is linked by up to `processes` processes,
    where they can be forked.
    """
    program = Program(text)
    linker = Linker(program)
    linker.whole_program.prepare()
    reached = _link_files(linker, program, _group_size(program, processes))
    if reached is None:
        linker.dissolve()
        del program, linker
        gc.collect()
        return link(text, declared=declared, on_state=on_state)
    linker.whole_program.entries.note_declared(declared)
    ledger, entries = linker.ledger, linker.whole_program.entries.rows
    limits, failures = linker.limits(reached=reached), program.fence.failures
    prose = [row for unit in program.units.values() for row in linker.nodes.prose(unit)]
    words = [row for unit in program.units.values() for row in linker.nodes.words(unit)]
    state = linker.whole_program.state() if on_state is not None and not failures else None
    nodes = linker.nodes.meant_in(ledger)
    linker.dissolve()
    if on_state is not None and state is not None:
        on_state(state)  # after `dissolve`, as encoding the state takes memory as well
    return Graph(
        with_failures(text.files, failures),
        nodes,
        ledger.edges,
        ledger.sites,
        entries,
        limits,
        prose,
        failures,
        words,
    )


def _group_size(program: Program, processes: int) -> int:
    """Return how many of at most `processes` processes link a program."""
    if not can_fork():
        return 1
    total = sum(len(unit.expressions) for unit in program.units.values())
    return max(min(processes, total // FEWEST_EXPRESSIONS_PER_PROCESS), 1)


def _link_files(linker: Linker, program: Program, size: int) -> ReachedLimits | None:
    """Run the phases and link all files, in `size` processes; return what reached a limit.

    Return None if one process has to link all files: the system did not start another one or ended
    it, as it may without memory, or a bound was reached, so that answers depend on the order of
    queries.
    """
    units = [*program.units.values()]
    if size == 1:
        linker.whole_program.analyse()
        for unit in units:
            linker.link(unit)
        return linker.reached()
    parts = partition(units, size)

    def link_part(group: ProcessGroup) -> bytes:
        own = parts[group.rank]
        exchange = PropagationExchange(program, linker.evaluator, group, own)
        linker.whole_program.analyse(exchange)
        for unit in own:
            linker.link(unit)
        return _packed(linker, program) if group.rank else b""

    try:
        found = [_unpacked(part) for part in run_in_group(link_part, size)]
    except (LostProcessError, OrderMattersError):
        return None
    reached = joined_limits([linker.reached(), *(part.limits for part in found)])
    if reached.is_order_relevant:
        return None
    for part in found:
        keys = linker.nodes.adopt(part.outside)
        first = linker.nodes.inside
        linker.ledger.add_part(part.sites, part.edges, first=first, outside=keys)
        for entry in part.entries:
            linker.whole_program.entries.add(entry)
        linker.operations.add_part(part.operations)
        for file, failure in part.failures.items():
            program.fence.failures.setdefault(file, failure)
    return reached


def _packed(linker: Linker, program: Program) -> bytes:
    part = _LinkedPart(
        linker.ledger.sites,
        linker.ledger.edges,
        linker.nodes.outside(),
        linker.whole_program.entries.rows,
        linker.operations.state(),
        linker.reached(),
        program.fence.failures,
    )
    return pickle.dumps(part, pickle.HIGHEST_PROTOCOL)


def _unpacked(part: bytes) -> _LinkedPart:
    found: _LinkedPart = pickle.loads(part)
    return found
