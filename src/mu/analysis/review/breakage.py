"""What a change breaks: public definitions that callers cannot use as before, and who does.

Code outside is not known, so a public definition is judged by its signature and its name. Of code
inside, references are listed that meant something that is gone and mean nothing now, and calls
whose arguments fitted the parameters before and do not fit those after.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from mu.analysis.review.aspects import head
from mu.analysis.review.call_text import misfit, read_arguments
from mu.analysis.review.findings import BrokenSite
from mu.analysis.review.matching import Matching, Pair
from mu.analysis.review.parameters import Parameter, breaks, read_parameters, written_parameters
from mu.analysis.review.sides import Definition, Side
from mu.model.relation import Relation
from mu.store import GraphFile

_SITES = """
SELECT site.target, site.kind::VARCHAR, source.id, file.path, site.line, site.text,
    site.candidates, source.is_test
FROM site JOIN node AS source ON source.key = site.source JOIN file ON file.key = site.file
WHERE list_contains($1::INTEGER[], site.target)
ORDER BY file.path, site.line, site.text
"""

_OPEN = """
SELECT source.id, site.kind::VARCHAR, site.text, file.path, site.line
FROM site JOIN node AS source ON source.key = site.source JOIN file ON file.key = site.file
WHERE site.target IS NULL AND list_contains($1::VARCHAR[], site.name)
ORDER BY file.path, site.line
"""

_IMPORTED = """
SELECT DISTINCT file.path, site.name FROM site JOIN file ON file.key = site.file
WHERE site.kind = 'import' AND list_contains($1::VARCHAR[], file.path)
"""

_INHERITS = "SELECT source, target FROM edge WHERE kind = 'inherits'"
_MEMBERS = "SELECT parent, name FROM node WHERE list_contains($1::INTEGER[], parent)"
_NAMES = "SELECT key, name FROM node WHERE kind IN ('class', 'external')"

_GIVER = "__getattr__"  # gives names that a module does not define; often with a warning
_HISTORIES = frozenset({"changes", "changelog", "history", "news", "releases", "whatsnew"})

MOST_SITES = 50
"""Broken references that are kept for one change."""


@dataclass(frozen=True, slots=True)
class SiteRow:
    """A reference to a definition, as the ledger has it."""

    kind: str
    source: str
    path: str
    line: int
    text: str
    candidates: int
    is_test: bool


class Breakage:
    """Judges the pairs of a matching.

    `keywords` are the languages whose calls may name parameters, `receivers` those whose methods
    have what they are called on as the first one.
    """

    def __init__(
        self, matching: Matching, *, keywords: frozenset[str], receivers: frozenset[str]
    ) -> None:
        self._matching = matching
        self._before, self._after = matching.before, matching.after
        self._keywords, self._receivers = keywords, receivers
        self._new_ids = {
            pair.before.id: pair.after.id for pair in matching.pairs if pair.before and pair.after
        }
        self._there = {(one.path, one.local_name): one for one in self._after.definitions.values()}

    def reasons(self, pair: Pair) -> tuple[str, ...]:
        """Say why code outside that uses a definition may fail; empty for what is not public."""
        one, other = pair.before, pair.after
        if one is None:
            is_new_duty = other is not None and self._is_new_duty(other)
            return ("subclasses have to define it: it is abstract",) if is_new_duty else ()
        if not self._before.is_public(one) or one.kind == "document":
            return ()
        if one.name == _GIVER or (one.kind == "module" and not self._is_used(one)):
            return ()
        if other is None:
            return () if self._is_still_there(one, None) else ("was removed",)
        if one.name != other.name and one.kind != "module" and self._is_still_there(one, other):
            return ()  # the old name means something else, which is judged by its own change
        found = [*self._other_place(pair), *self._other_head(one, other)]
        return tuple(found)

    def broken(self, pair: Pair) -> tuple[tuple[BrokenSite, ...], int]:
        """List the references that a change breaks, at most 50, and count those it concerns."""
        one, other = pair.before, pair.after
        if one is None or one.kind == "document":
            return (), 0
        if other is None or (one.name, one.path) != (other.name, other.path):
            gone = [] if pair.is_implied else list(dict.fromkeys(self._lost_in(one)))
            if other is None or gone:
                return tuple(gone[:MOST_SITES]), len(self._sites_before.get(one.key, ()))
        if other.kind != "function" or head(one) == head(other):
            return (), 0
        calls = self._calls_of(other)
        unfit = self._unfit(one, other, calls)
        return tuple(unfit[:MOST_SITES]), len(calls)

    def _other_place(self, pair: Pair) -> Iterator[str]:
        one, other = pair.before, pair.after
        if one is None or other is None or pair.is_implied or self._is_still_there(one, other):
            return
        if one.name != other.name and one.kind != "module":
            yield f"was renamed to {other.qualified_name}"
        elif one.qualified_name != other.qualified_name:
            yield f"was moved to {other.qualified_name}"

    def _other_head(self, one: Definition, other: Definition) -> Iterator[str]:
        if not self._after.is_public(other) and other.name == one.name:
            yield "is not public any more"
        if one.kind == "function":
            if _is_read_otherwise(one, other):
                yield f"is a {other.subkind} now, and was a {one.subkind}"
            if one.is_async != other.is_async:
                yield "is asynchronous now" if other.is_async else "is not asynchronous any more"
            if one.is_static != other.is_static:
                yield "is static now" if other.is_static else "needs an instance now"
            if other.is_abstract and not one.is_abstract:
                yield "is abstract now"
            yield from breaks(
                self._parameters(self._before, one), self._parameters(self._after, other)
            )
        if one.kind == "class":
            lost = set(one.bases) - set(other.bases)
            if lost:
                still = {self._class_names.get(key, "") for key in self._ancestors(other.key)}
                for base in sorted(lost):
                    if base.rpartition(".")[2].partition("[")[0] not in still:
                        yield f"does not extend {base} any more"

    def _is_used(self, one: Definition) -> bool:
        """Tell whether a module has anything public in it."""
        return any(map(self._before.is_public, self._before.children.get(one.key, ())))

    def _is_new_duty(self, other: Definition) -> bool:
        """Tell whether a public abstract method was added to an existing class."""
        above = next(iter(self._after.around(other)), None)
        return (
            other.is_abstract
            and above is not None
            and above.kind == "class"
            and above.key in self._matching.new_keys.values()
            and self._after.is_public(other)
        )

    def _is_still_there(self, one: Definition, other: Definition | None) -> bool:
        """Tell whether the old name still resolves: to an import, an alias, an inherited member."""
        again = self._there.get((one.path, one.local_name))
        if again is not None and again is not other and one.kind != "module":
            return True
        if (one.path, one.name) in self._imported and "." not in one.local_name:
            return True
        given = self._there.get((one.path, _GIVER))
        if given is not None and f'"{one.name}"' in "".join(self._after.whole_text(given)):
            return True
        above = next(iter(self._before.around(one)), None)
        if above is None or above.kind != "class":
            return False
        new = self._matching.new_keys.get(above.key)
        return new is not None and any(
            one.name in self._members.get(key, ()) for key in self._ancestors(new)
        )

    def _lost_in(self, one: Definition) -> Iterator[BrokenSite]:
        """Give those of a definition and of what stood in it, which has no row of its own."""
        yield from self._lost(one)
        for child in self._before.children.get(one.key, ()):
            yield from self._lost_in(child)

    def _lost(self, one: Definition) -> Iterator[BrokenSite]:
        """Give the references to what is gone that are still there, and mean nothing now."""
        for site in self._sites_before.get(one.key, ()):
            source = self._new_ids.get(site.source, site.source)
            place = self._open_sites.get((source, site.kind, site.text))
            if place is not None and not _is_history(place[0]):
                yield BrokenSite(
                    place[0],
                    place[1],
                    source,
                    site.text,
                    "refers to what is gone",
                    site.is_test,
                    is_certain=site.candidates <= 1,
                )

    def _unfit(
        self, one: Definition, other: Definition, calls: Sequence[SiteRow]
    ) -> list[BrokenSite]:
        """Give the calls that fitted before and do not now."""
        old, new = self._parameters(self._before, one), self._parameters(self._after, other)
        takes_keywords = other.language in self._keywords
        found = []
        for site in calls:
            lines = self._after.lines(site.path)
            read = read_arguments(lines, site.line, callee=site.text, takes_keywords=takes_keywords)
            for call in read:
                why = misfit(call, new)
                if why and not misfit(call, old):
                    found.append(
                        BrokenSite(
                            site.path,
                            site.line,
                            site.source,
                            site.text,
                            why,
                            site.is_test,
                            is_certain=site.candidates <= 1,
                        )
                    )
        return found

    def _calls_of(self, other: Definition) -> Sequence[SiteRow]:
        """Give the calls of a function; those of its class are calls of a constructor, too."""
        keys = [other.key]
        above = next(iter(self._after.around(other)), None)
        if other.subkind == "constructor" and above is not None:
            keys.append(above.key)
        found = [site for key in keys for site in self._sites_after.get(key, ())]
        return [site for site in found if site.kind == "call"]

    def _parameters(self, side: Side, one: Definition) -> tuple[Parameter, ...]:
        above = next(iter(side.around(one)), None)
        is_method = one.subkind == "method" or (above is not None and above.kind == "class")
        takes_keywords = one.language in self._keywords
        written = written_parameters(one.signature, one.name) if takes_keywords else None
        return read_parameters(
            one.parameters if written is None else written,
            takes_keywords=takes_keywords,
            has_receiver=is_method and not one.is_static and one.language in self._receivers,
        )

    @cached_property
    def _sites_before(self) -> Mapping[int, Sequence[SiteRow]]:
        gone = [
            pair.before.key
            for pair in self._matching.pairs
            if pair.before
            and (
                pair.after is None
                or (pair.before.name, pair.before.path) != (pair.after.name, pair.after.path)
            )
        ]
        return _sites(self._before.graph, gone)

    @cached_property
    def _sites_after(self) -> Mapping[int, Sequence[SiteRow]]:
        keys: set[int] = set()
        for pair in self._matching.pairs:
            one, other = pair.before, pair.after
            if one and other and head(one) != head(other):
                keys.add(other.key)
                if other.subkind == "constructor":
                    keys.add(other.parent)
        return _sites(self._after.graph, keys)

    @cached_property
    def _open_sites(self) -> Mapping[tuple[str, str, str], tuple[str, int]]:
        names = {self._before.definitions[key].name for key in self._sites_before}
        rows = self._after.graph.run(Relation(_OPEN, (sorted(names),)), limit=None).rows
        return {
            (str(source), str(kind), str(text)): (str(path), int(str(line)))
            for source, kind, text, path, line in reversed(rows)
        }

    @cached_property
    def _imported(self) -> frozenset[tuple[str, str]]:
        paths = (sorted(self._after.paths),)
        rows = self._after.graph.run(Relation(_IMPORTED, paths), limit=None).rows
        return frozenset((str(path), str(name)) for path, name in rows)

    @cached_property
    def _bases(self) -> Mapping[int, Sequence[int]]:
        found: dict[int, list[int]] = {}
        for source, target in self._after.graph.run(Relation(_INHERITS), limit=None).rows:
            found.setdefault(int(str(source)), []).append(int(str(target)))
        return found

    @cached_property
    def _class_names(self) -> Mapping[int, str]:
        rows = self._after.graph.run(Relation(_NAMES), limit=None).rows
        return {int(str(key)): str(name) for key, name in rows}

    @cached_property
    def _members(self) -> Mapping[int, frozenset[str]]:
        parents = sorted({key for bases in self._bases.values() for key in bases})
        rows = self._after.graph.run(Relation(_MEMBERS, (parents,)), limit=None).rows
        found: dict[int, set[str]] = {}
        for parent, name in rows:
            found.setdefault(int(str(parent)), set()).add(str(name))
        return {key: frozenset(names) for key, names in found.items()}

    def _ancestors(self, key: int) -> Iterable[int]:
        seen: set[int] = set()
        pending = list(self._bases.get(key, ()))
        while pending:
            base = pending.pop()
            if base not in seen:
                seen.add(base)
                pending.extend(self._bases.get(base, ()))
        return seen


def _is_read_otherwise(one: Definition, other: Definition) -> bool:
    """Tell whether a plain method became a property, or the other way round; decorators that are
    not known may make properties, too.
    """
    kinds = {one.subkind: one, other.subkind: other}
    return (
        len(kinds) == 2
        and "property" in kinds
        and any(
            not definition.decorators for kind, definition in kinds.items() if kind != "property"
        )
    )


def _is_history(path: str) -> bool:
    """Tell whether a document describes the past, as a changelog does: it may name what is gone."""
    return path.rpartition("/")[2].partition(".")[0].lower() in _HISTORIES


def _sites(graph: GraphFile, keys: Iterable[int]) -> dict[int, list[SiteRow]]:
    found: dict[int, list[SiteRow]] = {}
    rows = graph.run(Relation(_SITES, (sorted(set(keys)),)), limit=None).rows
    for target, kind, source, path, line, text, candidates, is_test in rows:
        found.setdefault(int(str(target)), []).append(
            SiteRow(
                str(kind),
                str(source),
                str(path),
                int(str(line)),
                str(text),
                int(str(candidates)),
                bool(is_test),
            )
        )
    return found
