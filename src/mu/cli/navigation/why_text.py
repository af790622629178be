"""What `mu why` looks like as text."""

from collections.abc import Iterator

from mu.model.found import FoundNode
from mu.model.kinds import SiteKind
from mu.operations.navigation.explanation_results import (
    COUNTED_CANDIDATES,
    HELD,
    Absence,
    EdgeReason,
    Line,
    OtherSite,
    SiteReason,
    Why,
)

_OTHERS_SHOWN = 5


def why_text(result: Why) -> Iterator[str]:
    """Write the edges, and their absence, a block for each."""
    if result.absence is not None:
        is_there = "there is an edge" if result.edges else "no edge"
        yield f"{is_there}  {result.start.id} -> {result.goal.id}"
        yield from _absence(result, result.absence)
    for edge in result.edges:
        yield from _edge(edge)


def remark(result: Why) -> str:
    """Sum up in a line what there is, and how far it is to be relied on."""
    count = "1 edge" if result.total_edges == 1 else f"{result.total_edges} edges"
    shown = f"{len(result.edges)} of " if len(result.edges) < result.total_edges else ""
    return f"{shown}{count}, {result.verdict.value}"


def _edge(edge: EdgeReason) -> Iterator[str]:
    role = f" ({edge.role})" if edge.role else ""
    yield f"{edge.kind}{role}  {edge.source} -> {edge.target}"
    measured = (
        ""
        if edge.confidence is None
        else f"  [by this rule {edge.confidence:.0%} of judged edges are right]"
    )
    if not edge.sites:
        if edge.path:
            yield f"  {edge.path}:{edge.line}"
        yield f"    {edge.rule}: {edge.says}{measured}"
        return
    if edge.role == HELD:
        yield "  its lines are run by the code around it"
    for site in edge.sites:
        yield from _site(site, measured)
    if edge.total_sites > len(edge.sites):
        yield f"  and {edge.total_sites - len(edge.sites)} more references"


def _site(site: SiteReason, measured: str) -> Iterator[str]:
    yield from _place(site.place, site.text)
    yield f"    {site.rule}: {site.says}{measured}"
    if site.imported is not None:
        line = site.imported
        yield f"    imported at {line.path}:{line.line}"
        yield f"    | {_text(line)}"
    if site.through:
        yield f"    by way of {' -> '.join(step.id for step in site.through)}"
    if site.others:
        shown = ", ".join(f"{other.id} ({other.rule})" for other in site.others[:_OTHERS_SHOWN])
        rest = len(site.others) - _OTHERS_SHOWN
        more = f" and {rest} more" if rest > 0 else ""
        yield f"    may also mean {shown}{more}"


def _absence(result: Why, absence: Absence) -> Iterator[str]:
    for site in absence.sites:
        yield from _other(site, result.goal)
    if absence.total_sites > len(absence.sites):
        yield f"  and {absence.total_sites - len(absence.sites)} more with the name"
    if not absence.sites:
        more = " else" if result.edges else ""
        yield f"  nothing{more} in {result.start.id} has the name {result.goal.name}"
    if absence.imported is not None:
        yield f"  {result.start.path} imports {result.goal.path}"
        yield f"    | {_text(absence.imported)}"
    elif result.goal.path and result.start.path and not absence.same_file:
        yield f"  {result.start.path} does not import {result.goal.path}"
    if absence.reverse:
        kinds = ", ".join(absence.reverse)
        yield f"  the other way round: {result.goal.id} -> {result.start.id} by {kinds}"
    if absence.route:
        yield "  over other nodes"
        for hop in absence.route:
            via = f"  {hop.via} at {hop.path}:{hop.line}" if hop.via else ""
            yield f"    {hop.id}{via}"


def _other(site: OtherSite, goal: FoundNode) -> Iterator[str]:
    yield from _place(site.place, site.text)
    if site.could_be:
        one = "definition" if site.kind == SiteKind.VALUE else "method"
        further = " or more" if site.candidates >= COUNTED_CANDIDATES else ""
        fitting = {0: "", 1: f"; 1 {one} has it"}
        more = fitting.get(site.candidates, f"; {site.candidates}{further} {one}s have it")
        yield f"    {site.reason}: {site.says}{more}"
        part = "" if site.name == goal.name else "a part of "
        yield f"    it could mean {part}{goal.id}"
        return
    means = ", ".join(site.means[:_OTHERS_SHOWN]) + (" ..." * (len(site.means) > _OTHERS_SHOWN))
    yield f"    means {means}: {site.says}" if means else f"    {site.says}"


def _place(line: Line, text: str) -> Iterator[str]:
    yield f"  {line.path}:{line.line}  {text}"
    yield f"    | {_text(line)}"


def _text(line: Line) -> str:
    return (
        "(the file has changed since the build)" if line.source_line is None else line.source_line
    )
