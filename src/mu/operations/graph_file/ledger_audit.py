"""Summarise the ledger: what is resolved, what is not and why, and what would help most."""

from collections.abc import Iterator
from dataclasses import dataclass

import msgspec

from mu.analysis.metrics.ledger_statistics import (
    FATES,
    LARGE_FILES,
    MISSED_ROOTS,
    NAMES,
    PROBLEMS,
    RECEIVERS,
    RULES,
    SKIPPED,
)
from mu.model.relation import Relation
from mu.operations.workspace import Workspace
from mu.render.shown import Shown

_ALL = "all"
_MOST_ENDINGS = 10
_LEAST_SHARE = 0.002
"""The share of all references below which nothing is said to stand out; 500 in django."""


@dataclass(frozen=True, slots=True)
class Fate:
    """What became of the references of one kind in one language.

    `kind` is `all` in the row that sums a language up. `share_resolved` is of those whose meaning
    is known, inside the repository or outside.
    """

    language: str
    kind: str
    total: int
    resolved: int
    external: int
    ambiguous: int
    dynamic: int
    unknown: int
    share_resolved: float


@dataclass(frozen=True, slots=True)
class RuleCount:
    """How many edges a rule found first; `confidence` is its measured share of right ones."""

    language: str
    rule: str
    edges: int
    confidence: float | None


@dataclass(frozen=True, slots=True)
class Frequent:
    """A text that many unresolved references share, and the first place of one."""

    text: str
    count: int
    path: str
    line: int


@dataclass(frozen=True, slots=True)
class Trouble:
    """Why files were skipped, or what could not be read in them, and the first such file."""

    what: str
    files: int
    path: str


@dataclass(frozen=True, slots=True)
class Bound:
    """What linking followed no further, and how often that was so."""

    what: str
    count: int


@dataclass(frozen=True, slots=True)
class Advice:
    """What was found, the one action that would help most, and about how many references.

    The texts are empty when nothing stands out.
    """

    finding: str
    action: str
    references: int


@dataclass(frozen=True, slots=True)
class Audit(Shown):
    """The ledger in numbers.

    `receivers` are those of unresolved references, `names` the names
    themselves; the ten most frequent of each. `unknown` are files of no known language, by how
    their names end, the ten most frequent endings. Where a bound of linking was reached, the
    references concerned are among the open ones.
    """

    fates: tuple[Fate, ...]
    rules: tuple[RuleCount, ...]
    receivers: tuple[Frequent, ...]
    names: tuple[Frequent, ...]
    skipped: tuple[Trouble, ...]
    problems: tuple[Trouble, ...]
    unknown: tuple[Trouble, ...]
    bounds: tuple[Bound, ...]
    advice: Advice


def audit(workspace: Workspace) -> Audit:
    """Sum up the ledger: what the references mean, or why that is not known, and what would help.

    Counts references by language and kind, edges by rule, the receivers and names most often
    unresolved, and files that were skipped or could not be read in full.
    """

    def ask(sql: str) -> list[tuple[object, ...]]:
        return list(workspace.graph.run(Relation(sql), limit=None).rows)

    fates = tuple(_fate(row) for row in ask(FATES))
    return Audit(
        fates=fates,
        rules=tuple(RuleCount(*row) for row in msgspec.convert(ask(RULES), _RULE_ROWS)),
        receivers=tuple(Frequent(*row) for row in msgspec.convert(ask(RECEIVERS), _TEXT_ROWS)),
        names=tuple(Frequent(*row) for row in msgspec.convert(ask(NAMES), _TEXT_ROWS)),
        skipped=tuple(Trouble(*row) for row in msgspec.convert(ask(SKIPPED), _TROUBLE_ROWS)),
        problems=tuple(Trouble(*row) for row in msgspec.convert(ask(PROBLEMS), _TROUBLE_ROWS)),
        unknown=_unknown(workspace.graph.meta().get("unknown_files", "[]")),
        bounds=tuple(_bounds(workspace.graph.meta().get("limits", "{}"))),
        advice=_advice(workspace, sum(fate.total for fate in fates if fate.kind == _ALL)),
    )


_RULE_ROWS = list[tuple[str, str, int, float | None]]
_TEXT_ROWS = list[tuple[str, int, str, int]]
_TROUBLE_ROWS = list[tuple[str, int, str]]


def _fate(row: tuple[object, ...]) -> Fate:
    counts = msgspec.convert(row, tuple[str, str, int, int, int, int, int, int])
    _, _, total, resolved, external, *_ = counts
    return Fate(*counts, share_resolved=(resolved + external) / total if total else 1.0)


def _unknown(counted: str) -> tuple[Trouble, ...]:
    """The files of no known language, most of one ending first."""
    rows = [Trouble(*row) for row in msgspec.json.decode(counted, type=_TROUBLE_ROWS)]
    rows.sort(key=lambda row: (-row.files, row.what))
    return tuple(rows[:_MOST_ENDINGS])


def _bounds(reached: str) -> Iterator[Bound]:
    """The bounds that a build noted, in words."""
    counts = msgspec.json.decode(reached, type=dict[str, int])
    for name, what in _BOUNDS.items():
        if counts.get(name):
            yield Bound(what, counts[name])


_BOUNDS = {
    "values": "variables that may hold too many kinds of value",
    "arguments": "parameters that are passed too many kinds of value",
    "overrides": "methods with too many overrides to link a call to each",
    "depth": "values that stand at the end of too long a chain",
    "rounds": "parameters whose values were still growing when linking ended",
}
"""What each of `model.graph.Limits` means."""


def _advice(workspace: Workspace, references: int) -> Advice:
    """Choose what concerns the most references, if that is a share worth the trouble."""
    found = []
    for sql, finding, action in _ACTIONS:
        rows = workspace.graph.run(Relation(sql), limit=1).rows
        for text, count, weight in msgspec.convert(rows, list[tuple[str, int, int]]):
            told = finding.format(text=text, count=count)
            found.append(Advice(told, action.format(text=text), weight))
    best = max(found, key=lambda advice: advice.references, default=_NOTHING)
    return best if best.references > references * _LEAST_SHARE else _NOTHING


_NOTHING = Advice("", "", 0)
_ACTIONS = (
    (
        MISSED_ROOTS,
        "{count} imports lead outside the repository, and find what they name from '{text}'",
        "add '{text}' to the setting build.roots",
    ),
    (
        LARGE_FILES,
        "files skipped as {text}: {count}",
        "raise the setting build.max_file_size",
    ),
)
"""What is counted, as (text, count, references concerned); what that says, and what to do."""
