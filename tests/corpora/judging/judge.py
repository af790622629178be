"""Hold the graph of a case against what the case expects of it.

Two things come out: failures, which make the test fail, and findings, which are counted into
precision and recall. They are kept apart because a known gap is no failure but does count as a
miss.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from mu.model.graph import Edge, Graph, Site

from .cases import Case, EdgeLine, Entries, Exactly, NodeLine, SpanLine
from .view import EdgeKey, View

COUNTED_KINDS = ("calls", "inherits", "imports", "uses")


@dataclass(frozen=True, slots=True)
class Expected:
    """One edge that a case says there is; `rule` is the found edge's, else the stated one."""

    language: str
    feature: str
    kind: str
    rule: str
    is_found: bool


@dataclass(frozen=True, slots=True)
class Judged:
    """One edge that the graph holds and the case has an opinion on."""

    language: str
    feature: str
    kind: str
    rule: str
    is_right: bool


@dataclass(slots=True)
class Outcome:
    """What judging one case gave; `gaps` counts the known gaps that are still there."""

    case: Case
    failures: list[str] = field(default_factory=list)
    expected: list[Expected] = field(default_factory=list)
    judged: list[Judged] = field(default_factory=list)
    gaps: int = 0


class _Verdicts:
    """Collects opinions on edges; wrong beats right where two expectations disagree."""

    def __init__(self) -> None:
        self.right: set[EdgeKey] = set()
        self.wrong: set[EdgeKey] = set()


def judge(case: Case, graph: Graph) -> Outcome:
    """Judge one case; every failure is one text that starts with its place in the page."""
    view, outcome, verdicts = View(graph), Outcome(case), _Verdicts()
    for span in case.spans:
        _settle(outcome, span.place, span.gap, _span_problem(span, view, verdicts, outcome))
    for line in _wanted_edges(case):
        _settle(outcome, line.place, line.gap, _edge_problem(line, view, verdicts))
        _expect(outcome, line, view)
    for line in case.absent_edges:
        _settle(outcome, line.place, line.gap, _absent_problem(line, view, verdicts))
    for node in case.nodes:
        _settle(outcome, node.place, node.gap, _node_problem(node, view))
    for node in case.absent_nodes:
        problem = f"there is a node {node.id}" if node.id in view.nodes else ""
        _settle(outcome, node.place, node.gap, problem)
    for block in case.exactly:
        known = {line.id for line in case.absent_nodes if line.gap}
        _judge_nodes(block, view, outcome, known)
        _judge_edges(block, case, view, verdicts, outcome)
    for entries in case.entries:
        _judge_entries(entries, view, outcome)
    _tally(outcome, view, verdicts)
    return outcome


def _wanted_edges(case: Case) -> Iterator[EdgeLine]:
    yield from case.edges
    for block in case.exactly:
        yield from block.edges


def _settle(outcome: Outcome, place: str, gap: str, problem: str) -> None:
    if gap and problem:
        outcome.gaps += 1
    elif gap:
        outcome.failures.append(f"{place}: marked as a gap ({gap}), but it holds now")
    elif problem:
        outcome.failures.append(f"{place}: {problem}")


def _expect(outcome: Outcome, line: EdgeLine, view: View) -> None:
    if line.kind not in COUNTED_KINDS:
        return
    found = [view.edges[key] for key in view.matching(line)]
    rule = str(found[0].rule) if found else line.attributes.get("rule") or ""
    case = outcome.case
    outcome.expected.append(Expected(case.language, case.feature, line.kind, rule, bool(found)))


def _edge_problem(line: EdgeLine, view: View, verdicts: _Verdicts) -> str:
    keys = view.matching(line)
    verdicts.right.update(keys)
    if not keys:
        absent = [end for end in (line.source, line.target) if end not in view.nodes]
        unknown = f" (no node {' and no node '.join(absent)})" if absent else ""
        return f"no edge {line.kind} {line.source} -> {line.target}{unknown}"
    found = [_edge_attributes(view.edges[key]) for key in keys]
    wanted = dict(line.attributes.pairs)
    if not any(wanted.items() <= attributes.items() for attributes in found):
        return f"{line.kind} {line.source} -> {line.target} has {found}, not {wanted}"
    return ""


def _edge_attributes(edge: Edge) -> dict[str, str]:
    return {
        "role": edge.role,
        "rule": str(edge.rule),
        "line": str(edge.line),
        "sites": str(edge.sites),
    }


def _absent_problem(line: EdgeLine, view: View, verdicts: _Verdicts) -> str:
    keys = view.matching(line)
    wanted = line.attributes.get("role")
    keys = [key for key in keys if wanted is None or key[3] == wanted]
    verdicts.wrong.update(keys)
    return f"there is an edge {line.kind} {line.source} -> {line.target}" if keys else ""


def _node_problem(line: NodeLine, view: View) -> str:
    node = view.nodes.get(line.id)
    if node is None:
        return f"no node {line.id}"
    for key, wanted in line.attributes.pairs:
        value = getattr(node, key)
        given = ", ".join(value) if isinstance(value, list) else str(value)
        if given != wanted:
            return f"{line.id} has the {key} {given!r}, not {wanted!r}"
    return ""


def _judge_nodes(block: Exactly, view: View, outcome: Outcome, known: set[str]) -> None:
    if block.kinds != ("nodes",):
        return
    for line in block.nodes:
        _settle(outcome, line.place, line.gap, _node_problem(line, view))
    wanted = {line.id for line in block.nodes} | known
    for identity, node in sorted(view.nodes.items()):
        is_here = not block.paths or view.path(node) in block.paths
        if view.is_internal(identity) and is_here and identity not in wanted:
            outcome.failures.append(f"{block.place}: a node that should not be: {identity}")


