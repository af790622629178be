"""What `mu kernel audit` looks like as text."""

from collections.abc import Iterator, Sequence

from mu.operations.graph_file.ledger_audit import (
    Advice,
    Audit,
    Bound,
    Fate,
    Frequent,
    RuleCount,
    Trouble,
)
from mu.render.text import printable

_WIDEST = 60


def audit_text(audit: Audit) -> Iterator[str]:
    """Write the audit, a table for each part; parts without a row are left out."""
    yield from _table("references", _fates(audit.fates))
    yield from _table("edges by rule", _rules(audit.rules))
    yield from _table("unresolved receivers", _frequent(audit.receivers))
    yield from _table("unresolved names", _frequent(audit.names))
    yield from _table("files skipped", _troubles(audit.skipped))
    yield from _table("files with problems", _troubles(audit.problems))
    yield from _table("files of no known language", _troubles(audit.unknown))
    yield from _table("bounds reached", _bounds(audit.bounds))
    yield "what would help most"
    yield from _advice(audit.advice)


Rows = Sequence[tuple[str, ...]]


def _fates(fates: Sequence[Fate]) -> Rows:
    heads = ("", "", "total", "known", "resolved", "external", "ambiguous", "dynamic", "unknown")
    rows = [
        (
            fate.language if fate.kind == "all" else "",
            fate.kind,
            f"{fate.total:,}",
            f"{fate.share_resolved:.1%}",
            *(
                f"{count / fate.total:.1%}"
                for count in (
                    fate.resolved,
                    fate.external,
                    fate.ambiguous,
                    fate.dynamic,
                    fate.unknown,
                )
            ),
        )
        for fate in fates
    ]
    return [heads, *rows] if rows else []


def _rules(rules: Sequence[RuleCount]) -> Rows:
    heads = ("", "", "edges", "measured")
    rows = [
        (
            rule.language,
            rule.rule,
            f"{rule.edges:,}",
            "" if rule.confidence is None else f"{rule.confidence:.1%}",
        )
        for rule in rules
    ]
    return [heads, *rows] if rows else []


def _frequent(texts: Sequence[Frequent]) -> Rows:
    return [(_cut(row.text), f"such as {row.path}:{row.line}", f"{row.count:,}") for row in texts]


def _troubles(rows: Sequence[Trouble]) -> Rows:
    return [(_cut(row.what), f"such as {row.path}", f"{row.files:,}") for row in rows]


def _bounds(bounds: Sequence[Bound]) -> Rows:
    return [(bound.what, "", f"{bound.count:,}") for bound in bounds]


def _advice(advice: Advice) -> Iterator[str]:
    if not advice.action:
        yield "  nothing stands out"
        return
    yield f"  {printable(advice.action)}"
    yield f"  {printable(advice.finding)}; about {advice.references:,} references"


def _cut(text: str) -> str:
    return text if len(text) <= _WIDEST else f"{text[:_WIDEST]}..."


def _table(title: str, rows: Rows) -> Iterator[str]:
    """Write rows under a title: texts to the left, numbers to the right."""
    if not rows:
        return
    yield title
    cells = [[printable(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    for row in cells:
        aligned = [
            text.ljust(width) if place < 2 else text.rjust(width)
            for place, (text, width) in enumerate(zip(row, widths, strict=True))
        ]
        yield f"  {'  '.join(aligned)}".rstrip()
