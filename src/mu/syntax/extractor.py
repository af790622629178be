"""Extraction of the facts of one file: parse it, match the queries, turn captures into rows.

`Extractor.extract` is pure and never raises for any bytes: text that cannot be parsed is reported
as a problem in the facts. It runs in worker processes with a deadline, because hostile text can
slow a parser down or crash the process.
"""

from collections.abc import Callable, Iterable
from functools import partial
from itertools import islice

import tree_sitter as ts
from msgspec.structs import replace

from mu.model.facts import FileFacts, Op, Problem
from mu.model.references import References
from mu.syntax.grammars.grammar import Grammar, encode_shapes, load_grammar, restore_shapes
from mu.syntax.grammars.manifest import load_manifests
from mu.syntax.matching.vocabulary import (
    ASSIGNED,
    BASE,
    DECORATOR,
    DELETED,
    DRAWN,
    LABEL,
    MATCHED,
    SETTINGS,
    TARGET,
    TYPE,
    WORDS,
)
from mu.syntax.roles.annotations import AnnotationReader
from mu.syntax.roles.bindings import Bindings
from mu.syntax.roles.control_flow import ControlFlow
from mu.syntax.roles.definitions import Definitions
from mu.syntax.roles.header_reader import HeaderReader
from mu.syntax.roles.imports import Imports
from mu.syntax.roles.inner_literals import read_inner_literals
from mu.syntax.roles.role_match import RoleHandlers, RoleMatch
from mu.syntax.roles.switch_labels import read_label
from mu.syntax.roles.token_trees import read_settings, read_words
from mu.syntax.roles.tree_walk import DEPTH, Walk
from mu.syntax.roles.visibility import Visibilities
from mu.syntax.tables.name_scopes import NameScopes
from mu.syntax.text.directives import read_directives
from mu.syntax.text.embedded_code import embedded_code
from mu.syntax.text.error_recovery import (
    LONGEST,
    MOST_TRIES,
    blank_matches,
    count_definitions,
    repairs,
    syntax_errors,
)
from mu.syntax.text.macros import parse_macro_calls
from mu.syntax.text.prose import read_prose

MOST_PROBLEMS = 20

_NAME, _FUNCTION = int(Op.NAME), int(Op.FUNCTION)


class Extractor:
    """Extract facts; keeps one parser per language, so each thread needs its own extractor."""

    def __init__(self) -> None:
        self._parsers: dict[str, ts.Parser] = {}
        self._encoded: dict[str, int] = {}  # by language, the number of shapes encoded so far

    def load(self, languages: Iterable[str]) -> None:
        """Load the grammars of `languages` now: up to 0.1 s each. Unknown languages are ignored."""
        manifests = load_manifests()
        for language in languages:
            if language in manifests:
                self._parser(load_grammar(language))

    def restore_shapes(self, language: str, shapes: bytes) -> None:
        """Add node shapes that another process has encoded; saves 0.2 s for Python.

        To be called before the language is used. The other process must have had the same grammar
        and queries.
        """
        restore_shapes(language, shapes)

    def encode_new_shapes(self, language: str) -> bytes:
        """Return all node shapes of a language, encoded; empty if none is new since last time."""
        count = sum(one.additions for one in load_grammar(language).matchers)
        if count == self._encoded.get(language, 0):
            return b""
        self._encoded[language] = count
        return encode_shapes(language)

    def extract(self, text: bytes, language: str) -> FileFacts:
        """Return the facts of a text: UTF-8 with LF line ends.

        `language` is the name of a manifest.
        """
        grammar = load_grammar(language)
        parser = self._parser(grammar)
        if grammar.manifest.inside:
            text = _without_invalid_expressions(text, grammar, parser=parser)
        text, tree = _parse(text, grammar, parser=parser)
        facts = _read(text, tree, grammar, parser=parser)
        if tree.root_node.has_error and len(text) <= LONGEST:
            return _recover(facts, text, tree.root_node, grammar, parser=parser)
        return facts

    def _parser(self, grammar: Grammar) -> ts.Parser:
        name = grammar.manifest.name
        if name not in self._parsers:
            self._parsers[name] = ts.Parser(grammar.language)
        return self._parsers[name]


