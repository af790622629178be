"""Edges and sites as columns, which look like sequences of rows.

Django has 350,000 edges and 525,000 sites. As tuples they take 120 MB, and writing or digesting
them means taking each apart again; as columns they take 30 MB and are read column by column.
"""

from array import array
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Final, Generic, NamedTuple, Self, TypeAlias, TypeVar, overload

from mu.model.graph import Edge, Site
from mu.model.kinds import EdgeKind, Reason, Rule, SiteKind

SITE_KINDS: Final = tuple(SiteKind)
RULES: Final[tuple[Rule | None, ...]] = (None, *Rule)
REASONS: Final[tuple[Reason | None, ...]] = (None, *Reason)
"""What the codes in columns stand for."""

_CODES = {id(one): code for every in (SITE_KINDS, RULES, REASONS) for code, one in enumerate(every)}
"""By identity: hashing a member of an enumeration calls Python, 100 ns a time."""

End = tuple[str, str, int, int, Rule | None, Reason | None, int]
"""(text, name, target, choice, rule, reason, candidates): what became of a reference."""

_as_site = partial(tuple.__new__, Site)
_as_edge = partial(tuple.__new__, Edge)

_EDGE_COLUMNS = ("sources", "targets", "sorts", "lines", "rules", "sites")

Row = TypeVar("Row", Edge, Site)
_Slice: TypeAlias = "slice[int | None, int | None, int | None]"


class EdgeCells(NamedTuple):
    """The cells of edges, column by column."""

    sources: Iterable[int]
    targets: Iterable[int]
    kinds: Iterable[EdgeKind]
    roles: Iterable[str]
    lines: Iterable[int]
    rules: Iterable[Rule | None]
    sites: Iterable[int]

    @classmethod
    def of(cls, rows: Sequence[Edge]) -> Self:
        """The cells of rows."""
        return cls._make(zip(*rows, strict=True) if rows else [()] * len(cls._fields))


class SiteCells(NamedTuple):
    """The cells of sites, column by column."""

    kinds: Iterable[SiteKind]
    sources: Iterable[int]
    files: Iterable[int]
    lines: Iterable[int]
    texts: Iterable[str]
    names: Iterable[str]
    targets: Iterable[int]
    choices: Iterable[int]
    rules: Iterable[Rule | None]
    reasons: Iterable[Reason | None]
    candidates: Iterable[int]

    @classmethod
    def of(cls, rows: Sequence[Site]) -> Self:
        """The cells of rows."""
        return cls._make(zip(*rows, strict=True) if rows else [()] * len(cls._fields))


class _Rows(Sequence[Row], Generic[Row]):
    """Rows that are made of columns when they are asked for."""

    def __iter__(self) -> Iterator[Row]:
        return self.rows(0, len(self))

    def rows(self, start: int, stop: int) -> Iterator[Row]:
        """Make the rows from `start` up to `stop`."""
        raise NotImplementedError

    @overload
    def __getitem__(self, place: int) -> Row: ...
    @overload
    def __getitem__(self, place: "_Slice") -> list[Row]: ...

    def __getitem__(self, place: "int | _Slice") -> Row | list[Row]:
        """The row at a place, or a list of those of a slice."""
        if isinstance(place, slice):
            start, stop, step = place.indices(len(self))
            return list(self.rows(start, stop)) if step == 1 else list(self)[place]
        start = range(len(self))[place]
        return next(self.rows(start, start + 1))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]  # as a list has none


