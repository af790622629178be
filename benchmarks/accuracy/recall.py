"""Tells for every call that really happened between two functions whether the graph has it.

The unit is a pair of nodes, however often and from however many lines it was called. Nothing that
is lost is left out. Not counted are calls whose parent frame is other code (a library in between),
generators that such code made, and calls of what has no node in MU by design: lambdas bound to no
name and generator expressions.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from benchmarks.accuracy.graph import Node, Site, TracedGraph
from benchmarks.accuracy.tracing import Pair, Trace

_OPENED = (
    "__exit__",
    "__aexit__",
    "__enter__",
    "__aenter__",
)  # called by `with`, by an instruction
_ATTRIBUTES = ("LOAD_ATTR", "STORE_ATTR", "DELETE_ATTR", "LOAD_SUPER_ATTR")


class Status(StrEnum):
    """What the graph has of a pair, the best first.

    `uses` is an edge of that kind (a property that is read, a decorator); `ambiguous`, `dynamic`
    and `unknown` are sites of the caller that name the callee, on whatever line; `open line` is any
    unresolved site on the line of the call. `external` says of the call that it leaves the
    repository.
    """

    EDGE = "edge"
    USES = "uses"
    AMBIGUOUS = "ambiguous"
    DYNAMIC = "dynamic"
    UNKNOWN = "unknown"
    OPEN_LINE = "open line"
    EXTERNAL = "external"
    MISSED = "missed"


class CallKind(StrEnum):
    """How one function came to call the other, the plainest first."""

    FUNCTION = "function"
    METHOD = "method"
    CLOSURE = "closure"
    CONSTRUCTOR = "constructor"
    OBJECT = "called object"
    DECORATOR = "decorator"
    PROPERTY = "property"
    IMPLICIT = "implicit dunder"
    THROUGH_C = "through C"


_KINDS = {"constructor": CallKind.CONSTRUCTOR, "object": CallKind.OBJECT}


@dataclass(frozen=True, slots=True)
class Row:
    """A traced pair of nodes; `line` is where the caller calls, by `rule` if it is an edge."""

    caller: Node
    callee: Node
    line: int
    kind: CallKind
    status: Status
    rule: str
    cause: str
    sites: tuple[Site, ...]


@dataclass(frozen=True, slots=True)
class Recall:
    """The rows of one package; traced pairs of code that has no node; those left out, by why."""

    rows: tuple[Row, ...]
    absent: Counter[str]
    left_out: Counter[str]


def measure_recall(trace: Trace, graph: TracedGraph) -> Recall:
    """Compare a trace with the graph of the same tree."""
    left_out: Counter[str] = Counter()
    found: dict[tuple[int, int], list[Pair]] = defaultdict(list)
    absent: Counter[str] = Counter()
    for pair in trace.pairs:
        caller, callee = graph.find(pair.caller), graph.find(pair.callee)
        if pair.how == "library":
            left_out["other code in between"] += 1
        elif pair.how == "resumed":
            left_out["generator that other code made"] += 1
        elif pair.callee.name.startswith("<") and not graph.owns(pair.callee):
            left_out["lambda or generator expression without a name"] += 1
        elif not pair.callee.path.endswith(".py") or not pair.caller.path.endswith(".py"):
            left_out["code that a template was compiled to"] += 1
        elif caller is None or callee is None:
            code = pair.callee if callee is None else pair.caller
            absent[f"{code.path}:{code.line} {code.qualified_name}"] += 1
        else:
            found[caller.key, callee.key].append(pair)
    rows = [
        _row(graph, graph.nodes[caller], graph.nodes[callee], pairs)
        for (caller, callee), pairs in found.items()
    ]
    return Recall(tuple(rows), absent, left_out)


def _row(graph: TracedGraph, caller: Node, callee: Node, pairs: Sequence[Pair]) -> Row:
    kinds = {pair: _kind(graph, caller, callee, pair) for pair in pairs}
    order = list(CallKind)
    first = min(pairs, key=lambda pair: (order.index(kinds[pair]), pair.line))
    kind = kinds[first]
    names = {callee.name}
    if kind is CallKind.CONSTRUCTOR:
        names.add(graph.nodes[callee.parent].name)
    here = graph.on(caller, first.line)
    status, rule = _status(graph, caller, callee, names, first.line)
    cause = "" if status is Status.EDGE else _cause(graph, callee, kind, here)
    return Row(caller, callee, first.line, kind, status, rule, cause, here)


def _kind(graph: TracedGraph, caller: Node, callee: Node, pair: Pair) -> CallKind:
    dunder = callee.name.startswith("__") and callee.name.endswith("__")
    holder = graph.nodes[callee.parent].kind if callee.parent >= 0 else ""
    if pair.how in ("direct", "constructor") and graph.decorates(caller, pair.line, callee):
        return CallKind.DECORATOR
    if pair.how in _KINDS:
        return _KINDS[pair.how]
    if (dunder and pair.how != "direct") or callee.name in _OPENED:
        return CallKind.IMPLICIT
    if pair.how in _ATTRIBUTES:
        return CallKind.PROPERTY
    if pair.how != "direct":
        return CallKind.THROUGH_C
    if holder == "class":
        return CallKind.METHOD
    return CallKind.CLOSURE if holder == "function" else CallKind.FUNCTION


def _status(
    graph: TracedGraph, caller: Node, callee: Node, names: set[str], line: int
) -> tuple[Status, str]:
    of_class = callee.name in ("__init__", "__new__")
    for target in (callee.key, callee.parent) if of_class else (callee.key,):
        if rule := graph.rules.get(("calls", caller.key, target)):
            return Status.EDGE, rule
    decorator = graph.is_decorator(caller, line, callee)
    if decorator or ("uses", caller.key, callee.key) in graph.rules:
        return Status.USES, ""
    open_sites = [s for s in graph.sites[caller.key] if s.name in names and s.target < 0]
    reasons = {site.reason for site in open_sites}
    for status in (Status.AMBIGUOUS, Status.DYNAMIC, Status.UNKNOWN):
        if status in reasons:
            return status, ""
    here = graph.on(caller, line)
    if any(site.reason == "external" and site.name in names for site in here):
        return Status.EXTERNAL, ""
    return (Status.OPEN_LINE if any(site.target < 0 for site in here) else Status.MISSED), ""


def _cause(graph: TracedGraph, callee: Node, kind: CallKind, sites: Sequence[Site]) -> str:
    """Say in a few words why the pair is no edge, from what the ledger has on the line."""
    if kind is CallKind.DECORATOR:
        made = callee.parent >= 0 and graph.nodes[callee.parent].kind == "function"
        return "decorator: what a call gave is applied" if made else "decorator: is applied"
    if kind in (CallKind.IMPLICIT, CallKind.PROPERTY, CallKind.THROUGH_C):
        return f"{kind}: {callee.name}" if kind is CallKind.IMPLICIT else str(kind)
    names = {callee.name, graph.nodes[callee.parent].name if callee.parent >= 0 else ""}
    resolved = [site for site in sites if site.target >= 0]
    inside = [site for site in resolved if graph.nodes[site.target].path]
    if any(graph.nodes[site.target].name == callee.name for site in inside):
        return f"{kind}: edge to another definition of the name (override or namesake)"
    named = [site for site in sites if site.name in names]
    if named:
        return f"{kind}: site names it, {named[0].reason or 'resolved elsewhere'}"
    if any(site.target in graph.decorated for site in inside):
        return f"{kind}: wrapper around a decorated definition, which the edge leads to"
    if unresolved := [site for site in sites if site.target < 0]:
        return f"{kind}: called by another name, {unresolved[0].reason}"
    if inside:
        return f"{kind}: sites of the line lead elsewhere in the repository"
    return f"{kind}: sites of the line lead outside" if resolved else f"{kind}: no site on the line"
