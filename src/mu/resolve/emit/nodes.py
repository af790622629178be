"""Nodes of the graph, with their ids and keys.

Nodes inside the repository are numbered first, by file and then by place, so their keys do not
depend on references to them; external nodes follow in the order in which they are first referenced.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from types import MappingProxyType
from typing import NamedTuple, Self

from mu.model.facts import FileFacts
from mu.model.graph import File, Node, NodeProse, NodeWords
from mu.model.kinds import NodeKind
from mu.resolve.emit.ledger import Ledger
from mu.resolve.program.file_nodes import EMPTY_NODE, NodesInFile
from mu.resolve.program.file_symbols import EXTENSION, FileSymbols
from mu.resolve.program.program import Program, ProgramText
from mu.resolve.program.stub_library import FIRST_KEY
from mu.resolve.semantics.language_rules import LanguageRules

_NOT_MADE = -2
_CONSTANT = re.compile(r"[A-Z][A-Z0-9]*(_[A-Z0-9]+)+")  # two words or more: single words are common


class NodeNames(NamedTuple):
    """The names of all nodes of a file except its module, and those of its constants, in order.

    A constant is a module variable in capitals with an underscore.
    """

    names: Sequence[str]
    constants: Sequence[str]


class NodeTable:
    """The nodes of a program; methods `of_*` return their keys.

    The nodes of a file whose names are `known`, by file key, are made when they are first
    requested.
    """

    def __init__(
        self, program: Program, known: Mapping[int, NodeNames] = MappingProxyType({})
    ) -> None:
        self._program = program
        self._names = dict(known)
        self._rows: list[Node | None] = []
        self._spans: dict[int, range] = {}  # the nodes of each file
        self._definitions = [_NOT_MADE] * program.size
        self._variables: dict[tuple[int, int, str], int] = {}
        self._namespaces: dict[str, int] = {}
        self._externals: dict[str, int] = {}
        self._not_made: set[int] = set()  # files
        for key in program.files:
            self._add_file(key)
        self._starts = [span.start for span in self._spans.values()]
        self._inside = len(self._rows)  # number of nodes in files
        self._moved: dict[int, list[int]] = {}  # nodes of other files, by the file they belong in
        for unit in program.unforeseen_units():
            self._move_extensions(unit)

    def _add_file(self, key: int) -> None:
        start, names = len(self._rows), self._names.get(key)
        if names is None:
            self._rows += self._make(key, start)
        else:
            self._rows += [None] * (len(names.names) + 1)
            self._not_made.add(key)
        self._spans[key] = range(start, len(self._rows))

    def _make(self, key: int, start: int) -> list[Node]:
        unit = self._program.units[key]
        made = NodesInFile(unit, start)
        self._definitions[unit.first : unit.first + len(made.definitions)] = made.definitions
        self._variables.update(made.variables)
        return made.rows

    def _fill(self, file: int) -> list[Node]:
        """Make the nodes of a file that has none yet."""
        self._not_made.remove(file)
        span = self._spans[file]
        rows = self._make(file, span.start)
        self._rows[span.start : span.stop] = rows
        return rows

    def node(self, key: int) -> Node:
        """Return the node with a key."""
        row = self._rows[key]
        if row is None:
            file = [*self._spans][bisect_right(self._starts, key) - 1]
            row = self._fill(file)[key - self._spans[file].start]
        return row

    def meant_in(self, ledger: Ledger) -> list[Node]:
        """Return all nodes in files, and the others that rows refer to, in the order of their keys.

        The latter are renumbered, also in the rows.
        """
        left = ledger.drop_unmeant(self._inside, len(self._rows))
        outside = [
            self.node(key)._replace(key=place) for place, key in enumerate(left, self._inside)
        ]
        return [*map(self.node, range(self._inside)), *outside]

    def outside(self) -> list[Node]:
        """Return the nodes that are in no file."""
        return [*map(self.node, range(self._inside, len(self._rows)))]

    def adopt(self, nodes: Iterable[Node]) -> list[int]:
        """Return the keys here of nodes in no file that another process made: new or known ones."""
        keys = []
        for node in nodes:
            is_folder = node.kind == NodeKind.MODULE
            known = self._namespaces if is_folder else self._externals
            name = node.id.partition(":")[2]
            key = known.get(name)
            if key is None:
                key = known[name] = len(self._rows)
                self._rows.append(node._replace(key=key))
            keys.append(key)
        return keys

    @property
    def inside(self) -> int:
        """The number of nodes in files."""
        return self._inside

    def names(self, file: int) -> NodeNames:
        """Return the names of the nodes of a file."""
        found = self._names.get(file)
        if found is None:
            first, *rows = self.held_by_file(file)
            found = self._names[file] = NodeNames(
                [row.name for row in rows],
                [
                    row.name
                    for row in rows
                    if row.parent == first.key
                    and row.kind == NodeKind.VARIABLE
                    and _CONSTANT.fullmatch(row.name)
                ],
            )
        return found

    def may_have(self, file: int, names: Set[str]) -> bool:
        """Return whether a node of a file may have any of some names; make no nodes."""
        known = self._names.get(file)
        return known is None or not names.isdisjoint(known.names)

    def held_in(self, file: int) -> list[Node]:
        """Return the nodes, also of other files, whose parents are nodes of a file."""
        span = self._spans[file]
        own = [row for row in self.held_by_file(file) if row.parent in span]
        return [*own, *map(self.node, self._moved.get(file, ()))]

    def held_by_file(self, file: int) -> list[Node]:
        """Return the nodes of a file."""
        return [*map(self.node, self._spans[file])]

    def homes_of(self, file: int) -> set[int]:
        """Return the files with nodes that those of a file are defined in."""
        parents = {row.parent for row in self.held_by_file(file)} - {-1}
        return {self.node(parent).file for parent in parents}

    def _move_extensions(self, unit: FileSymbols) -> None:
        """Move members of extensions to the classes they extend, if these are in the repository."""
        span = self._spans[unit.key]
        homes: dict[int, tuple[int, int]] = {}  # by placeholder parent: file, node
        for local, row in enumerate(unit.facts.definitions):
            if row.kind == EXTENSION:
                number = unit.extended.get(local, self._program.size)
                home = unit.key, span.start
                if number < self._program.size and self.of_definition(number) >= 0:
                    home = self._program.unit_of[number].file.key, self.of_definition(number)
                homes[-2 - local] = home
                self._definitions[unit.first + local] = home[1]
        for key in span if homes else ():
            node = self.node(key)
            if node.parent in homes:
                file, parent = homes[node.parent]
                self._rows[key] = node._replace(parent=parent)
                if file != unit.key:
                    self._moved.setdefault(file, []).append(key)

    def of_module(self, file: int) -> int:
        """Return the node of a file's module."""
        if file >= FIRST_KEY:
            unit = self._program.unit(file)
            return self.of_external(unit.file.path, unit.rules)
        return self._spans[file].start

    def of_definition(self, number: int) -> int:
        """Return the node of a definition; -1 for a function without a name."""
        if number >= self._program.size:
            rules = self._program.unit_of[number].rules
            return self.of_external(self._program.dotted(number), rules)
        key = self._definitions[number]
        if key == _NOT_MADE:
            self._fill(self._program.unit_of[number].file.key)
            key = self._definitions[number]
        return key

    def of_owner(self, unit: FileSymbols, owner: int) -> int:
        """Return the node of a definition numbered within a file; -1 there is the file's module."""
        return self.of_definition(unit.first + owner) if owner >= 0 else self.of_module(unit.key)

    def owners(self, unit: FileSymbols) -> list[int]:
        """Return the nodes of a file's definitions, numbered within the file, then its module."""
        first = unit.first
        if unit.key in self._not_made:
            self._fill(unit.key)
        return [
            *self._definitions[first : first + len(unit.facts.definitions)],
            self._spans[unit.key].start,
        ]

    def prose(self, unit: FileSymbols) -> Iterator[NodeProse]:
        """Yield the comments and strings of a file's definitions and module."""
        owners = self.owners(unit)
        for definition, comments, strings in unit.facts.prose:
            yield NodeProse(owners[definition], comments, strings)

    def words(self, unit: FileSymbols) -> Iterator[NodeWords]:
        """Yield the words of a file, if they were weighed, with the nodes of its definitions."""
        if unit.facts.words is not None:
            yield NodeWords(self.owners(unit), unit.facts.words)

    def of_file(self, unit: FileSymbols) -> "NodesOfFile":
        """Return the nodes of a file, with their prose and words."""
        nodes = self.held_by_file(unit.key)
        return NodesOfFile(nodes, list(self.prose(unit)), list(self.words(unit)))

    def of_variable(self, place: tuple[int, int, str]) -> int:
        """Return the node of a variable; -1 for a name that is no variable of its own."""
        if place[0] >= FIRST_KEY:
            rules = self._program.unit(place[0]).rules
            return self.of_external(self._program.dotted_variable(place), rules)
        if place[0] in self._not_made:
            self._fill(place[0])
        return self._variables.get(place, -1)

    def of_namespace(self, folder: str, unit: FileSymbols) -> int:
        """Return the node of a folder that is a module without a file, as seen from a file."""
        key = self._namespaces.get(folder)
        if key is None:
            dotted = unit.finder.name_of_namespace(folder)
            name = dotted.rpartition(".")[2]
            key = self._namespaces[folder] = self._add_bare(
                f"pkg:{folder}", NodeKind.MODULE, "namespace", name, dotted, unit.file.language
            )
        return key

    def of_external(self, dotted: str, rules: LanguageRules) -> int:
        """Return the node of an external symbol."""
        key = self._externals.get(dotted)
        if key is None:
            subkind = "stdlib" if rules.modules.is_stdlib(dotted) else "package"
            name = last_part(dotted)
            key = self._externals[dotted] = self._add_bare(
                f"ext:{dotted}", NodeKind.EXTERNAL, subkind, name, dotted, rules.name
            )
        return key

    def _add_bare(
        self, node_id: str, kind: NodeKind, subkind: str, name: str, dotted: str, language: str
    ) -> int:
        key = len(self._rows)
        self._rows.append(
            EMPTY_NODE._replace(
                key=key,
                id=node_id,
                kind=kind,
                subkind=subkind,
                name=name,
                qualified_name=dotted,
                module=dotted if kind == NodeKind.MODULE else _module_part(dotted),
                language=language,
            )
        )
        return key


