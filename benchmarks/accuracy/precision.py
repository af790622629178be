"""Holds the targets of executed call sites against what was called there: a hunt for wrong edges.

A site whose line made a call is judged by what bears its name on that line. That is cheap and no
proof: a line may call two things of one name, and a name may be another one's alias. So a suspect
is a place to read, and what is confirmed is only that it did happen.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from benchmarks.accuracy.graph import Node, Site, TracedGraph
from benchmarks.accuracy.tracing import Code, Trace

_CONSTRUCTORS = ("__init__", "__new__")


class Finding(StrEnum):
    """What became of a target at run time.

    `override`: a method of a subclass ran instead; `alternative`: another target of the same site;
    `contradicted`: something else of the site's name; `unseen`: nothing of the name was called.
    """

    CONFIRMED = "confirmed"
    OVERRIDE = "override"
    ALTERNATIVE = "alternative"
    CONTRADICTED = "contradicted"
    UNSEEN = "unseen"


@dataclass(frozen=True, slots=True)
class Checked:
    """A target of an executed site; `called` is what the line called by that name, else all."""

    caller: Node
    site: Site
    target: Node
    finding: Finding
    called: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Line:
    """What a line of a function called: nodes, and the names of everything."""

    nodes: set[int]
    described: dict[str, list[str]]  # by name


def check_targets(trace: Trace, graph: TracedGraph) -> list[Checked]:
    """Check every call site with a target in the repository whose line made a call."""
    checked = []
    for (caller, number), line in _lines(trace, graph).items():
        sites = [site for site in graph.sites[caller] if site.line == number]
        for site in sites:
            target = graph.nodes[site.target] if site.target >= 0 else None
            if site.kind != "call" or target is None or not target.path:
                continue
            if target.name in _CONSTRUCTORS and site.name not in _CONSTRUCTORS:
                continue  # the class is a target of the same site
            finding = _judge(graph, site, target, line, sites)
            called = line.described.get(site.name) or sorted(line.described)
            checked.append(Checked(graph.nodes[caller], site, target, finding, tuple(called)))
    return checked


def count_findings(checked: Iterable[Checked]) -> dict[str, Counter[Finding]]:
    """Count what was found, by rule."""
    counts: dict[str, Counter[Finding]] = defaultdict(Counter)
    for row in checked:
        counts[row.site.rule][row.finding] += 1
    return counts


def _judge(
    graph: TracedGraph, site: Site, target: Node, line: _Line, sites: Iterable[Site]
) -> Finding:
    if _ran(graph, target, line):
        return Finding.CONFIRMED
    if any(_overrides(graph, graph.nodes[key], target) for key in line.nodes):
        return Finding.OVERRIDE
    others = [graph.nodes[s.target] for s in sites if s.text == site.text and s.target >= 0]
    if any(_ran(graph, other, line) for other in others):
        return Finding.ALTERNATIVE
    return Finding.CONTRADICTED if site.name in line.described else Finding.UNSEEN


def _ran(graph: TracedGraph, target: Node, line: _Line) -> bool:
    if target.key in line.nodes:
        return True
    if target.kind == "class":
        own = any(graph.nodes[key].parent == target.key for key in line.nodes)
        return own or f"class {target.name}" in line.described.get(target.name, ())
    return not target.path and target.name in line.described


def _overrides(graph: TracedGraph, node: Node, target: Node) -> bool:
    seen = {node.key}
    while node.key != target.key:
        above = [key for key in graph.overridden[node.key] if key not in seen]
        if not above:
            return False
        seen.add(above[0])
        node = graph.nodes[above[0]]
    return True


def _lines(trace: Trace, graph: TracedGraph) -> dict[tuple[int, int], _Line]:
    """Gather what each line called by an instruction; what other code called from it counts too."""
    lines: dict[tuple[int, int], _Line] = defaultdict(lambda: _Line(set(), defaultdict(list)))
    for call in trace.calls:
        if caller := graph.find(call.caller):
            name, described = _describe(call.called)
            lines[caller.key, call.line].described[name].append(described)
            if isinstance(call.called, Code) and (node := graph.find(call.called)):
                lines[caller.key, call.line].nodes.add(node.key)
    for pair in trace.pairs:
        caller, callee = graph.find(pair.caller), graph.find(pair.callee)
        if caller and callee and (caller.key, pair.line) in lines:
            lines[caller.key, pair.line].nodes.add(callee.key)
    return lines


def _describe(called: Code | str) -> tuple[str, str]:
    if isinstance(called, Code):
        return called.name, f"{called.path}:{called.line} {called.qualified_name}"
    name = called.rpartition(".")[2].rpartition(" ")[2]
    return name, f"class {name}" if called.startswith("class ") else called
