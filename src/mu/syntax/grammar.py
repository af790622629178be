"""A language made ready to parse: its grammar, and its queries checked and compiled.

A node query is asked of one node at a time (`set_max_start_depth(0)`, 2 us); patterns of one bare
node kind, such as `(identifier) @expression.name`, become a table look-up instead. The structure of
expressions is wanted so often that its patterns are part of the file query as well: asking them
again, node by node, took as long as the parse itself.
"""

import importlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import tree_sitter as ts

from mu import bundle
from mu.errors import MuError
from mu.syntax.manifest import Manifest, load_manifests
from mu.syntax.vocabulary import (
    FILE_QUERIES,
    NODE_QUERIES,
    READ_OFF,
    STRUCTURE_QUERY,
    QueryMistakeError,
    Role,
    role_of,
)

_COMMENT = re.compile(r";[^\n]*")
_ROOT = re.compile(r"\(\s*(\w+)")
_BARE = re.compile(r"\(\s*(\w+)\s*\)\s*@[\w.]+\s*")

Captures = dict[str, list[ts.Node]]


Found = tuple[Role, Captures]
"""What a node is, and its parts."""


class GrammarError(MuError):
    """A language whose grammar cannot be loaded here."""


@dataclass(frozen=True, slots=True)
class FileQuery:
    """The patterns run over a whole file, with the role of each by its number."""

    query: ts.Query
    roles: tuple[Role, ...]


class NodeQuery:
    """Patterns asked of one node: bare kinds by table, the rest by a cursor of their own."""

    def __init__(
        self,
        query: ts.Query,
        roles: tuple[Role, ...],
        bare: dict[int, Role],
        roots: frozenset[tuple[int, str]],
    ) -> None:
        self._cursor = ts.QueryCursor(query)
        self._cursor.set_max_start_depth(0)
        self._roles = roles
        self._roots = roots
        kinds = frozenset(kind for kind, _ in roots)
        self._kinds = None if 0 in kinds else kinds  # 0: a pattern that any node may begin
        self.bare = bare

    def kinds_of(self, role: str) -> frozenset[int]:
        """The node kinds that patterns of `role` begin with."""
        return frozenset(kind for kind, name in self._roots if name == role)

    def ask(self, node: ts.Node) -> Found | None:
        """The role of `node` and its parts by the first pattern that fits, or None."""
        kind = node.kind_id
        role = self.bare.get(kind)
        if role is not None:
            return role, {}
        if self._kinds is not None and kind not in self._kinds:
            return None
        matches = self._cursor.matches(node)
        if not matches:
            return None
        pattern, captures = min(matches, key=_pattern_number)
        return self._roles[pattern], captures


def _pattern_number(match: tuple[int, Captures]) -> int:
    return match[0]


@dataclass(frozen=True, slots=True)
class Grammar:
    """One language, ready: `version` names grammar and queries for cache keys."""

    manifest: Manifest
    language: ts.Language
    file_query: FileQuery
    expressions: NodeQuery
    targets: NodeQuery
    parameters: NodeQuery
    name_kinds: frozenset[int]


@cache
def load_grammar(name: str) -> Grammar:
    """Load one language; `GrammarError` and `QueryMistakeError` say what is wrong with it."""
    manifest = load_manifests()[name]
    language = _load_language(manifest)
    folder = bundle.queries() / name
    files = {
        purpose: _read(folder / f"{purpose}.scm") for purpose in (*FILE_QUERIES, *NODE_QUERIES)
    }
    asked = {purpose: _compile(language, [files[purpose]]) for purpose in NODE_QUERIES}
    structure = [
        text
        for text, role in asked[STRUCTURE_QUERY].patterns
        if not (_BARE.fullmatch(text) or role.name in READ_OFF)
    ]
    added = _Source(files[STRUCTURE_QUERY].name, "\n".join(structure).encode())
    whole = _compile(language, [*(files[purpose] for purpose in FILE_QUERIES), added])
    expressions, targets, parameters = (
        _node_query(language, asked[purpose]) for purpose in NODE_QUERIES
    )
    return Grammar(
        manifest,
        language,
        FileQuery(whole.query, whole.roles),
        expressions,
        targets,
        parameters,
        expressions.kinds_of("expression.name"),
    )


