"""Which names a piece of Python reads, by Python's own parser."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field


def names_read(source: bytes) -> Iterator[tuple[int, str, int]]:
    """(first line of the definition or 0, name, line) of what is no data of a function."""
    for area in Areas(ast.parse(source)).all:
        for name, line in area.read.items():
            if not area.is_data(name):
                yield area.first_line, name, line


@dataclass
class Area:
    """What a definition's code names, as `ast` sees it: names read, and names that hold data."""

    first_line: int
    around: "Area | None" = None
    read: dict[str, int] = field(default_factory=dict)
    data: set[str] = field(default_factory=set)

    def is_data(self, name: str) -> bool:
        return name in self.data or (self.around is not None and self.around.is_data(name))


class Areas:
    """The areas of a module: itself, and each class, function and lambda that has a name."""

    def __init__(self, tree: ast.Module) -> None:
        self.all = [Area(0)]
        for statement in tree.body:
            self._visit(statement, self.all[0])

    def _visit(self, node: ast.AST, area: Area) -> None:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                self._function(node, area)
            case ast.ClassDef():
                self._class(node, area)
            case ast.Assign(targets=[ast.Name()], value=ast.Lambda() as function):
                inside = self._enter(node.lineno, area)
                inside.data |= parameters(function)
                self._visit(function.body, inside)
            case ast.Name(id=name, ctx=ast.Load()):
                area.read.setdefault(name, node.lineno)
            case _:
                self._note_data(node, area)
                for child in ast.iter_child_nodes(node):
                    self._visit(child, area)

    def _note_data(self, node: ast.AST, area: Area) -> None:
        match node:
            case ast.Lambda():
                area.data |= parameters(node)
            case ast.comprehension(target=target):
                area.data |= {part.id for part in ast.walk(target) if isinstance(part, ast.Name)}
            case ast.Name(id=name) if area.first_line:
                area.data.add(name)
            case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)):
                area.data.add(name)

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef, area: Area) -> None:
        inside = self._enter(node.lineno, area)
        for decorator in node.decorator_list:
            self._visit(decorator, area if isinstance(decorator, ast.Call) else inside)
        for default in (*node.args.defaults, *filter(None, node.args.kw_defaults)):
            self._visit(default, area)
        annotations = [part.annotation for part in ast.walk(node.args) if isinstance(part, ast.arg)]
        for part in filter(None, [*annotations, node.returns]):
            self._visit(part, inside)
        inside.data |= parameters(node)
        for statement in node.body:
            self._visit(statement, inside)

    def _class(self, node: ast.ClassDef, area: Area) -> None:
        inside = self._enter(node.lineno, area)
        for decorator in node.decorator_list:
            self._visit(decorator, area if isinstance(decorator, ast.Call) else inside)
        for keyword in node.keywords:
            self._visit(keyword, area)
        for part in (*node.bases, *node.body):
            self._visit(part, inside)

    def _enter(self, line: int, area: Area) -> Area:
        self.all.append(Area(line, area))
        return self.all[-1]


def parameters(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> set[str]:
    return {part.arg for part in ast.walk(node.args) if isinstance(part, ast.arg)}
