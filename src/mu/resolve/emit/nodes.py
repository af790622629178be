"""Nodes of the graph, with their ids and keys.

Nodes inside the repository are numbered first, by file and then by place, so keys do not depend on
what refers to them; external nodes follow in the order in which they are first referred to.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple, Self

from mu.model.facts import Definition, FileFacts, Flag, ScopeKind
from mu.model.graph import File, Node, NodeProse, NodeWords
from mu.model.kinds import Category, NodeKind
from mu.resolve.program.file_symbols import EXTENSION, NAMESPACE, OBJECT, FileSymbols, NameEntry
from mu.resolve.program.program import Program
from mu.resolve.program.stub_library import FIRST_KEY
from mu.resolve.semantics.language_rules import LanguageRules

_PREFIXES = {"class": "cls", "function": "fn"}
_KINDS = {"class": NodeKind.CLASS, "function": NodeKind.FUNCTION}
_ASYNC = int(Flag.ASYNC)
_IN_CLASS = int(ScopeKind.CLASS)

_new_row = tuple.__new__
_PARENT = Node._fields.index("parent")


class NodeTable:
    """Makes the nodes of a program; methods `of_*` return their keys.

    Those of files that are the same in a program with a `known` table are taken from there.
    """

    def __init__(self, program: Program, known: Self | None = None) -> None:
        self._program = program
        self.rows: list[Node] = []
        self._own: dict[int, dict[tuple[int, int, str], int]] = {}  # variables, by file
        self._spans: dict[int, range] = {}  # the nodes of each file
        self._definitions: list[int] = []
        self._variables: dict[tuple[int, int, str], int] = {}
        self._namespaces: dict[str, int] = {}
        self._externals: dict[str, int] = {}
        for unit in program.units.values():
            if known is None or not known.has_same(unit):
                self._add_file(unit)
            else:
                self._take_file(unit, known)
        self._moved: dict[int, list[int]] = {}  # nodes of other files, by the file they belong in
        for unit in program.units.values():
            self._move_extensions(unit)

    def has_same(self, unit: FileSymbols) -> bool:
        """Whether the nodes of a file of another program are the same but for their keys."""
        own = self._program.units.get(unit.file.key)
        if own is None or own.facts is not unit.facts or own.file != unit.file:
            return False
        if any(row.kind == EXTENSION for row in unit.facts.definitions):
            return False  # what is in them belongs elsewhere
        return _names(own) == _names(unit)

    def _add_file(self, unit: FileSymbols) -> None:
        made = _FileNodes(unit, self.rows)
        self._spans[unit.file.key] = range(made.module, len(self.rows))
        self._definitions += made.definitions
        self._own[unit.file.key] = made.variables
        self._variables.update(made.variables)

    def _take_file(self, unit: FileSymbols, known: Self) -> None:
        """Take the nodes of a file from another table, as many places further on as need be."""
        file, span = unit.file.key, known._spans[unit.file.key]
        start, by = len(self.rows), len(self.rows) - span.start
        rows = known.rows[span.start : span.stop]
        first = known._program.units[file].first
        definitions = known._definitions[first : first + len(unit.facts.definitions)]
        variables = known._own[file]
        if by:
            rows = [_moved(row, by) for row in rows]
            definitions = [key + by if key >= 0 else key for key in definitions]
            variables = {place: key + by for place, key in variables.items()}
        self.rows += rows
        self._spans[file] = range(start, len(self.rows))
        self._definitions += definitions
        self._own[file] = variables
        self._variables.update(variables)

    def held_in(self, file: int) -> list[Node]:
        """The nodes whose parents are nodes of a file, and the file's module."""
        span = self._spans[file]
        own = [row for row in self.rows[span.start : span.stop] if row.parent in span]
        return [*own, *(self.rows[key] for key in self._moved.get(file, ()))]

    def held_by_file(self, file: int) -> list[Node]:
        """The nodes of a file."""
        span = self._spans[file]
        return self.rows[span.start : span.stop]

    def homes_of(self, file: int) -> set[int]:
        """The files with nodes that those of a file are defined in."""
        span = self._spans[file]
        parents = {row.parent for row in self.rows[span.start : span.stop]} - {-1}
        return {self.rows[parent].file for parent in parents}

    def _move_extensions(self, unit: FileSymbols) -> None:
        """Let what stands in extensions belong to the classes they extend, where those are here."""
        span = self._spans[unit.file.key]
        homes: dict[int, tuple[int, int]] = {}  # by what stands for the parent: its file and node
        for local, row in enumerate(unit.facts.definitions):
            if row.kind == EXTENSION:
                number = unit.extended.get(local, self._program.size)
                home = unit.file.key, span.start
                if number < self._program.size and self._definitions[number] >= 0:
                    home = self._program.unit_of[number].file.key, self._definitions[number]
                homes[-2 - local] = home
                self._definitions[unit.first + local] = home[1]
        for key in span if homes else ():
            if self.rows[key].parent in homes:
                file, node = homes[self.rows[key].parent]
                self.rows[key] = self.rows[key]._replace(parent=node)
                if file != unit.file.key:
                    self._moved.setdefault(file, []).append(key)

    def of_module(self, file: int) -> int:
        """The node of a file's module."""
        if file >= FIRST_KEY:
            unit = self._program.unit(file)
            return self.of_external(unit.file.path, unit.rules)
        return self._spans[file].start

    def of_definition(self, number: int) -> int:
        """The node of a definition; -1 for a function without a name."""
        if number >= self._program.size:
            rules = self._program.unit_of[number].rules
            return self.of_external(self._program.dotted(number), rules)
        return self._definitions[number]

    def of_owner(self, unit: FileSymbols, owner: int) -> int:
        """The node of a definition numbered within a file; -1 there is the file's module."""
        return (
            self._definitions[unit.first + owner] if owner >= 0 else self.of_module(unit.file.key)
        )

    def owners(self, unit: FileSymbols) -> list[int]:
        """The nodes of a file's definitions, numbered within the file; the last is its module."""
        first = unit.first
        return [
            *self._definitions[first : first + len(unit.facts.definitions)],
            self._spans[unit.file.key].start,
        ]

    def prose(self, unit: FileSymbols) -> Iterator[NodeProse]:
        """What the definitions of a file, and its module, say besides their names."""
        owners = self.owners(unit)
        for definition, comments, strings in unit.facts.prose:
            yield NodeProse(owners[definition], comments, strings)

    def words(self, unit: FileSymbols) -> Iterator[NodeWords]:
        """The words of a file, with the nodes of its definitions, where they were weighed."""
        if unit.facts.words is not None:
            yield NodeWords(self.owners(unit), unit.facts.words)

    def of_file(self, unit: FileSymbols) -> "NodesOfFile":
        """The nodes of a file, and what they say."""
        nodes = self.held_by_file(unit.file.key)
        return NodesOfFile(nodes, list(self.prose(unit)), list(self.words(unit)))

    def of_variable(self, place: tuple[int, int, str]) -> int:
        """The node of a variable; -1 for a name that is no variable of its own."""
        if place[0] >= FIRST_KEY:
            rules = self._program.unit(place[0]).rules
            return self.of_external(self._program.dotted_variable(place), rules)
        return self._variables.get(place, -1)

    def of_namespace(self, folder: str, unit: FileSymbols) -> int:
        """The node of a folder that is a module without a file, as seen from a file."""
        key = self._namespaces.get(folder)
        if key is None:
            dotted = unit.finder.name_of_namespace(folder)
            name = dotted.rpartition(".")[2]
            key = self._namespaces[folder] = self._add_bare(
                f"pkg:{folder}", NodeKind.MODULE, "namespace", name, dotted, unit.file.language
            )
        return key

    def of_external(self, dotted: str, rules: LanguageRules) -> int:
        """The node of something outside the repository."""
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
        key = len(self.rows)
        self.rows.append(
            _EMPTY._replace(
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
    """The nodes of a file, and what they say."""

    nodes: list[Node]
    prose: list[NodeProse]
    words: list[NodeWords]

    def keyed(self, key: Callable[[int], int]) -> Self:
        """What they say, with other keys."""
        words = [NodeWords([*map(key, nodes)], words) for nodes, words in self.words]
        prose = [row._replace(node=key(row.node)) for row in self.prose]
        return self._replace(prose=prose, words=words)


def file_nodes(file: File, facts: FileFacts, *, rules: LanguageRules) -> NodesOfFile:
    """Give the nodes of a file in the order of the graph, with keys from 0, and what they say.

    Made from its facts alone: those of the whole program but for what only other files tell, which
    are keys, parents of what stands in extensions, names of modules and packages.
    """
    alone = file._replace(key=0)
    program = Program((alone,), {0: facts}, rules={file.language: rules}, roots=(), manifests={})
    table = NodeTable(program)
    unit = program.units[0]
    return table.of_file(unit)


def _names(unit: FileSymbols) -> tuple[str, str, bool]:
    """What other files tell of the names of the nodes of a file."""
    finder, key = unit.finder, unit.file.key
    return finder.name_of(key), finder.prefix_of(key), finder.is_package(key)


def _moved(row: Node, by: int) -> Node:
    """The node of a file with a key, and that of its parent, that are greater by a number."""
    parent = row.parent + by if row.parent >= 0 else row.parent
    return _new_row(Node, (row.key + by, *row[1:_PARENT], parent, *row[_PARENT + 1 :]))


def last_part(dotted: str) -> str:
    """The last name of something outside, whether its module is a dotted name or a path."""
    return dotted.rpartition("/")[2].rpartition(".")[2]


def _module_part(dotted: str) -> str:
    """The module of something outside; of a dotted name, the outermost package."""
    path, slash, name = dotted.rpartition("/")
    return f"{path}{slash}{name.partition('.')[0]}"


class _FileNodes:
    """Makes the nodes of one file: `definitions` and `variables` are their keys.

    Django has 60,000, so rows are made of plain tuples (0.1 us each, where `_replace` takes 2 us).
    """

    def __init__(self, unit: FileSymbols, rows: list[Node]) -> None:
        file = unit.file
        self._unit = unit
        self._rows = rows
        self._none: list[str] = []  # of every row that has no decorators or parameters
        self._dotted = unit.finder.name_of(file.key)
        self._prefix = unit.finder.prefix_of(file.key)
        self._is_test = file.category == Category.TEST
        self._tests = _marked(unit) if unit.entries.test_mark else frozenset()
        self._is_generated = file.category == Category.GENERATED
        self.module = len(rows)
        self.definitions = [-1] * len(unit.facts.definitions)
        self._paths = [""] * len(unit.facts.definitions)  # ids without kind and file
        self._taken: dict[tuple[str, str], int] = {}
        self.variables: dict[tuple[int, int, str], int] = {}

        self._add_module()
        for number, row in enumerate(unit.facts.definitions):
            if row.kind == "class" and row.subkind == OBJECT:
                self._paths[number] = self._path(row)
            elif row.kind == EXTENSION:
                self._paths[number] = row.name
            elif row.name:
                self._add_definition(number, row)
        for scope, name in unit.variables:
            entry = unit.names[scope][name]
            owner = unit.scopes[scope].definition
            if entry.bindings and "." not in name and (owner < 0 or self._is_shown(owner)):
                in_class = unit.scopes[scope].kind == _IN_CLASS
                self._add_variable(scope, name, entry, _variable_subkind(name, in_class=in_class))
        for owner, fields in unit.fields.items():
            if self.definitions[owner] < 0:
                continue
            scope = unit.facts.definitions[owner].body
            for name, entry in fields.items():
                if name not in unit.names[scope]:
                    self._add_variable(scope, name, entry, "field")

    def _is_shown(self, number: int) -> bool:
        """Whether the members of a definition have nodes: it has one, or is an extension."""
        is_extension = self._unit.facts.definitions[number].kind == EXTENSION
        return is_extension or self.definitions[number] >= 0

    def _add_module(self) -> None:
        unit, dotted = self._unit, self._dotted
        file = unit.file
        is_package = unit.finder.is_package(file.key)
        self._rows.append(
            _EMPTY._replace(
                key=self.module,
                id=f"mod:{file.path}",
                kind=NodeKind.MODULE,
                subkind="package" if is_package else "module",
                name=dotted.rpartition(".")[2],
                qualified_name=dotted,
                module=dotted,
                language=file.language,
                file=file.key,
                start_line=1,
                end_line=max(file.lines, 1),
                docstring=unit.facts.docstring,
                is_test=self._is_test,
                is_generated=self._is_generated,
                lines=file.lines,
                digest=file.digest[:16],
            )
        )

    def _add_definition(self, number: int, row: Definition) -> None:
        unit, members = self._unit, self._unit.members
        _, parent = self._around(row.scope)
        path = self._unique(row.kind, self._path(row))
        self._paths[number] = path
        in_class = unit.scopes[row.scope].kind == _IN_CLASS
        key = self.definitions[number] = len(self._rows)
        columns = (
            key,
            f"{_PREFIXES[row.kind]}:{unit.file.path}:{path}",
            _KINDS[row.kind],
            members.subkind(row, in_class=in_class),
            row.own_name,
            f"{self._prefix}.{_plain(path) if '~' in path else path}",
            self._dotted,
            unit.file.language,
            unit.file.key,
            parent,
            row.start_line,
            row.end_line,
            row.signature,
            row.docstring,
            unit.modules.visibility(row.name),
            bool(row.flags & _ASYNC),
            in_class and members.is_static(row),
            members.is_abstract(row),
            self._is_test or number in self._tests,
            self._is_generated,
            [text for _, _, text in row.decorators] if row.decorators else self._none,
            [text for _, _, text, _, _ in row.parameters] if row.parameters else self._none,
            row.returns_text,
            row.complexity if row.kind == "function" else 0,
            row.end_line - row.start_line + 1,
            row.digest,
        )
        self._rows.append(_new_row(Node, columns))

    def _path(self, row: Definition) -> str:
        """The path of names within a file; what has a name and no node is a part of it, too."""
        scope = row.scope
        while scope > 0:
            _, parent, definition, _, _ = self._unit.scopes[scope]
            if definition >= 0 and self._paths[definition]:
                return f"{self._paths[definition]}.{row.name}" if row.name else ""
            scope = parent
        return row.name

    def _unique(self, kind: str, path: str) -> str:
        """A path of names within the file, numbered when one of a kind took it before."""
        place = (kind, path)
        count = self._taken[place] = self._taken.get(place, 0) + 1
        return path if count == 1 else f"{path}~{count}"

    def _around(self, scope: int) -> tuple[int, int]:
        """The nearest definition with a name around a scope, -1 for none, and its node.

        That of an extension is told later: it is -2 less the number of the extension until then.
        """
        definitions = self._unit.facts.definitions
        while scope > 0:
            _, parent, definition, _, _ = self._unit.scopes[scope]
            if definition >= 0:
                if self.definitions[definition] >= 0:
                    return definition, self.definitions[definition]
                if definitions[definition].kind == EXTENSION:
                    return definition, -2 - definition
            scope = parent
        return -1, self.module

    def _add_variable(self, scope: int, name: str, entry: NameEntry, subkind: str) -> None:
        unit = self._unit
        owner, parent = self._around(scope)
        path = name if owner < 0 else f"{self._paths[owner]}.{name}"
        path = self._unique("variable", path)
        line = min([binding.line for binding in entry.bindings])
        key = self.variables[unit.file.key, scope, name] = len(self._rows)
        columns: tuple[object, ...] = (
            key,
            f"var:{unit.file.path}:{path}",
            NodeKind.VARIABLE,
            subkind,
            name,
            f"{self._prefix}.{_plain(path) if '~' in path else path}",
            self._dotted,
            unit.file.language,
            unit.file.key,
            parent,
            line,
            line,
            "",
            "",
            unit.modules.visibility(name),
            False,
            False,
            False,
            self._is_test,
            self._is_generated,
            self._none,
            self._none,
            "",
            0,
            1,
            "",
        )
        self._rows.append(_new_row(Node, columns))


def _marked(unit: FileSymbols) -> frozenset[int]:
    """The definitions of a file that are marked as tests, and all of namespaces that hold one."""
    rows = unit.facts.definitions
    found = {number for number, row in enumerate(rows) if unit.entries.is_marked(row)}
    homes = {unit.scopes[rows[number].scope].definition for number in found} - {-1}
    found |= {number for number in homes if rows[number].subkind == NAMESPACE}
    for number, row in enumerate(rows):  # what holds others comes before them
        if unit.scopes[row.scope].definition in found:
            found.add(number)
    return frozenset(found)


def _variable_subkind(name: str, *, in_class: bool) -> str:
    if in_class:
        return "attribute"
    return "constant" if name.isupper() else "global"


def _plain(local: str) -> str:
    """A path of names without the numbers that tell equal ones apart."""
    return ".".join(part.partition("~")[0] for part in local.split("."))


_EMPTY = Node(
    key=-1,
    id="",
    kind=NodeKind.MODULE,
    subkind="",
    name="",
    qualified_name="",
    module="",
    language="",
    file=-1,
    parent=-1,
    start_line=0,
    end_line=0,
    signature="",
    docstring="",
    visibility="public",
    is_async=False,
    is_static=False,
    is_abstract=False,
    is_test=False,
    is_generated=False,
    decorators=[],
    parameters=[],
    returns="",
    complexity=0,
    lines=0,
    digest="",
)
