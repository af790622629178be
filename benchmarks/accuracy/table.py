"""Makes the tables of `docs/reference/accuracy.md` from the committed figures and samples."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from benchmarks.accuracy.peer_tables import render_peers
from benchmarks.accuracy.precision import Finding
from benchmarks.accuracy.recall import CallKind, Status
from benchmarks.accuracy.report import percent
from benchmarks.accuracy.results import PackageFigures
from benchmarks.tables import format_table

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "accuracy.md"
BEGIN, END = "<!-- accuracy: made by python -m benchmarks accuracy table -->", "<!-- /accuracy -->"
FEWEST_JUDGED = 20  # edges of a rule; with fewer its confidence is empty (decision 17)
_NAMED = (Status.EDGE, Status.AMBIGUOUS, Status.DYNAMIC)


def write_page(
    figures: Mapping[str, PackageFigures],
    judged: Mapping[str, tuple[int, int]],
    page: Path = PAGE,
) -> None:
    """Put the tables between the markers of the page."""
    text = page.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    after = rest.partition(END)[2]
    tables = "\n\n".join(filter(None, (render(figures, judged), render_peers())))
    page.write_text(f"{before}{BEGIN}\n\n{tables}\n\n{END}{after}", encoding="utf-8")


def render(figures: Mapping[str, PackageFigures], judged: Mapping[str, tuple[int, int]]) -> str:
    """Give the tables as Markdown."""
    return "\n\n".join(
        (
            "### Recall by package",
            _by_package(figures),
            "### Recall by kind of call",
            _by_kind(figures),
            "### Precision by rule",
            _by_rule(figures, judged),
            "### The suites",
            _suites(figures),
        )
    )


def _by_package(figures: Mapping[str, PackageFigures]) -> str:
    header = ("package", "pairs", "edge %", "edge or site %", *list(Status)[1:])
    rows = [
        (f"{name} {each.version}", *_shares(Counter(each.statuses)))
        for name, each in figures.items()
    ]
    rows.append(("all", *_shares(_total(each.statuses for each in figures.values()))))
    for caller in ("package", "tests"):
        counts = _total(each.callers.get(caller, {}) for each in figures.values())
        rows.append((f"all, called by the {caller}", *_shares(counts)))
    return format_table(header, rows)


def _by_kind(figures: Mapping[str, PackageFigures]) -> str:
    rows = []
    for kind in CallKind:
        counts = [Counter(each.kinds.get(kind, {})) for each in figures.values()]
        total = _total(counts)
        shares = [percent(count[Status.EDGE], count.total()) for count in counts]
        share = percent(total[Status.EDGE], total.total())
        rows.append((kind, f"{total.total():,}", share, *shares))
    return format_table(("kind", "pairs", "edge %", *figures), rows)


def _by_rule(figures: Mapping[str, PackageFigures], judged: Mapping[str, tuple[int, int]]) -> str:
    found: dict[str, Counter[str]] = {}
    for each in figures.values():
        for rule, findings in each.findings.items():
            found.setdefault(rule, Counter()).update(findings)
    rows = []
    for rule in sorted(found.keys() | judged.keys()):
        right, of = judged.get(rule, (0, 0))
        counts = found.get(rule, Counter())
        ran = counts[Finding.CONFIRMED] + counts[Finding.OVERRIDE]
        precision = percent(right, of) if of >= FEWEST_JUDGED else ""
        edges = sum(each.rules.get(rule, 0) for each in figures.values())
        held = percent(ran, ran + counts[Finding.CONTRADICTED])
        findings = (f"{counts[finding]:,}" for finding in Finding)
        row = (f"{edges:,}", *findings, percent(ran, counts.total()), held)
        rows.append((rule, *row, f"{right} of {of}" if of else "", precision))
    header = ("rule", "traced edges", *Finding, "ran %", "held %", "judged right", "precision %")
    return format_table(header, rows)


def _suites(figures: Mapping[str, PackageFigures]) -> str:
    rows = [
        (
            f"{name} {each.version}",
            each.python,
            each.suite,
            ", ".join(f"{count:,} {why}" for why, count in each.left_out.items()),
            each.note,
        )
        for name, each in figures.items()
    ]
    return format_table(("package", "Python", "its tests", "left out", "note"), rows)


def _total(counts: Iterable[Mapping[str, int]]) -> Counter[str]:
    return sum(map(Counter, counts), Counter[str]())


def _shares(counts: Counter[str]) -> Sequence[str]:
    whole = counts.total()
    named = sum(counts[status] for status in _NAMED)
    others = (f"{counts[status]:,}" for status in list(Status)[1:])
    edges = percent(counts[Status.EDGE], whole)
    return f"{whole:,}", edges, percent(named, whole), *others
