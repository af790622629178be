"""Prints recall by package and kind of call, what is missed, and suspects among the edges."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from benchmarks.accuracy.precision import Checked, Finding, count_findings
from benchmarks.accuracy.recall import CallKind, Recall, Row, Status
from benchmarks.tables import print_table

_NAMED = (Status.EDGE, Status.AMBIGUOUS, Status.DYNAMIC)
_LONGEST = 110  # characters of a source line that are shown


def print_recall(figures: Mapping[str, Recall]) -> None:
    """Print a row for each package, then one for each kind of call over all of them."""
    header = ("package", "pairs", "edge %", "edge+site %", *list(Status)[1:])
    rows = [(name, *_shares(recall.rows)) for name, recall in figures.items()]
    everything = [row for recall in figures.values() for row in recall.rows]
    for name, is_test in (("all, by the package", False), ("all, by its tests", True)):
        rows.append((name, *_shares([r for r in everything if r.caller.is_test is is_test])))
    print_table(header, [*rows, ("all", *_shares(everything))])
    print()
    kinds = [(kind, [row for row in everything if row.kind is kind]) for kind in CallKind]
    print_table(("kind of call", *header[1:]), [(kind, *_shares(of)) for kind, of in kinds])
    print()
    header = ("edge % by kind", *figures)
    print_table(header, [(kind, *_by_kind(figures.values(), kind)) for kind in CallKind])
    for name, recall in figures.items():
        absent = ", ".join(code for code, _ in recall.absent.most_common(8))
        print(f"\n{name}, {recall.absent.total()} pairs of code without a node: {absent or 'none'}")
        left_out = ", ".join(f"{count:,} {why}" for why, count in recall.left_out.most_common(8))
        print(f"{name}, left out: {left_out}")


def write_rows(figures: Mapping[str, Recall]) -> str:
    """Write every pair as tab-separated text in a fixed order: two graphs compare line by line."""
    lines = [
        (name, row.caller.id, row.callee.id, str(row.line), row.kind, row.status, row.rule)
        for name, recall in figures.items()
        for row in recall.rows
    ]
    header = ("package", "caller", "callee", "line", "kind", "status", "rule")
    return "".join("\t".join(line) + "\n" for line in (header, *sorted(lines)))


def print_missed(name: str, recall: Recall, tree: Path, *, examples: int) -> None:
    """Print what has no edge, the most frequent cause first, with the line of each example."""
    causes: dict[str, list[Row]] = defaultdict(list)
    for row in recall.rows:
        if row.status is not Status.EDGE:
            causes[row.cause].append(row)
    print(
        f"\n## {name}: {sum(map(len, causes.values())):,} of {len(recall.rows):,} without an edge"
    )
    for cause, rows in sorted(causes.items(), key=lambda item: -len(item[1])):
        statuses = Counter(row.status for row in rows)
        told = ", ".join(f"{count} {status}" for status, count in statuses.most_common())
        print(f"\n### {len(rows):,} {cause} ({told})\n")
        shown = examples if len(rows) > examples // 2 else examples // 2
        for callee, group in _by_callee(rows)[:shown]:
            _print_example(callee, group, tree)


def print_suspects(name: str, checked: Sequence[Checked], tree: Path, *, most: int) -> None:
    """Print what became of the targets by rule, then the suspects: contradicted, and unseen."""
    print(f"\n## {name}\n")
    counts = count_findings(checked)
    rows = [(rule, *(f"{found[each]:,}" for each in Finding)) for rule, found in counts.items()]
    print_table(("rule", *Finding), sorted(rows))
    _print_widest(checked, tree, most=most)
    for finding in (Finding.CONTRADICTED, Finding.UNSEEN):
        suspects = [row for row in checked if row.finding is finding]
        print(f"\n### {len(suspects):,} {finding}\n")
        for row in suspects[:most]:
            place = f"{row.caller.path}:{row.site.line}"
            text = _source_line(tree / row.caller.path, row.site.line)
            print(f"- {place} `{row.site.text}` [{row.site.rule}] -> {row.target.id}: `{text}`")
            print(f"  called: {', '.join(row.called[:4])}")


def _print_widest(checked: Sequence[Checked], tree: Path, *, most: int) -> None:
    """Print the sites with most targets beside the ones that ran: there edges may be too many."""
    sites: dict[tuple[str, int, str], list[Checked]] = defaultdict(list)
    for row in checked:
        sites[row.caller.path, row.site.line, row.site.text].append(row)
    wide = [(place, rows) for place, rows in sites.items() if len(_idle(rows)) > 1]
    idle = sum(len(_idle(rows)) for _, rows in wide)
    print(f"\n### {idle:,} targets that did not run at {len(wide):,} sites with several of them\n")
    for (path, line, text), rows in sorted(wide, key=lambda item: -len(_idle(item[1])))[:most]:
        names = ", ".join(row.target.id.partition(":")[2] for row in _idle(rows)[:3])
        rules = "/".join(sorted({row.site.rule for row in rows}))
        counted = f"{len(rows) - len(_idle(rows))} of {len(rows)} ran"
        print(f"- {path}:{line} `{text}` [{rules}] {counted}: `{_source_line(tree / path, line)}`")
        print(f"  called: {', '.join(rows[0].called[:3])}; not: {names}")


def _idle(rows: Sequence[Checked]) -> list[Checked]:
    return [row for row in rows if row.finding not in (Finding.CONFIRMED, Finding.OVERRIDE)]


def _print_example(callee: str, rows: Sequence[Row], tree: Path) -> None:
    row = rows[0]
    text = _source_line(tree / row.caller.path, row.line)
    sites = "; ".join(
        f"{site.text} {site.reason or site.rule}" for site in row.sites if site.kind != "value"
    )
    place = f"{row.caller.path}:{row.line}"
    print(f"- {len(rows)}x {callee}, as {place} {row.caller.name} [{row.status}]: `{text}`")
    if sites:
        print(f"  sites: {sites[: 2 * _LONGEST]}")


def _by_callee(rows: Iterable[Row]) -> list[tuple[str, list[Row]]]:
    groups: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        groups[row.callee.id.partition(":")[2]].append(row)
    return sorted(groups.items(), key=lambda item: (-len(item[1]), item[0]))


def _shares(rows: Sequence[Row]) -> tuple[str, ...]:
    counts = Counter(row.status for row in rows)
    named = sum(counts[status] for status in _NAMED)
    return (
        f"{len(rows):,}",
        percent(counts[Status.EDGE], len(rows)),
        percent(named, len(rows)),
        *(f"{counts[status]:,}" for status in list(Status)[1:]),
    )


def _by_kind(figures: Iterable[Recall], kind: CallKind) -> tuple[str, ...]:
    of_kind = [[row for row in recall.rows if row.kind is kind] for recall in figures]
    return tuple(
        f"{percent(sum(row.status is Status.EDGE for row in rows), len(rows))} of {len(rows):,}"
        for rows in of_kind
    )


def percent(part: int, whole: int) -> str:
    """Write a share with one digit; nothing where there is nothing to share."""
    return f"{100 * part / whole:.1f}" if whole else ""


def _source_line(path: Path, line: int) -> str:
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    return lines[line - 1].strip()[:_LONGEST] if 0 < line <= len(lines) else ""
