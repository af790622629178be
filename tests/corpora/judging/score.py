"""Precision and recall over the outcomes, by language and rule, kind and feature.

Precision counts the edges that a case has an opinion on; recall counts the edges that cases say
there are. An edge that was not found has no rule of its own, so unless the case states one it
stands in the row `(none)`, which only recall has.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from mu.model.graph import Measured
from mu.model.kinds import Rule

from .judge import Expected, Judged, Outcome

HEADER = "  right  judged  precision  found  expected   recall"

Group = Callable[[Expected | Judged], str]
"""Gives the name of the row that an edge is counted in."""


@dataclass(frozen=True, slots=True)
class Row:
    """Counts of one group of edges; a share is None where there is nothing to take it of."""

    name: str
    right: int
    judged: int
    found: int
    expected: int

    @property
    def precision(self) -> float | None:
        return self.right / self.judged if self.judged else None

    @property
    def recall(self) -> float | None:
        return self.found / self.expected if self.expected else None


def measured(outcomes: Iterable[Outcome]) -> list[Measured]:
    """The precision of each (language, rule), as a graph file keeps it."""
    groups: dict[tuple[str, str], list[bool]] = {}
    for outcome in outcomes:
        for edge in outcome.judged:
            groups.setdefault((edge.language, edge.rule), []).append(edge.is_right)
    return [
        Measured(language, Rule(rule), sum(verdicts), len(verdicts))
        for (language, rule), verdicts in sorted(groups.items())
    ]


def summary(outcomes: Sequence[Outcome]) -> Iterator[str]:
    """The lines of the tables, for a terminal."""
    groups: tuple[tuple[str, Group], ...]
    groups = (("rule", _rule), ("kind", _kind), ("feature", _feature))
    for language in sorted({outcome.case.language for outcome in outcomes}):
        own = [outcome for outcome in outcomes if outcome.case.language == language]
        gaps, failed = sum(o.gaps for o in own), sum(bool(o.failures) for o in own)
        yield f"{language}: {len(own)} cases, {failed} failing, {gaps} known gaps"
        for title, group in groups:
            yield ""
            yield f"by {title}".ljust(28) + HEADER
            yield from (_line(row) for row in _rows(own, group))
        yield ""
        yield from (_line(row) for row in _rows(own, _all))


def _rule(edge: Expected | Judged) -> str:
    return edge.rule or "(none)"


def _kind(edge: Expected | Judged) -> str:
    return edge.kind


def _feature(edge: Expected | Judged) -> str:
    return edge.feature


def _all(edge: Expected | Judged) -> str:
    return "all"


def _rows(outcomes: Sequence[Outcome], group: Group) -> Iterator[Row]:
    judged = [edge for outcome in outcomes for edge in outcome.judged]
    expected = [edge for outcome in outcomes for edge in outcome.expected]
    for name in sorted({group(edge) for edge in judged} | {group(edge) for edge in expected}):
        mine = [edge.is_right for edge in judged if group(edge) == name]
        wanted = [edge.is_found for edge in expected if group(edge) == name]
        yield Row(name, sum(mine), len(mine), sum(wanted), len(wanted))


def _line(row: Row) -> str:
    return (
        f"  {row.name:26}{row.right:>7}{row.judged:>8}{_share(row.precision):>11}"
        f"{row.found:>7}{row.expected:>10}{_share(row.recall):>9}"
    )


def _share(value: float | None) -> str:
    return "-" if value is None else f"{value:.1%}"
