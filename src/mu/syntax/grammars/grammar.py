"""A language ready to use: its grammar, and its queries checked and compiled.

The patterns of the file queries and of `expressions.scm` are matched together, node by node, during
the walk. Targets, parameters and tests have matchers of their own, since the same nodes mean
something else there. Docstring patterns are matched at bodies alone.
"""

import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

import msgspec
import tree_sitter as ts

from mu import bundle
from mu.syntax.grammars.installation import load_language
from mu.syntax.grammars.manifest import Manifest, lineage, load_manifests
from mu.syntax.matching.pattern_matcher import ANY, PatternMatcher, QueryPattern, ShapeCache
from mu.syntax.matching.patterns import analyze_pattern, split_patterns
from mu.syntax.matching.vocabulary import (
    FILE_QUERIES,
    NODE_QUERIES,
    OPTIONAL_QUERIES,
    InvalidQueryError,
    role_of,
)

_MOST_BYTES: Final = 500_000
"""Encoded shapes that may be restored, which takes 20 ms; more are discarded."""

_decode_shapes = msgspec.msgpack.Decoder(list[ShapeCache]).decode


@dataclass(frozen=True, slots=True)
class FlowKinds:
    """Node kinds that matter for control flow.

    `ends` leave a block, `also` are further tests of a conditional, `clauses` hold a block. Each
    type test contains one of `words`.
    """

    ends: frozenset[int]
    also: frozenset[int]
    clauses: frozenset[int]
    words: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class Grammar:
    """One language, ready to use."""

    manifest: Manifest
    language: ts.Language
    nodes: PatternMatcher
    targets: PatternMatcher
    parameters: PatternMatcher
    tests: PatternMatcher
    docstrings: PatternMatcher
    flow: FlowKinds

    @property
    def matchers(self) -> tuple[PatternMatcher, ...]:
        """All pattern matchers, in a fixed order."""
        return self.nodes, self.targets, self.parameters, self.tests, self.docstrings


@cache
def load_grammar(name: str) -> Grammar:
    """Load one language; raises GrammarError or InvalidQueryError.

    All patterns are compiled together, which takes tree-sitter 40 ms for Python. Only if that
    fails, each file is compiled by itself to locate the error. With restored shapes, patterns are
    known to be valid and are compiled on first use.
    """
    grammar = read_grammar(name)
    if grammar.nodes.shape_cache:
        return grammar
    try:
        for matcher in grammar.matchers:
            matcher.compile()
    except ts.QueryError:
        manifests = load_manifests()
        return _assemble(grammar.language, name, manifests, is_checked=True)
    return grammar


def restore_shapes(name: str, data: bytes) -> None:
    """Add shapes encoded by `encode_shapes` to a language, which must have the same queries.

    To be called before the language is loaded. Data that is malformed or too large is ignored.
    """
    with suppress(msgspec.MsgspecError):
        kept = _decode_shapes(data if len(data) <= _MOST_BYTES else b"")
        for matcher, shapes in zip(read_grammar(name).matchers, kept, strict=False):
            matcher.shape_cache.update(shapes)


def encode_shapes(name: str) -> bytes:
    """Return all cached shapes of a language, encoded for another process."""
    return msgspec.msgpack.encode([one.shape_cache for one in read_grammar(name).matchers])


@cache
def read_grammar(name: str) -> Grammar:
    """Read the patterns of one language; unlike in `load_grammar`, they may be invalid."""
    manifests = load_manifests()
    language = load_language(name, manifests[name].grammar)
    try:
        return _assemble(language, name, manifests, is_checked=False)
    except (ts.QueryError, InvalidQueryError):
        return _assemble(language, name, manifests, is_checked=True)


