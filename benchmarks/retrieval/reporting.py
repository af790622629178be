"""Writes how well the places of fixes were found, as tables of Markdown."""

import math
from collections.abc import Callable, Mapping, Sequence

from benchmarks.retrieval.measuring import OURS, Measured, Places


def report(found: Sequence[Measured]) -> str:
    """Write hit@5 by repository, and all measures over all cases: for files and for functions."""
    parts = []
    for title, of in (
        ("files", lambda each: each.files),
        ("functions", lambda each: each.functions),
    ):
        parts += [_by_repository(title, found, of), _over_all(title, found, of)]
    return "\n\n".join(parts)


def hits(places: Places, most: int) -> float:
    """Give the share of cases where something right is among the first `most`."""
    return sum(1 <= place <= most for place in places) / (len(places) or 1)


def error(share: float, cases: int) -> float:
    """Give the standard error of a share of so many cases."""
    return math.sqrt(share * (1 - share) / (cases or 1))


_Part = Callable[[Measured], Mapping[str, Places]]


def _by_repository(title: str, found: Sequence[Measured], of: _Part) -> str:
    names = list(of(found[0]))
    rows = [f"| hit@5, {title} of | cases | {' | '.join(names)} | best |", _rule(len(names) + 3)]
    for each in found:
        shares = {name: hits(of(each)[name], 5) for name in names}
        most = max(shares.values())
        best = ", ".join(name for name in names if shares[name] == most)
        cases = len(of(each)[OURS])
        told = " | ".join(f"{share:.2f}" for share in shares.values())
        rows.append(f"| {each.repository} | {cases} | {told} | {best} |")
    return "\n".join(rows)


def _over_all(title: str, found: Sequence[Measured], of: _Part) -> str:
    head = f"| {title} ranked by | cases | hit@1 | hit@5 | hit@10 | MRR |"
    rows = [head, _rule(6)]
    for name in of(found[0]):
        places = tuple(place for each in found for place in of(each)[name])
        shares = [hits(places, most) for most in (1, 5, 10)]
        told = " | ".join(f"{share:.3f} ± {error(share, len(places)):.3f}" for share in shares)
        mean = sum(1 / place for place in places if place) / (len(places) or 1)
        rows.append(f"| {name} | {len(places)} | {told} | {mean:.3f} |")
    return "\n".join(rows)


def _rule(columns: int) -> str:
    return f"|{' --- |' * columns}"