class NodesOfFile(NamedTuple):
    """The nodes of a file, with their prose and words."""

    nodes: list[Node]
    prose: list[NodeProse]
    words: list[NodeWords]

    def keyed(self, key: Callable[[int], int]) -> Self:
        """Return the prose and words with other node keys."""
        words = [NodeWords([*map(key, nodes)], words) for nodes, words in self.words]
        prose = [row._replace(node=key(row.node)) for row in self.prose]
        return self._replace(prose=prose, words=words)


def file_nodes(file: File, facts: FileFacts, *, rules: LanguageRules) -> NodesOfFile:
    """Return a file's nodes in the order of the graph, with keys from 0, and their prose and words.

    They are made from the file's facts alone. They equal those of the whole program except for what
    other files determine: keys, parents of the members of extensions, names of modules and
    packages.
    """
    alone = file._replace(key=0)
    program = Program(ProgramText((alone,), {0: facts}, {file.language: rules}))
    table = NodeTable(program)
    unit = program.units[0]
    return table.of_file(unit)


def last_part(dotted: str) -> str:
    """Return the last name of an external symbol, whether its module is a dotted name or a path."""
    return dotted.rpartition("/")[2].rpartition(".")[2]


def _module_part(dotted: str) -> str:
    """Return the module of an external symbol; of a dotted name, the outermost package."""
    path, slash, name = dotted.rpartition("/")
    return f"{path}{slash}{name.partition('.')[0]}"