def _assemble(
    language: ts.Language, name: str, manifests: Mapping[str, Manifest], *, is_checked: bool
) -> Grammar:
    folders = [bundle.queries() / one for one in lineage(name, manifests)]
    read = {
        purpose: [
            pattern
            for folder in folders
            for pattern in _read_patterns(
                language,
                folder / f"{purpose}.scm",
                is_whole=folder == folders[-1],
                is_checked=is_checked,
            )
        ]
        for purpose in (*FILE_QUERIES, *NODE_QUERIES)
    }
    whole = [one for purpose in (*FILE_QUERIES, "expressions") for one in read[purpose]]
    docstrings = [one for one in whole if one.role.name == "docstring"]
    outside = [one for one in whole if one not in docstrings]
    nodes = PatternMatcher(language, outside, values_first=manifests[name].binds_behind_values)
    tests = PatternMatcher(language, read["tests"])
    return Grammar(
        manifests[name],
        language,
        nodes,
        PatternMatcher(language, read["targets"]),
        PatternMatcher(language, read["parameters"]),
        tests,
        PatternMatcher(language, docstrings),
        _flow_kinds(manifests[name], nodes),
    )


def _flow_kinds(manifest: Manifest, nodes: PatternMatcher) -> FlowKinds:
    return FlowKinds(
        nodes.kinds_of("flow.end"),
        nodes.kinds_of("flow.also"),
        nodes.kinds_of("flow.clause"),
        tuple(name.encode() for name in manifest.type_checks),
    )


def _read_patterns(
    language: ts.Language, path: Path, *, is_whole: bool, is_checked: bool
) -> list[QueryPattern]:
    """Return the patterns of one query file; raises InvalidQueryError with file and line.

    The file may be missing in a language that extends another, and if it is optional. Patterns are
    compiled only if `is_checked`.
    """
    name = f"queries/{path.parent.name}/{path.name}"
    if not (path.exists() or (is_whole and path.stem not in OPTIONAL_QUERIES)):
        return []
    try:
        text = path.read_text(encoding="utf-8")
        if is_checked:
            ts.Query(language, text)
        patterns = split_patterns(text)
    except OSError as error:
        raise InvalidQueryError(f"{name}: cannot be read ({error.strerror})") from error
    except ts.QueryError as error:
        raise _located(name, str(error)) from error
    except ValueError as error:
        raise InvalidQueryError(f"{name}: {error}") from error
    return [_query_pattern(language, pattern, f"{name}:{line}") for line, pattern in patterns]


def _query_pattern(language: ts.Language, text: str, location: str) -> QueryPattern:
    role, analysis = role_of(text, location), analyze_pattern(text)
    roots = _kinds(language, analysis.roots)
    if roots is None:
        raise InvalidQueryError(
            f"{location}: a pattern must begin with a node of one kind, or with a choice of such",
            "name the kinds of node that it may begin with",
        )
    only_child = None if analysis.only_child is None else _kinds(language, analysis.only_child)
    return QueryPattern(
        text, role, analysis, roots, only_child, _inner(language, analysis.inner_depths)
    )


def _kinds(language: ts.Language, names: Iterable[str]) -> tuple[int, ...] | None:
    """Return the ids of node kinds; None if a name is no kind or a supertype."""
    kinds = [language.id_for_node_kind(name, True) for name in names]
    found = tuple(k for k in kinds if k is not None and language.node_kind_is_visible(k))
    return found if len(found) == len(kinds) else None


def _inner(language: ts.Language, found: Iterable[tuple[str, int]]) -> dict[int, int]:
    """Return the number of levels by node kind id; names that are no single kind count as any."""
    inner: dict[int, int] = {}
    for name, depth in found:
        kinds = _kinds(language, [name])
        kind = ANY if not kinds else kinds[0]
        inner[kind] = max(depth, inner.get(kind, 0))
    return inner


def _located(name: str, message: str) -> InvalidQueryError:
    """Return tree-sitter's error, with its row (from 0) turned into a line (from 1)."""
    row = re.search(r" at row (\d+), column \d+", message)
    if row is None:
        return InvalidQueryError(f"{name}: {message}")
    what = message.replace(row[0], "")
    return InvalidQueryError(f"{name}:{int(row[1]) + 1}: {what}")
