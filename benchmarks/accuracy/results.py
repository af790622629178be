"""What was measured, as it is committed: the figures of each package."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks.accuracy.packages import Package
from benchmarks.accuracy.precision import Checked, count_findings
from benchmarks.accuracy.recall import CallKind, Recall, Status
from benchmarks.accuracy.tracing import Trace

RESULTS = Path(__file__).with_name("results.json")
JUDGED = Path(__file__).parents[1] / "judged"
MEASURED = Path(__file__).parents[2] / "src/mu/languages/data/rule_precision.toml"


@dataclass(frozen=True, slots=True)
class PackageFigures:
    """One package: pairs by status, by kind of call and by caller then status, by the
    rule of their edge. A caller is of the package or of its tests.

    `left_out` are pairs that do not count, by why; `findings` are targets of executed sites, by
    rule and then by what became of them; `suite` is the closing line of the tests.
    """

    version: str
    python: str
    suite: str
    note: str
    statuses: dict[str, int]
    kinds: dict[str, dict[str, int]]
    callers: dict[str, dict[str, int]]
    rules: dict[str, int]
    left_out: dict[str, int]
    findings: dict[str, dict[str, int]]

    @property
    def pairs(self) -> int:
        return sum(self.statuses.values())


def figures_of(
    package: Package, trace: Trace, recall: Recall, checked: Iterable[Checked]
) -> PackageFigures:
    """Count what the tables need; a pair of code that has no node is missed."""
    statuses = Counter(row.status for row in recall.rows)
    statuses[Status.MISSED] += recall.absent.total()
    kinds: dict[str, Counter[str]] = defaultdict(Counter)
    callers: dict[str, Counter[str]] = {"package": Counter(), "tests": Counter()}
    for row in recall.rows:
        kinds[row.kind][row.status] += 1
        callers["tests" if row.caller.is_test else "package"][row.status] += 1
    return PackageFigures(
        version=package.version,
        python=trace.python,
        suite=trace.closing.rpartition(" in ")[0],
        note=package.note,
        statuses={status: statuses[status] for status in Status},
        kinds={kind: dict(sorted(kinds[kind].items())) for kind in CallKind},
        callers={caller: dict(sorted(found.items())) for caller, found in callers.items()},
        rules=dict(sorted(Counter(row.rule for row in recall.rows if row.rule).items())),
        left_out=dict(sorted(recall.left_out.items())),
        findings={
            rule: dict(sorted(found.items()))
            for rule, found in sorted(count_findings(checked).items())
        },
    )


def write_results(figures: Mapping[str, PackageFigures], path: Path = RESULTS) -> None:
    """Write the figures; those of packages that are not among them stay."""
    rows = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    rows.update({name: asdict(each) for name, each in figures.items()})
    path.write_text(json.dumps(rows, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def read_results(path: Path = RESULTS) -> dict[str, PackageFigures]:
    """Read the figures by the package's name."""
    rows = json.loads(path.read_text(encoding="utf-8"))
    return {name: PackageFigures(**row) for name, row in rows.items()}


def judged_by_rule(folder: Path = JUDGED) -> dict[str, tuple[int, int]]:
    """Count the judged edges of every sample by rule: how many were right, and how many judged.

    An `unsure` row is judged, and not right. A row without a verdict is not counted.
    """
    right: Counter[str] = Counter()
    judged: Counter[str] = Counter()
    for path in sorted(folder.glob("*calls*.tsv")):
        header, *lines = (line.split("\t") for line in path.read_text("utf-8").splitlines())
        for line in lines:
            row = dict(zip(header, line, strict=True))
            judged[row["rule"]] += bool(row["verdict"])
            right[row["rule"]] += row["verdict"] == "right"
    return {rule: (right[rule], count) for rule, count in sorted(judged.items()) if count}


def write_measured(judged: Mapping[str, tuple[int, int]], path: Path = MEASURED) -> None:
    """Write the data file that ships, from which edges have their `confidence`."""
    head = [line for line in path.read_text(encoding="utf-8").splitlines() if line[:1] == "#"]
    rows = [f"{rule} = [{right}, {count}]" for rule, (right, count) in sorted(judged.items())]
    path.write_text("\n".join([*head, "[python]", *rows, ""]), encoding="utf-8")
