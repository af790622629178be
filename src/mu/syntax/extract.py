"""The facts of one file: parse, match once, and turn what was captured into rows.

`Extractor.extract` is pure and never raises for any bytes: what cannot be understood is a problem
in the facts. It runs in worker processes, with a deadline and a kill behind it, because hostile
text can make a parser slow or bring the process down.
"""

from collections import defaultdict

import tree_sitter as ts

from mu.model.facts import FileFacts, Problem
from mu.syntax.annotations import AnnotationReader
from mu.syntax.bindings import collect_bindings
from mu.syntax.definitions import DefinitionBuilder
from mu.syntax.expressions import DEPTH, ExpressionTable
from mu.syntax.grammar import Captures, Found, Grammar, load_grammar
from mu.syntax.imports import collect_imports
from mu.syntax.names import NameScopes
from mu.syntax.outline import Outline
from mu.syntax.references import collect_operations, collect_references, value_references

MOST_PROBLEMS = 20

Matches = dict[str, list[Captures]]
"""What was captured in a file, by role."""


class Extractor:
    """Extracts facts; keeps one parser a language, so use one extractor a thread."""

    def __init__(self) -> None:
        self._parsers: dict[str, ts.Parser] = {}

    def extract(self, text: bytes, language: str) -> FileFacts:
        """The facts of UTF-8 `text`, whose line ends are LF; `language` is a manifest's name."""
        grammar = load_grammar(language)
        parser = self._parser(grammar)
        root = parser.parse(text).root_node
        matches, structure = _matches(grammar, root)
        outline = Outline(text, root, matches, parameters=grammar.parameters)
        imports = collect_imports(matches, outline)
        names = NameScopes(outline, matches, grammar=grammar, imports=imports)
        values = ExpressionTable(outline, names, grammar, structure)
        calls = collect_references(matches, outline, values=values)
        annotations = AnnotationReader(grammar.manifest.annotations, values, parser)
        builder = DefinitionBuilder(outline, matches, values=values, annotations=annotations)
        bindings = collect_bindings(
            matches, grammar.targets, values=values, declare=builder.declare
        )
        definitions = builder.build()
        operations = collect_operations(matches, outline, values=values)
        named = value_references(values, outline)
        return FileFacts(
            docstring=builder.module_docstring(),
            lines=text.count(b"\n") + (bool(text) and not text.endswith(b"\n")),
            scopes=tuple(outline.scopes),
            definitions=definitions,
            imports=imports,
            expressions=values.rows,
            bindings=(*builder.bindings, *bindings),
            references=builder.references + calls + operations + named,
            problems=_problems(root, values),
        )

    def _parser(self, grammar: Grammar) -> ts.Parser:
        name = grammar.manifest.name
        if name not in self._parsers:
            self._parsers[name] = ts.Parser(grammar.language)
        return self._parsers[name]


def _matches(grammar: Grammar, root: ts.Node) -> tuple[Matches, dict[int, Found]]:
    """What was captured, by role; and by node id what is known of the structure of expressions.

    Where several patterns fit a node, the first of them counts.
    """
    roles = grammar.file_query.roles
    found: list[list[Captures]] = [[] for _ in roles]
    for pattern, captures in ts.QueryCursor(grammar.file_query.query).matches(root):
        found[pattern].append(captures)
    by_role: Matches = defaultdict(list)
    structure: dict[int, Found] = {}
    for role, captured in zip(reversed(roles), reversed(found), strict=True):
        by_role[role.name] += captured
        if role.name.startswith("expression."):
            capture = f"{role.name}.{role.type}" if role.type else role.name
            structure.update((parts[capture][0].id, (role, parts)) for parts in captured)
    return by_role, structure


def _problems(root: ts.Node, values: ExpressionTable) -> tuple[Problem, ...]:
    problems = []
    if values.is_cut:
        problems.append(Problem(1, f"expressions nested deeper than {DEPTH} are left out"))
    if root.has_error:
        problems += _syntax_errors(root)
    return tuple(problems)


def _syntax_errors(root: ts.Node) -> list[Problem]:
    """Where the parser had to recover, by a cursor: such trees may be deep."""
    problems: list[Problem] = []
    cursor = root.walk()
    while len(problems) < MOST_PROBLEMS:
        node = cursor.node
        if node is None:
            break
        if node.is_error or node.is_missing:
            what = f"missing {node.type}" if node.is_missing else "syntax error"
            problems.append(Problem(node.start_point[0] + 1, what))
        elif node.has_error and cursor.goto_first_child():
            continue
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return problems
    return problems
