"""The small mistakes that can be made in a module: one place of its text, written otherwise."""

import ast
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

_COMPARED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE,
    ast.GtE: ast.Gt, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
_EMPTY = {"tuple": "()", "list": "[]", "dict": "{}", "set": "set()", "frozenset": "frozenset()",
          "str": "''", "bool": "False", "int": "0", "Sequence": "()", "Mapping": "{}"}  # fmt: skip


@dataclass(frozen=True, order=True)
class Mutant:
    """A mistake: `before` at a place of the file `path` is written `after`.

    `function` is the qualified name of what is around it, empty at the level of the module. Of the
    mistakes there that read alike this is number `nth`, from 0. The place is in bytes.
    """

    path: str
    function: str
    line: int
    kind: str
    before: str
    after: str
    start: int
    end: int
    nth: int = 0

    def apply(self, text: bytes) -> bytes:
        """Make the mistake in the text of the module."""
        return text[: self.start] + self.after.encode() + text[self.end :]

    def __str__(self) -> str:
        change = f"{_short(self.before)} -> {_short(self.after)}"
        return f"{self.path}:{self.line} {self.function}: {change}"


def mutants_of(path: Path, root: Path) -> list[Mutant]:
    """All mistakes that can be made in a module, in the order of its text."""
    text = path.read_bytes()
    finder = _Finder(path.relative_to(root).as_posix(), text)
    finder.visit(ast.parse(text))
    counts = Counter[tuple[str, str, str]]()
    found = []
    for one in sorted(finder.found, key=lambda one: (one.start, one.after)):
        read = (one.function, one.before, one.after)
        found.append(replace(one, nth=counts[read]))
        counts[read] += 1
    return found


class _Finder(ast.NodeVisitor):
    """Walks a module and notes what can be written otherwise, and what is around it."""

    def __init__(self, path: str, text: bytes) -> None:
        self.found: list[Mutant] = []
        self._path, self._text = path, text
        self._lines = [0]
        for line in text.splitlines(keepends=True):
            self._lines.append(self._lines[-1] + len(line))
        self._around: list[str] = []
        self._returned = ""

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self._around.append(node.name)
        self._visit_all(node.body)
        self._around.pop()

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        outer, self._returned = self._returned, _empty_of(node.returns)
        self._around += [node.name, "<locals>"]
        self._visit_all([default for default in node.args.kw_defaults if default])
        self._visit_all([*node.args.defaults, *node.body])
        del self._around[-2:]
        self._returned = outer

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value:
            self.visit(node.value)

    def visit_Assert(self, node: ast.Assert) -> None:
        pass

    def visit_Raise(self, node: ast.Raise) -> None:
        pass

    def visit_Compare(self, node: ast.Compare) -> None:
        other = _COMPARED[type(node.ops[0])]()
        self._note(
            "comparison", node, ast.Compare(node.left, [other, *node.ops[1:]], node.comparators)
        )
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        self._note("and, or", node, ast.BoolOp(other, node.values))
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, bool):
            self._note("constant", node, ast.Constant(not node.value))
        elif isinstance(node.value, int):
            self._note("constant", node, ast.Constant(node.value + 1))

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        value = node.operand.value if isinstance(node.operand, ast.Constant) else None
        if isinstance(node.op, ast.USub) and isinstance(value, int):
            self._note("constant", node, ast.Constant(1 - value))  # -1 says that there is nothing
        else:
            self.generic_visit(node)

    def visit_If(self, node: ast.If) -> None:
        if not (isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"):
            self._negate(node.test)
            self.generic_visit(node)

    def visit_IfExp(self, node: ast.IfExp) -> None:
        self._negate(node.test)
        self.generic_visit(node)

    def visit_comprehension(self, node: ast.comprehension) -> None:
        for test in node.ifs:
            self._negate(test)
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        first, *rest = node.args[:2] or [None]
        if rest and not any(isinstance(one, ast.Starred) for one in node.args[:2]):
            swapped = [rest[0], first, *node.args[2:]]
            if ast.dump(rest[0]) != ast.dump(first):
                self._note("arguments", node, ast.Call(node.func, swapped, node.keywords))
        self.generic_visit(node)

    def visit_Expr(self, node: ast.Expr) -> None:
        if isinstance(node.value, ast.Call | ast.Yield | ast.YieldFrom):
            self._note("statement", node, ast.Pass())
        self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self._note("statement", node, ast.Pass())
        self.generic_visit(node)

    def visit_Continue(self, node: ast.Continue) -> None:
        self._note("statement", node, ast.Pass())

    def visit_Return(self, node: ast.Return) -> None:
        if node.value and ast.unparse(node.value) != (self._returned or "None"):
            self._note("result", node.value, ast.parse(self._returned or "None", mode="eval").body)
        self.generic_visit(node)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        pass

    def _visit_all(self, nodes: list[ast.stmt] | list[ast.expr]) -> None:
        for node in nodes:
            self.visit(node)

    def _negate(self, test: ast.expr) -> None:
        is_negated = isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not)
        if not isinstance(test, ast.Compare):  # which is turned round as such
            other = test.operand if is_negated else ast.UnaryOp(ast.Not(), test)  # type: ignore[attr-defined]
            self._note("condition", test, other)

    def _note(self, kind: str, node: ast.expr | ast.stmt, other: ast.AST) -> None:
        start = self._lines[node.lineno - 1] + node.col_offset
        end = self._lines[(node.end_lineno or 0) - 1] + (node.end_col_offset or 0)
        after = ast.unparse(ast.fix_missing_locations(other))
        if isinstance(other, ast.expr) and not isinstance(other, ast.Constant):
            after = f"({after})"
        names = [*self._around]
        if names[-1:] == ["<locals>"]:
            names.pop()
        before = self._text[start:end].decode()
        self.found.append(
            Mutant(self._path, ".".join(names), node.lineno, kind, before, after, start, end)
        )


def _empty_of(annotation: ast.expr | None) -> str:
    """What an empty value of an annotated result is; nothing where that is None or unknown."""
    if isinstance(annotation, ast.Subscript):
        annotation = annotation.value
    return _EMPTY.get(annotation.id, "") if isinstance(annotation, ast.Name) else ""


def find_mutants(root: Path, packages: list[str]) -> Iterator[Mutant]:
    """All mistakes that can be made in packages of MU, below the checkout `root`."""
    for package in packages:
        for path in sorted((root / "src" / "mu" / package).rglob("*.py")):
            yield from mutants_of(path, root)


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 90 else f"{line[:87]}..."