class PackedEdges(_Rows[Edge]):
    """Edges in columns; `sorts` are places in `kinds`, which holds (kind, role), `rules` codes."""

    __slots__ = ("_sorts", "kinds", "lines", "rules", "sites", "sorts", "sources", "targets")

    def __init__(self) -> None:
        self.sources = array("i")
        self.targets = array("i")
        self.sorts = array("B")
        self.lines = array("i")
        self.rules = array("B")
        self.sites = array("i")
        self.kinds: list[tuple[EdgeKind, str]] = []
        self._sorts: dict[tuple[str, str], int] = {}

    @classmethod
    def of(cls, rows: Sequence[Edge]) -> "PackedEdges":
        """The rows as columns; themselves where they are that."""
        if isinstance(rows, PackedEdges):
            return rows
        packed = cls()
        packed.extend(rows)
        return packed

    def sort(self, kind: EdgeKind, role: str) -> int:
        """The place of a kind and role in `kinds`, where it is put when it is new."""
        sort = self._sorts.setdefault((kind.value, role), len(self.kinds))
        if sort == len(self.kinds):
            self.kinds.append((kind, role))
        return sort

    def add_origins(self, found: Iterable[tuple[int, Rule, int]]) -> None:
        """Add the lines, rules and numbers of sites of edges."""
        for line, rule, sites in found:
            self.lines.append(line)
            self.rules.append(_CODES[id(rule)])
            self.sites.append(sites)

    def extend(self, rows: Iterable[Edge]) -> None:
        """Add rows at the end."""
        for source, target, kind, role, line, rule, sites in rows:
            self.sources.append(source)
            self.targets.append(target)
            self.sorts.append(self.sort(EdgeKind(kind), role))
            self.lines.append(line)
            self.rules.append(_CODES[id(Rule(rule))])
            self.sites.append(sites)

    def joined(self, rows: Iterable[Edge]) -> "PackedEdges":
        """These, and other rows after them."""
        made = PackedEdges()
        made.kinds[:] = self.kinds
        made._sorts.update(self._sorts)
        made.append(self)
        made.extend(rows)
        return made

    def append(self, other: "PackedEdges") -> None:
        """Add rows with the same `kinds` at the end."""
        for name in _EDGE_COLUMNS:
            getattr(self, name).extend(getattr(other, name))

    def sort_rows(self) -> None:
        """Order the rows by source, target and sort."""
        ends = [*zip(self.sources, self.targets, self.sorts, strict=True)]
        order = sorted(range(len(ends)), key=ends.__getitem__)
        for name in _EDGE_COLUMNS:
            column = getattr(self, name)
            setattr(self, name, array(column.typecode, map(column.__getitem__, order)))

    def ends(self, kind: EdgeKind) -> Iterator[tuple[int, int]]:
        """The source and target of each edge of a kind."""
        sorts = {sort for sort, (one, _) in enumerate(self.kinds) if one == kind}
        for sort, source, target in zip(self.sorts, self.sources, self.targets, strict=True):
            if sort in sorts:
                yield source, target

    def rows(self, start: int, stop: int) -> Iterator[Edge]:
        """Make the rows from `start` up to `stop`."""
        return map(_as_edge, zip(*self.columns(start, stop), strict=True))

    def columns(self, start: int, stop: int) -> EdgeCells:
        """The cells of the rows from `start` up to `stop`, to be read once."""
        sorts = self.sorts[start:stop]
        return EdgeCells(
            self.sources[start:stop],
            self.targets[start:stop],
            map([kind for kind, _ in self.kinds].__getitem__, sorts),
            map([role for _, role in self.kinds].__getitem__, sorts),
            self.lines[start:stop],
            map(RULES.__getitem__, self.rules[start:stop]),
            self.sites[start:stop],
        )

    def __len__(self) -> int:
        return len(self.sources)


class PackedSites(_Rows[Site]):
    """Sites in columns; `kinds`, `rules` and `reasons` are codes, `texts` and `names` texts."""

    __slots__ = SiteCells._fields

    def __init__(self) -> None:
        self.kinds = array("B")
        self.sources = array("i")
        self.files = array("i")
        self.lines = array("i")
        self.texts: list[str] = []
        self.names: list[str] = []
        self.targets = array("i")
        self.choices = array("i")
        self.rules = array("B")
        self.reasons = array("B")
        self.candidates = array("i")

    @classmethod
    def of(cls, rows: Sequence[Site]) -> "PackedSites":
        """The rows as columns; themselves where they are that."""
        return rows if isinstance(rows, PackedSites) else cls().joined(rows)

    def add(self, rows: Sequence[tuple[SiteKind, int, int, int, End]]) -> None:
        """Add sites: kind, source, file, line and what became of each."""
        if not rows:
            return
        kinds, sources, files, lines, ends = zip(*rows, strict=True)
        texts, names, targets, choices, rules, reasons, candidates = zip(*ends, strict=True)
        self.kinds.extend(map(_CODES.__getitem__, map(id, kinds)))
        self.sources.extend(sources)
        self.files.extend(files)
        self.lines.extend(lines)
        self.texts.extend(texts)
        self.names.extend(names)
        self.targets.extend(targets)
        self.choices.extend(choices)
        self.rules.extend(map(_CODES.__getitem__, map(id, rules)))
        self.reasons.extend(map(_CODES.__getitem__, map(id, reasons)))
        self.candidates.extend(candidates)

    def append(self, other: "PackedSites") -> None:
        """Add rows at the end."""
        for name in SiteCells._fields:
            getattr(self, name).extend(getattr(other, name))

    def joined(self, rows: Iterable[Site]) -> "PackedSites":
        """These, and other rows after them."""
        made = PackedSites()
        made.append(self)
        made.add([_parts(row) for row in rows])
        return made

    def rows(self, start: int, stop: int) -> Iterator[Site]:
        """Make the rows from `start` up to `stop`."""
        return map(_as_site, zip(*self.columns(start, stop), strict=True))

    def columns(self, start: int, stop: int) -> SiteCells:
        """The cells of the rows from `start` up to `stop`, to be read once."""
        return SiteCells(
            map(SITE_KINDS.__getitem__, self.kinds[start:stop]),
            self.sources[start:stop],
            self.files[start:stop],
            self.lines[start:stop],
            self.texts[start:stop],
            self.names[start:stop],
            self.targets[start:stop],
            self.choices[start:stop],
            map(RULES.__getitem__, self.rules[start:stop]),
            map(REASONS.__getitem__, self.reasons[start:stop]),
            self.candidates[start:stop],
        )

    def __len__(self) -> int:
        return len(self.kinds)


def _parts(row: Site) -> tuple[SiteKind, int, int, int, End]:
    """The parts of a row, with members of enumerations where it may have their values."""
    kind, source, file, line, text, name, target, choice, rule, reason, candidates = row
    if id(kind) not in _CODES or id(rule) not in _CODES or id(reason) not in _CODES:
        kind, rule = SiteKind(kind), None if rule is None else Rule(rule)
        reason = None if reason is None else Reason(reason)
    return kind, source, file, line, (text, name, target, choice, rule, reason, candidates)
