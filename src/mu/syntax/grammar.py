"""A language made ready to parse: its grammar, and its queries checked and compiled.

A node query is asked of one node at a time (`set_max_start_depth(0)`, 2 us); patterns of one bare
node kind, such as `(identifier) @expression.name`, become a table look-up instead. The structure of
expressions is wanted so often that its patterns are part of the file query as well: asking them
again, node by node, took as long as the parse itself.
"""

import importlib
import re
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
        query: ts.Query | None,
        roles: tuple[Role, ...],
        bare: dict[int, Role],
        roots: frozenset[tuple[int, str]],
    ) -> None:
        self._cursor = None if query is None else ts.QueryCursor(query)
        if self._cursor is not None:
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
        if self._cursor is None or (self._kinds is not None and kind not in self._kinds):
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
    expressions, targets, parameters = (
        _compile_node_query(language, folder / f"{purpose}.scm") for purpose in NODE_QUERIES
    )
    return Grammar(
        manifest,
        language,
        _compile_file_query(language, folder),
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


def _compile_file_query(language: ts.Language, folder: Path) -> FileQuery:
    paths = [folder / f"{purpose}.scm" for purpose in (*FILE_QUERIES, STRUCTURE_QUERY)]
    checked = [
        (text, role)
        for path in paths
        for text, role in _patterns(language, path)
        if not (path.stem == STRUCTURE_QUERY and (_BARE.fullmatch(text) or role.name in READ_OFF))
    ]
    query = ts.Query(language, "\n".join(text for text, _ in checked))
    return FileQuery(query, tuple(role for _, role in checked))


def _compile_node_query(language: ts.Language, path: Path) -> NodeQuery:
    bare: dict[int, Role] = {}
    texts: list[str] = []
    roles: list[Role] = []
    roots: set[tuple[int, str]] = set()
    for text, role in _patterns(language, path):
        roots.add((_root_kind(language, text), role.name))
        match = _BARE.fullmatch(text)
        if match is None:
            texts.append(text)
            roles.append(role)
            continue
        kind = language.id_for_node_kind(match[1], True)
        if kind is not None:
            bare[kind] = role
    query = ts.Query(language, "\n".join(texts)) if texts else None
    return NodeQuery(query, tuple(roles), bare, frozenset(roots))


def _root_kind(language: ts.Language, pattern: str) -> int:
    """The node kind that a pattern begins with; 0 where that is not one kind alone."""
    root = _ROOT.match(pattern)
    kind = None if root is None else language.id_for_node_kind(root[1], True)
    return kind if kind is not None and language.node_kind_is_visible(kind) else 0


def _patterns(language: ts.Language, path: Path) -> list[tuple[str, Role]]:
    """Each pattern of a file with its role; a mistake is reported with its file and line."""
    try:
        source = path.read_text(encoding="utf-8")
    except OSError as error:
        raise QueryMistakeError(f"{_shown(path)}: cannot be read ({error.strerror})") from error
    try:
        query = ts.Query(language, source)
    except ts.QueryError as error:
        raise _located(path, str(error)) from error
    found = []
    data = source.encode()
    for number in range(query.pattern_count):
        start, end = query.start_byte_for_pattern(number), query.end_byte_for_pattern(number)
        text = data[start:end].decode()
        line = data.count(b"\n", 0, start) + 1
        place = f"{_shown(path)}:{line}"
        found.append((re.sub(r";[^\n]*", "", text).strip(), role_of(text, place)))
    return found


def _located(path: Path, message: str) -> QueryMistakeError:
    """tree-sitter's own complaint, with its row (from 0) turned into a line (from 1)."""
    row = re.search(r" at row (\d+), column \d+", message)
    if row is None:
        return QueryMistakeError(f"{_shown(path)}: {message}")
    what = message.replace(row[0], "")
    return QueryMistakeError(f"{_shown(path)}:{int(row[1]) + 1}: {what}")


def _shown(path: Path) -> str:
    return f"queries/{path.parent.name}/{path.name}"
