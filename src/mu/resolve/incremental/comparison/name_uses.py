"""Which files may mean a definition or variable of a name, as the texts of their facts say.

A name that is not in the text of a file leads to nothing there. It may be a part of a dotted name,
of the module that an import names or of a string, or begin with a string that a name is put
together of.
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
"""Gives what a dotted name leads to in a file, with a number of dots before it."""
FindFiles = Callable[[Iterable[str]], set[int]]
"""Gives files, by key."""


class FileFinder(NamedTuple):
    """Finds files, by key, in the graph of the old program."""

    users: FindFiles
    """Those that refer to any of some nodes, by id."""
    sources: Callable[[Iterable[str]], Mapping[int, Set[str]]]
    """Those that refer to any of some nodes, with the nodes, by id, that do so."""
    callers: Callable[[Iterable[str]], Mapping[int, Set[str]]]
    """Those that call any of some nodes, with the nodes, by id, that do so."""
    open: Callable[[Iterable[str]], Mapping[int, Set[str]]]
    """Those with a reference by any of some names that means nothing known, with the nodes, by id,
    that have it.
    """
    referring: Callable[
        [Set[str], tuple[Set[str], Set[str], Set[str]]], Mapping[int, Mapping[str, Set[str]]]
    ]
    """Those with a reference by any of some names to something outside, in a class with one of some
    last names, or by any of others to nothing known, or to any of some nodes: with the names of
    attributes, and an empty one for other references, and the nodes, by id, that have these.
    """
    sharing: Callable[[Set[int]], set[int]]
    """Those that share references with some files."""
    homes: Callable[[Set[str]], Mapping[str, Set[int]]]
    """By some names, those with the nodes of that name that references lead to, but for those to
    members of an own object or by `super()`.
    """
    asking: Callable[[Set[str]], Mapping[str, Set[int]]]
    """By some names, those with references to members of an own object."""


class NameUses:
    """The names in the facts of files, by the keys of these.

    A definition of the same name counts, too, unless `is_meant` asks for what may mean another. The
    files of which outlines are known are looked at where these tell of a name.
    """

    def __init__(
        self,
        facts: Mapping[int, FileFacts],
        outlines: Mapping[int, FileOutline],
        ends: Set[str],
    ) -> None:
        """`ends` are the endings of the names of all files."""
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
        """The files whose texts have any of some names, of those that are `among` some: what tells
        that should cost less than to read the facts of a file.
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
        """The files that put names together that begin as any of some names."""
        return {key for key in self._facts if names and self._begins(key, names)}

    def told_in(self, texts: Set[str]) -> set[int]:
        """The files with any of some texts as a string."""
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
        """The files that may take members of any of some names by constants which hold these, with
        the names of such constants: they read one of them, and have one of `readers`, which take
        members by a string.

        With `modules`, the last parts of a module's dotted names, its members are meant alone:
        those files are looked at that have such a name as it stands, and its own, `home`.
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
        """Tell whether the text of a file has any of some names."""
        return self._begins(key, names) or not self._names_of(key).isdisjoint(names)

    def _read(self, key: int, names: Set[str], *, own: Set[str]) -> set[str]:
        """Those of some names that a file reads, and does not just bind: by themselves those that
        it binds as its `own` or imports, the others of what is at hand.
        """
        facts = self._facts[key]
        bare = {*own, *(row.local or row.name for row in facts.imports if row.name in names)}
        if any(row.flags & _WILDCARD for row in facts.imports):
            bare |= names
        texts = {text for op, text, _, _ in facts.expressions if op != _NAME or text in bare}
        return {*texts, *name_parts(texts)} & names

    def taking(self, names: Set[str]) -> set[int]:
        """The files that take members of any of some names where no reference says so."""
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
        """The files that may read members of any of some names of what is at hand: by an attribute,
        a pattern or a string.
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
        """The files whose texts have any of some names, and any of some others."""
        near = {*self._near(others)} | self.beginning(others)
        return {key for key in self.of(names, among=near.__contains__) if self._has(key, others)}

    def beside_modules(
        self, files: Iterable[int], names: Set[str], *, find: FindModule
    ) -> set[int]:
        """Those of some files that mention any of some names otherwise than in the dotted name of a
        module.
        """
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
        """The files that may read any of some names out of a module, by its dotted name: they take
        one out of it by an import that `may_give` it, or read one and import the module, reach it
        by a package or by a string.
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
        """The files that may have any of some names: those that were not outlined, and those whose
        outlines have a digest of one.
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
        """Tell whether a file puts names together that begin as any of some names."""
        begins = self._beginnings.get(key)
        if begins is None:
            known = self._outlines.get(key)
            own = beginnings_in(self._facts[key]) if known is None else known.beginnings
            begins = self._beginnings[key] = tuple(own)
        return bool(begins) and any(name.startswith(begins) for name in names)


def _constants_holding(facts: FileFacts, names: Set[str]) -> Iterator[str]:
    """The variables of modules and classes that are bound to any of some texts, or to a literal
    with it.
    """
    rows, definitions = facts.expressions, facts.definitions
    holding: set[int] = set()
    for number, (op, text, base, args) in enumerate(rows):  # the parts of a row stand before it
        is_held = op in _WRITTEN and not holding.isdisjoint((base, *args))
        if is_held or (op == _STRING and text in names):
            holding.add(number)
    for one in facts.bindings if holding else ():
        home = facts.scopes[one.scope].definition
        if one.value in holding and (home < 0 or definitions[home].kind == "class"):
            yield one.name


def _paths(facts: FileFacts) -> Iterator[tuple[str, int, bool]]:
    """The dotted texts of a file, with the number of dots before them: those that imports take a
    module by, and others.
    """
    for row in facts.imports:
        yield row.module, row.level, True
    for text in dotted_texts(facts):
        yield text, 0, False


def _leads_to(text: str, last: str, names: Set[str]) -> bool:
    """Tell whether a text of several parts has a part that is its last one or before a name."""
    parts = parts_of(text)
    return len(parts) > 1 and any(
        one == last and (after is None or after in names)
        for one, after in zip(parts, [*parts[1:], None], strict=True)
    )


def _is_in_path(target: Target, names: Set[str], *, is_taken: bool) -> bool:
    """Tell whether what a dotted text leads to may have any of some names that is in it: not where
    all of it is a module's name, nor where an import takes a module outside the repository.
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
    """Tell whether a file reads an attribute of a name, and may mean that of a module, which
    imports may give it, or texts with the module's name: at their end, or before any of the names
    or the ending of a file. That is not so of `text/plain`.
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
