"""The facts of one file: parse, match once, and turn what was captured into rows.

`Extractor.extract` is pure and never raises for any bytes: what cannot be understood is a problem
in the facts. It runs in worker processes, with a deadline and a kill behind it, because hostile
text can make a parser slow or bring the process down.
"""

from collections.abc import Callable, Iterable
from functools import partial
from itertools import islice

import tree_sitter as ts
from msgspec.structs import replace

from mu.model.facts import FileFacts, Op, Problem
from mu.model.references import References
from mu.syntax.grammars.grammar import Grammar, known_shapes, load_grammar, recall_shapes
from mu.syntax.grammars.manifest import load_manifests
from mu.syntax.matching.vocabulary import (
    ASSIGNED,
    BASE,
    DECORATOR,
    DELETED,
    DRAWN,
    MATCHED,
    SETTINGS,
    TARGET,
    TYPE,
    WORDS,
)
from mu.syntax.roles.annotations import AnnotationReader
from mu.syntax.roles.bindings import Bindings
from mu.syntax.roles.branching import Branching
from mu.syntax.roles.definitions import Definitions
from mu.syntax.roles.header_reader import HeaderReader
from mu.syntax.roles.imports import Imports
from mu.syntax.roles.meeting import Met, Roles
from mu.syntax.roles.token_trees import read_settings, read_words
from mu.syntax.roles.walk import DEPTH, Walk
from mu.syntax.tables.names import NameScopes
from mu.syntax.text.directives import read_directives
from mu.syntax.text.embedded import code_in
from mu.syntax.text.macros import read_macros
from mu.syntax.text.mending import (
    LONGEST,
    MOST_TRIES,
    count_definitions,
    mistakes,
    repairs,
    without,
)
from mu.syntax.text.prose import read_prose

MOST_PROBLEMS = 20

_NAME, _FUNCTION = int(Op.NAME), int(Op.FUNCTION)


class Extractor:
    """Extracts facts; keeps one parser a language, so use one extractor a thread."""

    def __init__(self) -> None:
        self._parsers: dict[str, ts.Parser] = {}
        self._told: dict[str, int] = {}  # how much was learned of each language, and given

    def load(self, languages: Iterable[str]) -> None:
        """Load the grammars of languages now, which takes up to 0.1 s for each; no page has one."""
        manifests = load_manifests()
        for language in languages:
            if language in manifests:
                self._parser(load_grammar(language))

    def recall(self, language: str, learned: bytes) -> None:
        """Take over what another process learned of a language, before that is used.

        It must have had the same grammar and queries; saves 0.2 s for a file of Python.
        """
        recall_shapes(language, learned)

    def learned(self, language: str) -> bytes:
        """Encode the shapes learned of a language; empty if none came since the last call."""
        count = sum(one.learned for one in load_grammar(language).recognitions)
        if count == self._told.get(language, 0):
            return b""
        self._told[language] = count
        return known_shapes(language)

    def extract(self, text: bytes, language: str) -> FileFacts:
        """The facts of UTF-8 `text`, whose line ends are LF; `language` is a manifest's name."""
        grammar = load_grammar(language)
        parser = self._parser(grammar)
        if grammar.manifest.inside:
            text = _code_of_page(text, grammar, parser=parser)
        text, tree = _parse(text, grammar, parser=parser)
        facts = _read(text, tree, grammar, parser=parser)
        if tree.root_node.has_error and len(text) <= LONGEST:
            return _mend(facts, text, tree.root_node, grammar, parser=parser)
        return facts

    def _parser(self, grammar: Grammar) -> ts.Parser:
        name = grammar.manifest.name
        if name not in self._parsers:
            self._parsers[name] = ts.Parser(grammar.language)
        return self._parsers[name]


def _code_of_page(text: bytes, grammar: Grammar, *, parser: ts.Parser) -> bytes:
    """The code of a page of markup, without the expressions that the grammar does not take."""
    code = code_in(text, grammar.manifest.inside, markup=grammar.manifest.markup)
    while code.expressions and len(text) <= LONGEST:
        found = mistakes(parser.parse(code.text).root_node)
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
    """The tree of a text, and the text it is of: without what only the grammar does not know."""
    tree = parser.parse(text)
    if tree.root_node.has_error and len(text) <= LONGEST:
        for pattern in grammar.manifest.not_in_grammar:
            known = without(text, pattern)
            other = parser.parse(known) if known != text else tree
            if _count_mistakes(other) < _count_mistakes(tree):
                text, tree = known, other
    return text, tree


def _count_mistakes(tree: ts.Tree) -> int:
    return sum(1 for _ in mistakes(tree.root_node))


def _read(text: bytes, tree: ts.Tree, grammar: Grammar, *, parser: ts.Parser) -> FileFacts:
    """The facts of a text as the parser took it."""
    root = tree.root_node
    if grammar.manifest.macros.call:
        root = read_macros(text, tree, grammar=grammar, parser=parser)
    names = NameScopes(grammar.manifest)
    passage = _Round(text, grammar, names=names, parser=parser)
    passage.walk.file(root)
    if not names.settle():
        passage = _Round(text, grammar, names=names, parser=parser)
        passage.walk.file(root)
    return passage.facts(root)