def _judge_edges(
    block: Exactly, case: Case, view: View, verdicts: _Verdicts, outcome: Outcome
) -> None:
    wanted = {(line.kind, line.source, line.target) for line in block.edges}
    known = {(line.kind, line.source, line.target) for line in case.absent_edges}
    for key, edge in sorted(view.edges.items()):
        kind, source, target, role = key
        is_here = not block.paths or view.path(view.by_key[edge.source]) in block.paths
        if kind not in block.kinds or not is_here:
            continue
        if not (view.is_internal(source) and view.is_internal(target)):
            continue
        if (kind, source, target) in wanted:
            verdicts.right.add(key)
            continue
        verdicts.wrong.add(key)
        if (kind, source, target) not in known:
            seen = f"line {edge.line}, rule {edge.rule}, role {role or '-'}"
            outcome.failures.append(
                f"{block.place}: an edge that should not be: {kind} {source} -> {target} ({seen})"
            )


def _judge_entries(block: Entries, view: View, outcome: Outcome) -> None:
    found = view.entries(block.roles)
    for line in block.lines:
        problem = "" if line.text in found else f"no entry {line.text!r} among {sorted(found)}"
        _settle(outcome, line.place, line.gap, problem)
    for text in sorted(found - {line.text for line in block.lines}):
        outcome.failures.append(f"{block.place}: an entry that should not be: {text}")


def _span_problem(span: SpanLine, view: View, verdicts: _Verdicts, outcome: Outcome) -> str:
    if span.verb == "defines":
        return _definition_problem(span, view)
    rows = view.at(span)
    for site in rows:
        _judge_site(span, site, view, verdicts)
    problems = list(_target_problems(span, rows, view))
    for target in span.targets:
        hits = [s for s in rows if s.target >= 0 and _means(target, view.by_key[s.target].id)]
        rule = str(hits[0].rule) if hits and hits[0].rule else span.attributes.get("rule") or ""
        case = outcome.case
        found = Expected(case.language, case.feature, span.verb, rule, bool(hits))
        outcome.expected.append(found)
    return "; ".join(problems)


def _target_problems(span: SpanLine, rows: Sequence[Site], view: View) -> Iterator[str]:
    what = f"{span.path}:{span.line} {span.text!r}"
    if not rows:
        yield f"{what} {span.verb}: the ledger has no such site"
        return
    ids = [view.by_key[site.target].id for site in rows if site.target >= 0]
    for target in span.targets:
        if not any(_means(target, identity) for identity in ids):
            yield f"{what} {span.verb} {ids or _reasons(rows)}, not {target}"
    for identity in ids:
        if view.is_internal(identity) and not _is_wanted(span, identity):
            yield f"{what} {span.verb} {identity}, which it should not"
    yield from _note_problems(span, rows, ids, view)


def _note_problems(
    span: SpanLine, rows: Sequence[Site], ids: Sequence[str], view: View
) -> Iterator[str]:
    allowed = [word.strip() for words in span.attributes.words for word in words.split("|")]
    if allowed and not span.targets and not set(_reasons(rows)) <= set(allowed):
        yield f"{span.text!r} is unresolved as {_reasons(rows)}, not {allowed}"
    if allowed and span.targets:
        subkinds = {view.nodes[identity].subkind for identity in ids}
        if not subkinds <= set(allowed):
            yield f"{span.text!r} means a {sorted(subkinds)}, not {allowed}"
    rule = span.attributes.get("rule")
    rules = {str(site.rule) for site in rows if site.target >= 0}
    if rule and rules != {rule}:
        yield f"{span.text!r} is resolved by {sorted(rules)}, not {rule}"


def _reasons(rows: Iterable[Site]) -> list[str]:
    return sorted({str(site.reason) for site in rows if site.reason})


def _is_wanted(span: SpanLine, identity: str) -> bool:
    """Whether a target is named, or comes with what is named: a constructor, a module that runs."""
    if any(_means(target, identity) for target in span.targets):
        return True
    is_constructor = span.verb == "calls" and identity.endswith(".__init__")
    is_module = span.verb == "imports" and identity.startswith(("mod:", "pkg:"))
    return bool(span.targets) and (is_constructor or is_module)


def _means(target: str, identity: str) -> bool:
    """Whether an expectation's target, an id or an id without its kind, is this id."""
    return identity in (target,) or identity.partition(":")[2] == target


def _definition_problem(span: SpanLine, view: View) -> str:
    for identity, node in view.nodes.items():
        if any(_means(target, identity) for target in span.targets):
            if node.start_line == span.line and node.name == span.text:
                return ""
            return f"{identity} is {node.name!r} on line {node.start_line}, not on {span.line}"
    return f"no node {', '.join(span.targets)}"


def _judge_site(span: SpanLine, site: Site, view: View, verdicts: _Verdicts) -> None:
    if site.target < 0:
        return
    source, target = view.by_key[site.source].id, view.by_key[site.target].id
    keys = [key for key in view.edges if key[:3] == (span.verb, source, target)]
    if _is_wanted(span, target):
        verdicts.right.update(keys)
    elif view.is_internal(target):
        verdicts.wrong.update(keys)


def _tally(outcome: Outcome, view: View, verdicts: _Verdicts) -> None:
    case = outcome.case
    for key in sorted(verdicts.right | verdicts.wrong):
        if key[0] in COUNTED_KINDS:
            rule = str(view.edges[key].rule)
            is_right = key not in verdicts.wrong
            outcome.judged.append(Judged(case.language, case.feature, key[0], rule, is_right))
