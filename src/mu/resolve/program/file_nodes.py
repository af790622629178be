"""Nodes of one file: its module, its definitions and its variables, in this order."""

from mu.model.facts import Definition, Flag, Op, ScopeKind
from mu.model.graph import Node
from mu.model.kinds import Category, NodeKind
from mu.resolve.program.file_symbols import EXTENSION, NAMESPACE, OBJECT, FileSymbols, NameEntry

_PREFIXES = {"class": "cls", "function": "fn"}
_KINDS = {"class": NodeKind.CLASS, "function": NodeKind.FUNCTION}
_ASYNC = int(Flag.ASYNC)
_IN_CLASS = int(ScopeKind.CLASS)
_EXTENDING = 2  # the fewest bases of an extension that adds one: the first is the class

_new_row = tuple.__new__

EMPTY_NODE = Node(
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


class NodesInFile:
    """Makes the nodes of one file, with keys from `start` on.

    `definitions` has the node key of each definition (-1: it has no node), `variables` that of each
    variable by (file, scope, name). Django has 60,000 nodes, so rows are made of plain tuples
    (0.1 us each, where `_replace` takes 2 us).
    """

    def __init__(self, unit: FileSymbols, start: int) -> None:
        file = unit.file
        self._unit = unit
        self.rows: list[Node] = []
        self._none: list[str] = []  # shared by all rows without decorators or parameters
        self._dotted = unit.finder.name_of(file.key)
        self._prefix = unit.finder.prefix_of(file.key)
        self._is_test = file.category == Category.TEST
        self._tests = _marked(unit) if unit.entries.test_mark else frozenset()
        self._shown = {(scope, name): text for scope, name, text in unit.facts.visibilities}
        is_hiding = unit.modules.hides_names(unit.file.path)
        self._showing = frozenset(scope for scope, _ in self._shown if is_hiding)
        self._is_generated = file.category == Category.GENERATED
        self.module = start
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
        """Return whether members of a definition have nodes: it has one or is an extension."""
        is_extension = self._unit.facts.definitions[number].kind == EXTENSION
        return is_extension or self.definitions[number] >= 0

    def _add_module(self) -> None:
        unit, dotted = self._unit, self._dotted
        file = unit.file
        is_package = unit.finder.is_package(file.key)
        self.rows.append(
            EMPTY_NODE._replace(
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
        owner, parent = self._around(row.scope)
        path = self._unique(row.kind, self._path(row))
        self._paths[number] = path
        in_class = unit.scopes[row.scope].kind == _IN_CLASS
        key = self.definitions[number] = self.module + len(self.rows)
        columns = (
            key,
            f"{_PREFIXES[row.kind]}:{unit.file.path}:{path}",
            _KINDS[row.kind],
            members.subkind(row, in_class=in_class),
            row.own_name,
            f"{self._prefix}.{_plain(path) if '~' in path else path}",
            self._dotted,
            unit.file.language,
            unit.key,
            parent,
            row.start_line,
            row.end_line,
            row.signature,
            row.docstring,
            self._visibility(row.scope, row.name, definition=row, owner=owner),
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
        self.rows.append(_new_row(Node, columns))

    def _visibility(
        self, scope: int, name: str, *, definition: Definition | None, owner: int
    ) -> str:
        modifier = self._shown.get((scope, name), "") if scope in self._showing else None
        around = self._holder(owner) if owner >= 0 else None
        said = self._unit.members.visibility(definition, around, modifier=modifier)
        return said or self._unit.modules.visibility(name)

    def _holder(self, owner: int) -> Definition:
        """Return a definition, or of an extension what it adds to its class, if that is here."""
        unit = self._unit
        holder = unit.facts.definitions[owner]
        if holder.kind != EXTENSION or len(holder.bases) < _EXTENDING:
            return holder
        op, text, base, _ = unit.expressions[holder.bases[1][0]]
        while op == Op.INDEX:
            op, text, base, _ = unit.expressions[base]
        entry = unit.names[base].get(text) if op == Op.NAME else None
        found = () if entry is None else entry.definitions
        return unit.facts.definitions[found[-1]] if found else holder

    def _path(self, row: Definition) -> str:
        """Return the path of names within the file, including names that have no node."""
        scope = row.scope
        while scope > 0:
            _, parent, definition, _, _ = self._unit.scopes[scope]
            if definition >= 0 and self._paths[definition]:
                return f"{self._paths[definition]}.{row.name}" if row.name else ""
            scope = parent
        return row.name

    def _unique(self, kind: str, path: str) -> str:
        """Return the path, with a number if an earlier node of the same kind has it."""
        place = (kind, path)
        count = self._taken[place] = self._taken.get(place, 0) + 1
        return path if count == 1 else f"{path}~{count}"

    def _around(self, scope: int) -> tuple[int, int]:
        """Return the nearest enclosing definition with a node, -1 for none, and the node's key.

        The class of an extension is not known yet: its key is -2 minus the extension's number.
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
        key = self.variables[unit.key, scope, name] = self.module + len(self.rows)
        columns: tuple[object, ...] = (
            key,
            f"var:{unit.file.path}:{path}",
            NodeKind.VARIABLE,
            subkind,
            name,
            f"{self._prefix}.{_plain(path) if '~' in path else path}",
            self._dotted,
            unit.file.language,
            unit.key,
            parent,
            line,
            line,
            "",
            "",
            self._visibility(scope, name, definition=None, owner=owner),
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
        self.rows.append(_new_row(Node, columns))


def _marked(unit: FileSymbols) -> frozenset[int]:
    """Return the definitions marked as tests, and all those in namespaces that hold one."""
    rows = unit.facts.definitions
    found = {number for number, row in enumerate(rows) if unit.entries.is_marked(row)}
    homes = {unit.scopes[rows[number].scope].definition for number in found} - {-1}
    found |= {number for number in homes if rows[number].subkind == NAMESPACE}
    for number, row in enumerate(rows):  # outer definitions come first
        if unit.scopes[row.scope].definition in found:
            found.add(number)
    return frozenset(found)


def _variable_subkind(name: str, *, in_class: bool) -> str:
    if in_class:
        return "attribute"
    return "constant" if name.isupper() else "global"


def _plain(local: str) -> str:
    """Return a path of names without the numbers that distinguish equal paths."""
    return ".".join(part.partition("~")[0] for part in local.split("."))
