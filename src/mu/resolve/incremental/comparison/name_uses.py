"""Find the files that may refer to a name, from the texts in their facts.

A file refers to a name only if its text contains it: as a whole, as a part of a dotted name, of the
module that an import names or of a string, or as a computed name with the same beginning
(`getattr(x, "on_" + kind)`).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from functools import partial
from typing import NamedTuple

from mu.model.facts import FileFacts, Flag, Import, Op
from mu.resolve.incremental.comparison.reexports import takes_any
from mu.resolve.program.file_outline import FileOutline, beginnings_in, taken_members
from mu.resolve.program.mentioned_names import (
    defined_names,
    dotted_texts,
    mentioned_names,
    name_digests,
    name_parts,
    parts_of,
    whole_names,
)
from mu.resolve.semantics.module_resolver import Target

_ATTRIBUTE, _NAME, _STRING = int(Op.ATTRIBUTE), int(Op.NAME), int(Op.STRING)
_READING = frozenset(map(int, (Op.ATTRIBUTE, Op.STRING, Op.ITEM)))
_WRITTEN = frozenset(map(int, (Op.COLLECTION, Op.PAIR, Op.KEYWORD, Op.OPERATOR)))
_WILDCARD = int(Flag.WILDCARD)

FindModule = Callable[[int, str, int], Target]
"""Returns the target of (importing file, dotted name, number of leading dots)."""
FindFiles = Callable[[Iterable[str]], set[int]]
"""Returns files, by key."""


class FileFinder(NamedTuple):
    """Finds files, by key, in the graph of the old program."""

    users: FindFiles
    """Files that refer to any of the given nodes, by id."""
    sources: Callable[[Iterable[str]], Mapping[int, Set[str]]]
    """Files that refer to any of the given nodes, each with the ids of the referring nodes."""
    callers: Callable[[Iterable[str]], Mapping[int, Set[str]]]
    """Files that call any of the given nodes, each with the ids of the calling nodes; calls by
    `super()` and by names of the module or of imports are left out.
    """
    unresolved: Callable[[Iterable[str]], Mapping[int, Set[str]]]
    """Files with an unresolved reference by any of the given names, each with the ids of the
    referring nodes.
    """
    referring: Callable[
        [Set[str], tuple[Set[str], Set[str], Set[str], Set[str]]],
        Mapping[int, Mapping[str, Set[str]]],
    ]
    """`referring(names, (unresolved names, node ids, class names, operations))`: files with a
    reference to any of the nodes, an unresolved one by any of the unresolved names, or one by any
    of `names` to a member of an external class with one of those last names. Each with the ids of
    the referring nodes by attribute name, "" for references that are no attribute. Unresolved
    references by the names of methods of `operations` count only as attributes.
    """
    sharing: Callable[[Set[int]], set[int]]
    """Files that share references with the given ones: a reference is in one file, and the node
    that it starts at in another.
    """
    homes: Callable[[Set[str]], Mapping[str, Set[int]]]
    """By name, the files that define nodes of that name to which references resolve; references to
    members of `self` or by `super()` are left out.
    """
    asking: Callable[[Set[str]], Mapping[str, Set[int]]]
    """By name, the files with references of that name to a member of `self`."""


class NameUses:
    """Index of the names in the facts of files, by file key.

    A file whose outline is known is decoded only if the outline has a digest of the sought name.
    """

    def __init__(
        self,
        facts: Mapping[int, FileFacts],
        outlines: Mapping[int, FileOutline],
        ends: Set[str],
    ) -> None:
        """Set up the index; `ends` are the file name extensions of all files."""
        self._facts = facts
        self._ends = ends
        self._outlines = outlines
        self._names: dict[int, set[str]] = {}
        self._defined: dict[int, set[str]] = {}
        self._beginnings: dict[int, tuple[str, ...]] = {}

    def of(
        self,
        names: Set[str],
        *,
        is_meant: bool = False,
        among: Callable[[int], bool] = lambda _: True,
    ) -> set[int]:
        """Return the files whose text contains any of `names`, of those that are `among` some.

        With `is_meant`, files that only define such a name are left out. `among` should cost less
        than reading the facts of a file.
        """
        if not names:
            return set()
        near = [*filter(among, self._near(names))]
        found = {*filter(among, self.beginning(names))}
        found |= {key for key in near if not self._names_of(key).isdisjoint(names)}
        if not is_meant:
            found |= {key for key in near if not self._defined[key].isdisjoint(names)}
        return found

    def beginning(self, names: Set[str]) -> set[int]:
        """Return the files that compute names with the same beginning as any of `names`."""
        return {key for key in self._facts if names and self._begins(key, names)}

    def with_strings(self, texts: Set[str]) -> set[int]:
        """Return the files with any of `texts` as a string literal."""
        return {
            key
            for key in (self._near(texts) if texts else ())
            if any(
                op == _STRING and text in texts for op, text, _, _ in self._facts[key].expressions
            )
        }

    def by_constants(
        self,
        names: Set[str],
        *,
        readers: Set[str],
        modules: Set[str] | None = None,
        home: int = -1,
    ) -> dict[int, set[str]]:
        """Find the files that may read members called `names` by constants that hold these strings.

        Returns the names of such constants by file. A file counts if it reads one of them, and
        names any of `readers`, which read a member by a string (`getattr`). With `modules`, the
        last parts of a module's dotted names, only members of that module are sought: in files
        whose text contains such a name, and in the module's own file, `home`.
        """
        among = {*self._near(readers)} | self.beginning(readers) if names and readers else set()
        if modules is not None:
            among = {
                key
                for key in among & {home, *self._near(modules)}
                if self._has(key, readers)
                and (key == home or not self._names_of(key).isdisjoint(modules))
            }
        if not among:
            return {}
        held = {key: {*_constants_holding(self._facts[key], names)} for key in self._near(names)}
        found = set[str]().union(*held.values())
        more = found
        while more:
            rows = (row for key in self._near(more) for row in self._facts[key].imports)
            more = {row.local for row in rows if row.name in more} - found - {""}
            found |= more
        reading = {
            key: self._read(key, found, own=held.get(key, set()))
            for key in self.of(found, among=among.__contains__)
            if self._has(key, readers)
        }
        return {key: read for key, read in reading.items() if read}

    def _has(self, key: int, names: Set[str]) -> bool:
        """Return whether the text of a file contains any of `names`, or computes one."""
        return self._begins(key, names) or not self._names_of(key).isdisjoint(names)

    def _read(self, key: int, names: Set[str], *, own: Set[str]) -> set[str]:
        """Return those of `names` that a file reads, and does not just bind.

        Bare names count only if they are its `own` or imported; attributes and strings always do.
        """
        facts = self._facts[key]
        bare = {*own, *(row.local or row.name for row in facts.imports if row.name in names)}
        if any(row.flags & _WILDCARD for row in facts.imports):
            bare |= names
        texts = {text for op, text, _, _ in facts.expressions if op != _NAME or text in bare}
        return {*texts, *name_parts(texts)} & names

    def taking(self, names: Set[str]) -> set[int]:
        """Return the files that read members called `names` where no reference records it."""
        sought, found = [name_digests((name,)) for name in names], set()
        for key in self._facts if names else ():
            known = self._outlines.get(key)
            if known is None:
                is_taking = not names.isdisjoint(taken_members(self._facts[key]))
            else:
                is_taking = any(one in known.taken for one in sought)
            if is_taking:
                found.add(key)
        return found

    def of_members(self, names: Set[str]) -> set[int]:
        """Return the files that may read members called `names` of any object.

        They do so by an attribute, a pattern or a string.
        """
        return self.beginning(names) | {
            key
            for key in (self._near(names) if names else ())
            if any(
                op in _READING and (text in names or not names.isdisjoint(parts_of(text)))
                for op, text, _, _ in self._facts[key].expressions
            )
        }

    def of_both(self, names: Set[str], others: Set[str]) -> set[int]:
        """Return the files whose text contains any of `names` and any of `others`."""
        near = {*self._near(others)} | self.beginning(others)
        return {key for key in self.of(names, among=near.__contains__) if self._has(key, others)}

    def beside_modules(
        self, files: Iterable[int], names: Set[str], *, find: FindModule
    ) -> set[int]:
        """Return those of `files` that contain any of `names` outside of dotted module names."""
        found = set()
        for key in files:
            facts = self._facts[key]
            whole = whole_names(facts) | defined_names(facts)
            if (
                self._begins(key, names)
                or not names.isdisjoint(whole)
                or any(
                    _is_in_path(find(key, module, level), names, is_taken=is_taken)
                    for module, level, is_taken in _paths(facts)
                    if not names.isdisjoint(parts_of(module))
                )
            ):
                found.add(key)
        return found

    def reading(
        self, names: Set[str], dotted: str, *, may_give: Callable[[int, Import], bool]
    ) -> set[int]:
        """Return the files that may read any of `names` from the module called `dotted`.

        They import one by an import that `may_give` resolves to an exporter of the module, or they
        read one and import the module, or reach it by a package or a string.
        """
        module = {dotted.rpartition(".")[2]}
        found = set()
        for key in self.of_both(names, module):
            is_open = self._begins(key, names) or self._begins(key, module)
            facts = self._facts[key]
            taken = (row for row in facts.imports if takes_any(row, names))
            if (
                is_open
                or any(may_give(key, row) for row in taken)
                or _may_read(facts, names, dotted, partial(may_give, key), ends=self._ends)
            ):
                found.add(key)
        return found

    def _near(self, names: Set[str]) -> list[int]:
        """Return the files that may contain any of `names`.

        These are the files without an outline, and those whose outline has a digest of a name.
        """
        sought, outlines = [name_digests((name,)) for name in names], self._outlines
        return [
            key
            for key in self._facts
            if (known := outlines.get(key)) is None or any(one in known.names for one in sought)
        ]

    def _names_of(self, key: int) -> set[str]:
        known = self._names.get(key)
        if known is None:
            facts = self._facts[key]
            known = self._names[key] = mentioned_names(facts)
            self._defined[key] = defined_names(facts)
        return known

    def _begins(self, key: int, names: Set[str]) -> bool:
        """Return whether a file computes names with the same beginning as any of `names`."""
        begins = self._beginnings.get(key)
        if begins is None:
            known = self._outlines.get(key)
            own = beginnings_in(self._facts[key]) if known is None else known.beginnings
            begins = self._beginnings[key] = tuple(own)
        return bool(begins) and any(name.startswith(begins) for name in names)


def _constants_holding(facts: FileFacts, names: Set[str]) -> Iterator[str]:
    """Yield the module and class variables bound to one of the strings `names`.

    A literal or operator expression that contains the string counts as well.
    """
    rows, definitions = facts.expressions, facts.definitions
    holding: set[int] = set()
    for number, (op, text, base, args) in enumerate(rows):  # operands come before their row
        is_held = op in _WRITTEN and not holding.isdisjoint((base, *args))
        if is_held or (op == _STRING and text in names):
            holding.add(number)
    for one in facts.bindings if holding else ():
        home = facts.scopes[one.scope].definition
        if one.value in holding and (home < 0 or definitions[home].kind == "class"):
            yield one.name


def _paths(facts: FileFacts) -> Iterator[tuple[str, int, bool]]:
    """Yield (dotted text, number of leading dots, whether an import names a module by it)."""
    for row in facts.imports:
        yield row.module, row.level, True
    for text in dotted_texts(facts):
        yield text, 0, False


def _leads_to(text: str, last: str, names: Set[str]) -> bool:
    """Return whether `last` is the last part of a dotted text, or the part before one of `names`.

    A text of a single part does not count.
    """
    parts = parts_of(text)
    return len(parts) > 1 and any(
        one == last and (after is None or after in names)
        for one, after in zip(parts, [*parts[1:], None], strict=True)
    )


def _is_in_path(target: Target, names: Set[str], *, is_taken: bool) -> bool:
    """Return whether one of `names` in a dotted text may name more than a part of a module's name.

    That is not so where all of the text names a module, nor where an import names an external one.
    """
    if target.inside:
        return not names.isdisjoint(target.inside)
    return bool(target.missing) or (bool(target.external) and not is_taken)


def _may_read(
    facts: FileFacts,
    names: Set[str],
    dotted: str,
    may_give: Callable[[Import], bool],
    *,
    ends: Set[str],
) -> bool:
    """Return whether a file reads any of `names` and may reach the module called `dotted`.

    It reaches it by an import, by an attribute of its package, or by a text with the module's name
    at its end, or before one of the names or a file name extension (so not by `text/plain` for a
    module `text`).
    """
    *above, last = dotted.split(".")
    is_reached = is_near = False
    for row in facts.imports:
        parts = parts_of(row.module)
        meant = {*parts} if row.name in ("", "*") else {row.name}
        is_reached = is_reached or (last in meant and may_give(row))
        is_near |= not meant.isdisjoint(above)
    read: set[str] = set()
    texts: set[str] = set()
    for op, text, base, _ in facts.expressions:
        if op == _ATTRIBUTE:
            read.add(text)
            is_reached |= text in names and facts.expressions[base][:2] == (_ATTRIBUTE, last)
        else:
            texts.add(text)
    parted = {*name_parts(texts)}
    is_reached |= is_near and last in read
    is_reached |= last in parted and any(_leads_to(text, last, names | ends) for text in texts)
    strings = {text for op, text, _, _ in facts.expressions if op == _STRING}
    return is_reached and not names.isdisjoint(read | strings | parted)