def _without_invalid_expressions(text: bytes, grammar: Grammar, *, parser: ts.Parser) -> bytes:
    """Return the code of a markup document, without the expressions that do not parse."""
    code = embedded_code(text, grammar.manifest.inside, markup=grammar.manifest.markup)
    while code.expressions and len(text) <= LONGEST:
        found = syntax_errors(parser.parse(code.text).root_node)
        wrong = [(node.start_byte, node.end_byte) for node in islice(found, MOST_PROBLEMS)]
        bad = [
            span
            for span in code.expressions
            if any(start <= span[1] and end >= span[0] for start, end in wrong)
        ]
        if not bad:
            break
        code = code.without(bad)
    return code.text


def _parse(text: bytes, grammar: Grammar, *, parser: ts.Parser) -> tuple[bytes, ts.Tree]:
    """Return the syntax tree, and the text it was parsed from.

    Syntax that is valid but unknown to the grammar (`not_in_grammar`) is blanked in that text if
    fewer errors are left then.
    """
    tree = parser.parse(text)
    if tree.root_node.has_error and len(text) <= LONGEST:
        for pattern in grammar.manifest.not_in_grammar:
            known = blank_matches(text, pattern)
            other = parser.parse(known) if known != text else tree
            if _count_errors(other) < _count_errors(tree):
                text, tree = known, other
    return text, tree


def _count_errors(tree: ts.Tree) -> int:
    return sum(1 for _ in syntax_errors(tree.root_node))


def _read(text: bytes, tree: ts.Tree, grammar: Grammar, *, parser: ts.Parser) -> FileFacts:
    """Return the facts of a text and its tree.

    The text is walked twice if the first walk resolved a name to a scope that turned out wrong.
    """
    root = tree.root_node
    if grammar.manifest.macros.call:
        root = parse_macro_calls(text, tree, grammar=grammar, parser=parser)
    names = NameScopes(grammar.manifest)
    attempt = _Pass(text, grammar, names=names, parser=parser)
    attempt.walk.file(root)
    if not names.settle():
        attempt = _Pass(text, grammar, names=names, parser=parser)
        attempt.walk.file(root)
    return attempt.facts(root)


def _recover(
    facts: FileFacts, text: bytes, root: ts.Node, grammar: Grammar, *, parser: ts.Parser
) -> FileFacts:
    """Return the facts of a text with its errors blanked, if that yields more definitions."""
    best, most = facts, count_definitions(root, grammar)
    options = repairs(text, root, grammar=grammar)
    for _ in range(MOST_TRIES):
        option = next(options, None)
        if option is None:
            break
        tree = parser.parse(option)
        root = tree.root_node
        count = count_definitions(root, grammar)
        if count > most:
            found = _read(option, tree, grammar, parser=parser)
            if len(found.definitions) > len(best.definitions):
                best, most = replace(found, problems=facts.problems), count
                options = repairs(option, root, grammar=grammar)
    return best


