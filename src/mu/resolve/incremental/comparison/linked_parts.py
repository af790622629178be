"""The affected files, and which functions of each are linked: all of them or some.

Functions are identified by file and by number in its old version, with None for all of a file.
They are added step by step; functions that are not linked keep their rows (`kept_text`).
"""

from collections.abc import Collection, Iterable, Mapping, Set

from mu.model.graph import Node
from mu.model.kinds import NodeKind
from mu.resolve.incremental.comparison.file_difference import FileDifference
from mu.resolve.incremental.comparison.kept_text import KeptText, TextComparison
from mu.resolve.incremental.comparison.name_uses import FileFinder
from mu.resolve.incremental.program_version import ProgramVersion
from mu.resolve.program.program import Program

Functions = Mapping[int, set[int] | None]
"""Functions by file; None for all of a file."""


class LinkedParts:
    """The functions to link so far; `kept` are those that are not linked, by file."""

    def __init__(self, old: ProgramVersion, *, changed: Collection[int], find: FileFinder) -> None:
        self._old = old
        self._changed = changed
        self._find = find
        self._texts: TextComparison | None = None  # None where files are linked as a whole
        self.kept: dict[int, KeptText] = {}

    def compare(
        self,
        new: ProgramVersion,
        files: Set[int],
        *,
        differences: Mapping[int, FileDifference],
        named: tuple[Mapping[int, Set[str]], Mapping[int, Set[str]]],
        but: Set[int],
    ) -> None:
        """Find the functions of `files` that need not be linked (see `TextComparison`)."""
        self._texts = TextComparison((self._old, new), differences, named=named, but=but)
        self.kept = self._texts.kept(files)
        self.leave_out(new)

    def leave_out(self, new: ProgramVersion) -> None:
        """Leave the kept definitions out of both programs."""
        self._old.left_out = {key: one.before for key, one in self.kept.items()}
        new.left_out = {key: one.after for key, one in self.kept.items()}

    def link_whole(self, new: ProgramVersion) -> None:
        """Link files as a whole from now on."""
        self._texts, self.kept = None, {}
        self.leave_out(new)

    def share_of_all(self, program: Program, files: Set[int]) -> float:
        """Return the share of the program that is linked in `files`.

        A file counts with its number of expressions, times the share of its references that is
        linked.
        """
        rows = {key: program.outline(key).expressions for key in program.files}
        shares = {key: self.kept[key].share for key in files & self.kept.keys()}
        linked = sum(shares.get(key, 1) * rows[key] for key in files & rows.keys())
        return linked / sum(rows.values())

    def add(self, functions: Functions, *, linked: Set[int]) -> set[int]:
        """Link more functions; return the files of which more is linked now.

        `linked` are the files that were linked before, as a whole or in part.
        """
        more = set()
        for key, found in functions.items():
            before = self.kept.get(key)
            if key in linked and before is None:
                continue
            after = None
            if found is not None and before is not None:
                after = before.without(found)
            elif found is not None and self._texts is not None:
                after = self._texts.but_functions(key, found)
            if before is None or after is None or len(after.numbers) < len(before.numbers):
                more.add(key)
                self.kept.pop(key, None)
                if after is not None:
                    self.kept[key] = after
        return more

    def seeing(self, nodes: Iterable[Node]) -> dict[int, set[int] | None]:
        """Return the functions that refer to any of `nodes`; for a class, all of each such file."""
        rows = [*nodes]
        classes = [row.id for row in rows if row.kind == NodeKind.CLASS]
        others = [row.id for row in rows if row.kind != NodeKind.CLASS]
        found = self.sources(self._find.sources(others) if others else {})
        return found | dict.fromkeys(self._find.users(classes) if classes else ())

    def referring_to_changed(self, differences: Mapping[int, FileDifference]) -> Functions:
        """Return the functions that refer to definitions that changed outside their bodies."""
        nodes, first_of = self._old.linker.nodes, self._old.program.first_of
        keys = {
            nodes.of_definition(first_of[key] + local)
            for key, difference in differences.items()
            for local in difference.changed
        }
        return self.seeing(map(nodes.node, keys - {-1}))

    def sources(self, found: Mapping[int, Set[str]]) -> dict[int, set[int] | None]:
        """Return the functions that contain the given nodes, by file and id.

        For a node outside of functions, those that the enclosing code evaluates in part.
        """
        texts, there = self._texts, self._old.program.files
        return {
            key: texts.functions_of(key, ids) if texts and key in there else None
            for key, ids in found.items()
        }

    def inside(self, classes: Mapping[int, Set[int]]) -> dict[int, set[int] | None]:
        """Return the functions inside the given classes; all of a file without a class listed."""
        texts = self._texts
        return {
            key: texts.functions_inside(key, numbers) if texts and numbers else None
            for key, numbers in classes.items()
        }

    def around(self, definitions: Mapping[int, Set[int]]) -> dict[int, set[int] | None]:
        """Return the functions that contain the given definitions, by old number in the file.

        All of a file if any of its definitions is no function.
        """
        found: dict[int, set[int] | None] = {}
        for key, numbers in definitions.items():
            rows, texts = self._old.program.units[key].facts.definitions, self._texts
            is_known = all(rows[one].kind == "function" for one in numbers)
            found[key] = texts.functions_around(key, numbers) if texts and is_known else None
        return found

    def untold(self, nodes: Iterable[Node]) -> list[str]:
        """Return the names of the implicitly called methods among `nodes` with unknown callers.

        The language calls them by itself, other than by operations, and no reference resolves to
        them.
        """
        rules = {one.name: one for one in self._old.program.rules}
        return [
            row.name
            for row in nodes
            if row.kind == NodeKind.FUNCTION
            and row.language in rules
            and rules[row.language].is_called_implicitly(row.name)
            and not rules[row.language].is_operation(row.name)
            and not self._find.users([row.id])
        ]

    def naming(self, names: Set[str], files: Iterable[int]) -> dict[int, set[int] | None]:
        """Return the functions of some files whose text contains any of `names`."""
        texts, there = self._texts, self._old.program.files
        return {key: texts.naming(key, names) if texts and key in there else None for key in files}

    def having(self, key: int, rows: Set[int]) -> dict[int, set[int] | None]:
        """Return the functions of a file that contain any `rows` of its old version."""
        return {key: self._texts.having(key, rows) if self._texts else None}

    def holding(self, definitions: Mapping[int, Set[int]]) -> dict[int, set[int] | None]:
        """Return the functions that contain the given definitions, by new number in the file."""
        found: dict[int, set[int] | None] = {}
        for key, numbers in definitions.items():
            if key in self.kept:
                found[key] = self.kept[key].functions_with(numbers)
            elif self._texts is None or key in self._changed:
                found[key] = None
            else:
                found[key] = self._texts.functions_around(key, numbers)
        return found


def joined_functions(*parts: Functions) -> dict[int, set[int] | None]:
    """Return the union of functions by file."""
    found: dict[int, set[int] | None] = {}
    for part in parts:
        for key, functions in part.items():
            known = found.get(key, set())
            found[key] = None if functions is None or known is None else known | functions
    return found