def _load_language(manifest: Manifest) -> ts.Language:
    try:
        module = importlib.import_module(manifest.grammar)
        return ts.Language(module.language())
    except (ImportError, AttributeError, ValueError) as error:
        raise GrammarError(
            f"the grammar of {manifest.name} ({manifest.grammar}) cannot be loaded: {error}",
            "reinstall MU, or leave the language out with --language",
        ) from error


@dataclass(frozen=True, slots=True)
class _Source:
    """The text of a query file, and the name it is shown by."""

    name: str
    text: bytes


@dataclass(frozen=True, slots=True)
class _Compiled:
    """A query with the text and the role of each of its patterns."""

    query: ts.Query
    patterns: tuple[tuple[str, Role], ...]

    @property
    def roles(self) -> tuple[Role, ...]:
        """The role of each pattern, by its number."""
        return tuple(role for _, role in self.patterns)


def _read(path: Path) -> _Source:
    name = f"queries/{path.parent.name}/{path.name}"
    try:
        return _Source(name, path.read_text(encoding="utf-8").encode())
    except OSError as error:
        raise QueryMistakeError(f"{name}: cannot be read ({error.strerror})") from error


def _compile(language: ts.Language, sources: Sequence[_Source]) -> _Compiled:
    """Compile query files as one query, once: it is a good part of a worker's start (40 ms)."""
    try:
        query = ts.Query(language, b"\n".join(source.text for source in sources).decode())
    except ts.QueryError as error:
        if len(sources) == 1:
            raise _located(sources[0].name, str(error)) from error
        for source in sources:
            _compile(language, [source])
        raise
    return _Compiled(query, tuple(_patterns(query, sources)))


def _patterns(query: ts.Query, sources: Sequence[_Source]) -> Iterator[tuple[str, Role]]:
    """The text and role of each pattern; a mistake is reported with its file and line."""
    number = offset = 0
    for source in sources:
        end = offset + len(source.text) + 1
        while number < query.pattern_count and query.start_byte_for_pattern(number) < end:
            start = query.start_byte_for_pattern(number) - offset
            stop = query.end_byte_for_pattern(number) - offset
            line = source.text.count(b"\n", 0, start) + 1
            text = source.text[start:stop].decode()
            yield _COMMENT.sub("", text).strip(), role_of(text, f"{source.name}:{line}")
            number += 1
        offset = end


def _node_query(language: ts.Language, compiled: _Compiled) -> NodeQuery:
    bare: dict[int, Role] = {}
    roots: set[tuple[int, str]] = set()
    for text, role in compiled.patterns:
        roots.add((_root_kind(language, text), role.name))
        match = _BARE.fullmatch(text)
        kind = None if match is None else language.id_for_node_kind(match[1], True)
        if kind is not None:
            bare[kind] = role
    return NodeQuery(compiled.query, compiled.roles, bare, frozenset(roots))


def _root_kind(language: ts.Language, pattern: str) -> int:
    """The node kind that a pattern begins with; 0 where that is not one kind alone."""
    root = _ROOT.match(pattern)
    kind = None if root is None else language.id_for_node_kind(root[1], True)
    return kind if kind is not None and language.node_kind_is_visible(kind) else 0


def _located(name: str, message: str) -> QueryMistakeError:
    """tree-sitter's own complaint, with its row (from 0) turned into a line (from 1)."""
    row = re.search(r" at row (\d+), column \d+", message)
    if row is None:
        return QueryMistakeError(f"{name}: {message}")
    what = message.replace(row[0], "")
    return QueryMistakeError(f"{name}:{int(row[1]) + 1}: {what}")
