"""The nodes of the graph, their ids and their keys.

Nodes inside the repository are numbered first, by file and then by place, so keys do not depend on
what refers to them; external nodes follow in the order in which they are first referred to.
"""

from collections.abc import Iterable

from mu.model.facts import Definition, Flag, ScopeKind
from mu.model.graph import Node
from mu.model.kinds import Category, NodeKind
from mu.resolve.program import Name, Program, Unit
from mu.resolve.rules import LanguageRules

_PREFIXES = {"class": "cls", "function": "fn"}
_KINDS = {"class": NodeKind.CLASS, "function": NodeKind.FUNCTION}


class NodeTable:
    """Makes all nodes of a program; `of_*` give the keys."""

    def __init__(self, program: Program) -> None:
        self.rows: list[Node] = []
        self._program = program
        self._modules: dict[int, int] = {}
        self._definitions: list[int] = [-1] * len(program.definitions)
        self._variables: dict[tuple[int, int, str], int] = {}
        self._namespaces: dict[str, int] = {}
        self._externals: dict[str, int] = {}
        self._locals: list[str] = [""] * len(program.definitions)  # ids without kind and path
        self._taken: dict[str, int] = {}
        for unit in program.units.values():
            self._add_module(unit)
            self._add_definitions(unit)
            self._add_variables(unit)

    def of_module(self, file: int) -> int:
        """The node of a file's module."""
        return self._modules[file]

    def of_definition(self, number: int) -> int:
        """The node of a definition; -1 for a function without a name."""
        return self._definitions[number]

    def of_owner(self, unit: Unit, owner: int) -> int:
        """The node of the definition `owner`, numbered within the file; of the module for -1."""
        return self._modules[unit.file.key] if owner < 0 else self._definitions[unit.first + owner]

    def of_variable(self, place: tuple[int, int, str]) -> int:
        """The node of a variable; -1 for a name that is no variable of its own."""
        return self._variables.get(place, -1)

    def of_namespace(self, folder: str, language: str) -> int:
        """The node of a folder that is a module without a file."""
        key = self._namespaces.get(folder)
        if key is None:
            name = folder.rpartition("/")[2]
            dotted = folder.replace("/", ".")
            key = self._namespaces[folder] = self._add_bare(
                f"pkg:{folder}", NodeKind.MODULE, "namespace", name, dotted, language
            )
        return key

    def of_external(self, dotted: str, rules: LanguageRules) -> int:
        """The node of something outside the repository."""
        key = self._externals.get(dotted)
        if key is None:
            subkind = "stdlib" if rules.is_stdlib(dotted) else "package"
            name = dotted.rpartition(".")[2]
            key = self._externals[dotted] = self._add_bare(
                f"ext:{dotted}", NodeKind.EXTERNAL, subkind, name, dotted, rules.name
            )
        return key

    def _add_module(self, unit: Unit) -> None:
        file, facts = unit.file, unit.facts
        dotted = unit.finder.name_of(file.key)
        is_package = unit.finder.is_package(file.key)
        self._modules[file.key] = len(self.rows)
        self.rows.append(
            _blank(len(self.rows), unit, f"mod:{file.path}", NodeKind.MODULE)._replace(
                subkind="package" if is_package else "module",
                name=dotted.rpartition(".")[2],
                qualified_name=dotted,
                module=dotted,
                start_line=1,
                end_line=max(file.lines, 1),
                docstring=facts.docstring,
                lines=file.lines,
                digest=file.digest[:16],
            )
        )

    def _add_definitions(self, unit: Unit) -> None:
        for number, row in enumerate(unit.facts.definitions):
            if row.name:
                self._add_definition(unit, number, row)

    def _add_definition(self, unit: Unit, number: int, row: Definition) -> None:
        around = _named_around(unit, row.scope)
        local = self._unique(unit, row, around)
        self._locals[unit.first + number] = local
        in_class = unit.facts.scopes[row.scope].kind == ScopeKind.CLASS
        module = self.rows[self._modules[unit.file.key]]
        rules = unit.rules
        blank = _blank(
            len(self.rows),
            unit,
            f"{_PREFIXES[row.kind]}:{unit.file.path}:{local}",
            _KINDS[row.kind],
        )
        self._definitions[unit.first + number] = len(self.rows)
        self.rows.append(
            blank._replace(
                subkind=rules.subkind(row, in_class=in_class),
                name=row.name,
                qualified_name=f"{module.qualified_name}.{_plain(local)}",
                module=module.qualified_name,
                parent=self.of_owner(unit, around),
                start_line=row.start_line,
                end_line=row.end_line,
                signature=row.signature,
                docstring=row.docstring,
                visibility=rules.visibility(row.name),
                is_async=bool(row.flags & Flag.ASYNC),
                is_static=in_class and rules.is_static(row),
                is_abstract=rules.is_abstract(row),
                decorators=[text for _, _, text in row.decorators],
                parameters=[parameter.text for parameter in row.parameters],
                returns=row.returns_text,
                complexity=row.complexity if row.kind == "function" else 0,
                lines=row.end_line - row.start_line + 1,
                digest=row.digest,
            )
        )

    def _unique(self, unit: Unit, row: Definition, around: int) -> str:
        """The definition's path of names within its file, numbered when it was taken before."""
        local = row.name if around < 0 else f"{self._locals[unit.first + around]}.{row.name}"
        key = f"{row.kind}:{unit.file.path}:{local}"
        count = self._taken[key] = self._taken.get(key, 0) + 1
        return local if count == 1 else f"{local}~{count}"

    def _add_variables(self, unit: Unit) -> None:
        """Names of the module and of classes, and the fields that methods set."""
        for (scope, name), entry in unit.names.items():
            kind = unit.facts.scopes[scope].kind
            is_variable = entry.bindings and not (entry.definitions or entry.imports)
            if is_variable and kind in (ScopeKind.MODULE, ScopeKind.CLASS):
                subkind = _variable_subkind(name, in_class=kind == ScopeKind.CLASS)
                self._add_variable(unit, (scope, name), entry, subkind)
        for owner, fields in unit.fields.items():
            scope = unit.facts.definitions[owner].body
            for name, entry in fields.items():
                if (scope, name) not in unit.names:
                    self._add_variable(unit, (scope, name), entry, "field")

    def _add_variable(self, unit: Unit, place: tuple[int, str], entry: Name, subkind: str) -> None:
        scope, name = place
        owner = unit.facts.scopes[scope].definition
        local = name if owner < 0 else f"{self._locals[unit.first + owner]}.{name}"
        line = min(binding.line for binding in entry.bindings)
        module = self.rows[self._modules[unit.file.key]]
        blank = _blank(len(self.rows), unit, f"var:{unit.file.path}:{local}", NodeKind.VARIABLE)
        self._variables[unit.file.key, scope, name] = len(self.rows)
        self.rows.append(
            blank._replace(
                subkind=subkind,
                name=name,
                qualified_name=f"{module.qualified_name}.{_plain(local)}",
                module=module.qualified_name,
                parent=self.of_owner(unit, owner),
                start_line=line,
                end_line=line,
                visibility=unit.rules.visibility(name),
                lines=1,
            )
        )

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
                module=dotted if kind == NodeKind.MODULE else dotted.partition(".")[0],
                language=language,
            )
        )
        return key


def _named_around(unit: Unit, scope: int) -> int:
    """The nearest definition with a name around a scope, numbered within the file; -1: none."""
    while scope >= 0:
        row = unit.facts.scopes[scope]
        if row.definition >= 0 and unit.facts.definitions[row.definition].name:
            return row.definition
        scope = row.parent
    return -1


def _variable_subkind(name: str, *, in_class: bool) -> str:
    if in_class:
        return "attribute"
    return "constant" if name.isupper() else "global"


def _plain(local: str) -> str:
    """A path of names without the numbers that tell equal ones apart."""
    if "~" not in local:
        return local
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


def _blank(key: int, unit: Unit, node_id: str, kind: NodeKind) -> Node:
    file = unit.file
    return _EMPTY._replace(
        key=key,
        id=node_id,
        kind=kind,
        language=file.language,
        file=file.key,
        is_test=file.category == Category.TEST,
        is_generated=file.category == Category.GENERATED,
    )


def containment(rows: Iterable[Node]) -> list[tuple[int, int]]:
    """(parent, child) of every node that is defined in another."""
    return [(row.parent, row.key) for row in rows if row.parent >= 0]