def _mend(
    facts: FileFacts, text: bytes, root: ts.Node, grammar: Grammar, *, parser: ts.Parser
) -> FileFacts:
    """The facts of what is left of a text without its mistakes, if more is defined in that."""
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


class _Round:
    """One walk over a file, and those who gather what it finds."""

    def __init__(
        self, text: bytes, grammar: Grammar, *, names: NameScopes, parser: ts.Parser
    ) -> None:
        self._imports = Imports()
        self._bindings = Bindings()
        annotations = AnnotationReader(grammar, parser)
        self._headers = headers = HeaderReader(annotations)
        self._definitions = Definitions(headers, self._bindings)
        readers = {
            TARGET: self._bindings.read_target,
            MATCHED: self._bindings.read_matched,
            TYPE: headers.declare,
            ASSIGNED: self._bindings.read_assigned,
            DRAWN: self._bindings.read_drawn,
            BASE: headers.read_base,
            DECORATOR: headers.decorate,
            DELETED: self._bindings.take_out,
            SETTINGS: read_settings,
            WORDS: read_words,
        }
        follow = Branching(text, grammar, self._bindings.names).follow
        define = self._definitions.define
        roles = Roles(
            readers,
            self._handlers(),
            define,
            annotations.callable,
            follow,
            annotations.read_arguments,
        )
        self.walk = Walk(text, grammar, names=names, roles=roles)

    def facts(self, root: ts.Node) -> FileFacts:
        """What has been gathered."""
        walk, definitions = self.walk, self._definitions
        text, rows = walk.source, definitions.rows(walk)
        versions = walk.reaching.bindings(walk.found.scopes)
        return FileFacts(
            docstring=definitions.docstring(walk, root),
            lines=text.count(b"\n") + (bool(text) and not text.endswith(b"\n")),
            scopes=tuple(walk.found.scopes),
            definitions=rows,
            imports=self._imports.rows(),
            expressions=walk.table.rows,
            bindings=(*self._headers.bindings, *self._bindings.rows(walk.names), *versions),
            references=References(
                (
                    *self._headers.references(walk),
                    *walk.found.references(walk.table.rows, walk.names),
                )
            ),
            problems=_problems(root, walk),
            package=definitions.package,
            prose=read_prose(text, rows, marks=walk.grammar.manifest.comments),
            directives=read_directives(text, walk.grammar.manifest.directives),
        )

    def _handlers(self) -> dict[str, Callable[[Walk, Met], None]]:
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
            "binding.sent": bindings.send,
            "binding.matched": bindings.match,
            "binding.placed": bindings.place,
            "binding.assigned": bindings.bind,
            "binding.narrowed": bindings.narrow,
            "binding.global": bindings.declare,
            "binding.nonlocal": bindings.declare,
            "binding.hoisted": bindings.hoist,
            "binding.shorthand": bindings.share,
            "operation.entered": bindings.enter,
            "operation.applied": bindings.apply,
            "operation.changed": bindings.change,
            "definition.lambda": definitions.name,
            "decorator": self._headers.leave_decorated,
            "extends": self._headers.extend,
            "generic": self._headers.note_generic,
            "package": definitions.belong,
            "operation.raised": definitions.hand_on,
            "return": definitions.give,
            "yield": definitions.give,
            "generator": definitions.generate,
            "import.within": self._imports.enter,
            "import.module": self._imports.take,
            "import.name": self._imports.take,
            "export.name": self._imports.give,
            "import.default": self._imports.take,
            "import.wildcard": self._imports.take,
            "export.default": partial(_give_out, self._imports, bindings),
        }


def _give_out(imports: Imports, bindings: Bindings, walk: Walk, met: Met) -> None:
    """A value is what the file gives out by default: something that has a name, or not."""
    row = met.row("value")
    op, text, number, _ = walk.table.rows[row]
    name = text if op == _NAME else ""
    if op == _FUNCTION:
        _, name = walk.found.bound.get(number, (0, ""))
    if name:
        imports.rename(walk, met.node, name=name)
    else:
        bindings.give_out(walk, met.node, value=row)


def _problems(root: ts.Node, walk: Walk) -> tuple[Problem, ...]:
    problems = []
    if walk.is_cut:
        problems.append(Problem(1, f"expressions nested deeper than {DEPTH} are left out"))
    if walk.reaching.cut_at:
        what = "too many branches and names: what names hold is not followed from here on"
        problems.append(Problem(walk.reaching.cut_at, what))
    if root.has_error:
        problems += [_problem(node) for node in islice(mistakes(root), MOST_PROBLEMS)]
    return tuple(problems)


def _problem(node: ts.Node) -> Problem:
    what = f"missing {node.type}" if node.is_missing else "syntax error"
    return Problem(node.start_point[0] + 1, what)