class _Pass:
    """One walk over a file, with the readers and handlers that collect the facts."""

    def __init__(
        self, text: bytes, grammar: Grammar, *, names: NameScopes, parser: ts.Parser
    ) -> None:
        self._imports = Imports()
        self._bindings = Bindings()
        self._visibilities = Visibilities()
        annotations = AnnotationReader(grammar, parser)
        self._headers = headers = HeaderReader(annotations)
        self._definitions = Definitions(headers, self._bindings)
        readers = {
            TARGET: self._bindings.read_target,
            MATCHED: self._bindings.read_pattern,
            TYPE: headers.read_annotation,
            ASSIGNED: self._bindings.read_assigned,
            DRAWN: self._bindings.read_iterable,
            BASE: headers.read_base,
            DECORATOR: headers.read_decorator,
            DELETED: self._bindings.read_deleted,
            SETTINGS: read_settings,
            WORDS: read_words,
            LABEL: read_label,
        }
        follow = ControlFlow(text, grammar, self._bindings.names).follow
        define = self._definitions.define
        roles = RoleHandlers(
            readers,
            self._handlers(),
            define,
            annotations.callable,
            follow,
            annotations.read_arguments,
        )
        self.walk = Walk(text, grammar, names=names, roles=roles)

    def facts(self, root: ts.Node) -> FileFacts:
        """Return the facts collected by the walk."""
        walk, definitions = self.walk, self._definitions
        text, rows = walk.source, definitions.rows(walk)
        versions = walk.reaching.bindings(walk.records.scopes)
        return FileFacts(
            docstring=definitions.docstring(walk, root),
            lines=text.count(b"\n") + (bool(text) and not text.endswith(b"\n")),
            scopes=tuple(walk.records.scopes),
            definitions=rows,
            imports=self._imports.rows(),
            expressions=walk.table.rows,
            bindings=(*self._headers.bindings, *self._bindings.rows(walk.names), *versions),
            references=References(
                (
                    *self._headers.references(walk),
                    *walk.records.references(walk.table.rows, walk.names),
                )
            ),
            problems=_problems(root, walk),
            package=definitions.package,
            prose=read_prose(text, rows, marks=walk.grammar.manifest.comments),
            directives=read_directives(text, walk.grammar.manifest.directives),
            visibilities=self._visibilities.rows(definitions.bound() + self._bindings.bound()),
        )

    def _handlers(self) -> dict[str, Callable[[Walk, RoleMatch], None]]:
        definitions, bindings = self._definitions, self._bindings
        bound = (
            "value",
            "added",
            "declared",
            "alias",
            "element",
            "key",
            "drawn",
            "entered",
            "caught",
        )
        return {
            **{f"binding.{kind}": bindings.bind for kind in bound},
            "binding.opaque": bindings.bind,
            "binding.deleted": bindings.delete,
            "binding.sent": bindings.bind_sent,
            "binding.matched": bindings.bind_pattern,
            "binding.placed": bindings.declare_variant,
            "binding.assigned": bindings.bind,
            "binding.narrowed": bindings.narrow,
            "binding.global": bindings.declare_scope,
            "binding.nonlocal": bindings.declare_scope,
            "binding.hoisted": bindings.hoist,
            "binding.shorthand": bindings.bind_shorthand,
            "operation.entered": bindings.enter_context,
            "operation.applied": bindings.apply_operation,
            "operation.changed": bindings.augment,
            "definition.lambda": definitions.name_value,
            "decorator": self._headers.end_decorated,
            "expression.composite": read_inner_literals,
            "extends": self._headers.add_base,
            "generic": self._headers.add_generic,
            "package": definitions.set_package,
            "operation.raised": definitions.propagate_error,
            "return": definitions.add_result,
            "yield": definitions.add_result,
            "generator": definitions.mark_generator,
            "import.within": self._imports.open_module,
            "import.module": self._imports.add,
            "import.name": self._imports.add,
            "export.name": self._imports.export,
            "import.default": self._imports.add,
            "import.wildcard": self._imports.add,
            "visibility": self._visibilities.add,
            "export.default": partial(_export_default, self._imports, bindings),
        }


def _export_default(imports: Imports, bindings: Bindings, walk: Walk, match: RoleMatch) -> None:
    """Record a default export: of a name of this file, or of a value without a name."""
    row = match.row("value")
    op, text, number, _ = walk.table.rows[row]
    name = text if op == _NAME else ""
    if op == _FUNCTION:
        _, name = walk.records.definition_names.get(number, (0, ""))
    if name:
        imports.export_default(walk, match.node, name=name)
    else:
        bindings.bind_default_export(walk, match.node, value=row)


def _problems(root: ts.Node, walk: Walk) -> tuple[Problem, ...]:
    problems = []
    if walk.is_truncated:
        problems.append(Problem(1, f"expressions nested deeper than {DEPTH} are left out"))
    if walk.reaching.cut_at:
        what = "too many branches and names: what names hold is not followed from here on"
        problems.append(Problem(walk.reaching.cut_at, what))
    if root.has_error:
        problems += [_problem(node) for node in islice(syntax_errors(root), MOST_PROBLEMS)]
    return tuple(problems)


def _problem(node: ts.Node) -> Problem:
    what = f"missing {node.type}" if node.is_missing else "syntax error"
    return Problem(node.start_point[0] + 1, what)
