"""A language made ready to parse: its grammar, and its queries checked and compiled.

The patterns of the file queries and of `expressions.scm` are recognised together, node by node, as
a file is walked. Targets and parameters have tables of their own, for there the same node means
something else; and what documents a definition is asked of its body alone.
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
from mu.syntax.grammars.installed import load_language
from mu.syntax.grammars.manifest import Manifest, lineage, load_manifests
from mu.syntax.matching.patterns import read_pattern, split_patterns
from mu.syntax.matching.recognition import ANY, KeptShapes, KnownPattern, Recognition
from mu.syntax.matching.vocabulary import (
    FILE_QUERIES,
    NODE_QUERIES,
    OPTIONAL_QUERIES,
    QueryMistakeError,
    role_of,
)

_MOST_BYTES: Final = 500_000
"""Of shapes that are recalled, which takes 20 ms: where there are more, one begins anew."""

_decode_shapes = msgspec.msgpack.Decoder(list[KeptShapes]).decode


@dataclass(frozen=True, slots=True)
class FlowKinds:
    """The kinds of nodes that matter for how control runs: those that `end` a block, those that
    are `also` tests, and `clauses`; and `words`, of which one stands in each test that tells.
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
    nodes: Recognition
    targets: Recognition
    parameters: Recognition
    tests: Recognition
    docstrings: Recognition
    flow: FlowKinds

    @property
    def recognitions(self) -> tuple[Recognition, ...]:
        """All tables of patterns, in a fixed order."""
        return self.nodes, self.targets, self.parameters, self.tests, self.docstrings


@cache
def load_grammar(name: str) -> Grammar:
    """Load one language; `GrammarError` and `QueryMistakeError` say what is wrong with it.

    Patterns are compiled together, which takes tree-sitter 40 ms for Python. Compiling each file
    too, for the place of a mistake, would take as long again: it is done when there is one. Where
    shapes were recalled, patterns are known to be right and compiled when one is asked.
    """
    grammar = read_grammar(name)
    if grammar.nodes.kept:
        return grammar
    try:
        for recognition in grammar.recognitions:
            recognition.compile()
    except ts.QueryError:
        manifests = load_manifests()
        return _assemble(grammar.language, name, manifests, is_checked=True)
    return grammar


def recall_shapes(name: str, data: bytes) -> None:
    """Take over the shapes of a language that `known_shapes` gave, made of the same queries.

    To be done before the language is loaded. What is not in that form, or too large, is ignored.
    """
    with suppress(msgspec.MsgspecError):
        kept = _decode_shapes(data if len(data) <= _MOST_BYTES else b"")
        for recognition, shapes in zip(read_grammar(name).recognitions, kept, strict=False):
            recognition.kept.update(shapes)


def known_shapes(name: str) -> bytes:
    """Give the shapes that are known of a language, to be recalled by another process."""
    return msgspec.msgpack.encode([one.kept for one in read_grammar(name).recognitions])


@cache
def read_grammar(name: str) -> Grammar:
    """Read the patterns of one language; unlike those of `load_grammar`, they may have mistakes."""
    manifests = load_manifests()
    language = load_language(name, manifests[name].grammar)
    try:
        return _assemble(language, name, manifests, is_checked=False)
    except (ts.QueryError, QueryMistakeError):
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
    nodes = Recognition(language, outside, values_first=manifests[name].binds_behind_values)
    tests = Recognition(language, read["tests"])
    return Grammar(
        manifests[name],
        language,
        nodes,
        Recognition(language, read["targets"]),
        Recognition(language, read["parameters"]),
        tests,
        Recognition(language, docstrings),
        _flow_kinds(manifests[name], nodes),
    )


def _flow_kinds(manifest: Manifest, nodes: Recognition) -> FlowKinds:
    return FlowKinds(
        nodes.kinds_of("flow.end"),
        nodes.kinds_of("flow.also"),
        nodes.kinds_of("flow.clause"),
        tuple(name.encode() for name in manifest.type_checks),
    )


def _read_patterns(
    language: ts.Language, path: Path, *, is_whole: bool, is_checked: bool
) -> list[KnownPattern]:
    """The patterns of one query file; a mistake is reported with its file and line.

    The file must be there in a folder that is whole; in one that adds to another it need not.
    Mistakes that need a compiler are only seen if it `is_checked`.
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
        raise QueryMistakeError(f"{name}: cannot be read ({error.strerror})") from error
    except ts.QueryError as error:
        raise _located(name, str(error)) from error
    except ValueError as error:
        raise QueryMistakeError(f"{name}: {error}") from error
    return [_known(language, pattern, f"{name}:{line}") for line, pattern in patterns]


def _known(language: ts.Language, text: str, place: str) -> KnownPattern:
    role, sight = role_of(text, place), read_pattern(text)
    roots = _kinds(language, sight.roots)
    if roots is None:
        raise QueryMistakeError(
            f"{place}: a pattern must begin with a node of one kind, or with a choice of such",
            "name the kinds of node that it may begin with",
        )
    lone = None if sight.children is None else _kinds(language, sight.children)
    return KnownPattern(text, role, sight, roots, lone, _inner(language, sight.inner))


def _kinds(language: ts.Language, names: Iterable[str]) -> tuple[int, ...] | None:
    """The numbers of kinds of nodes; None where a name is no kind, or stands for several."""
    kinds = [language.id_for_node_kind(name, True) for name in names]
    found = tuple(k for k in kinds if k is not None and language.node_kind_is_visible(k))
    return found if len(found) == len(kinds) else None


def _inner(language: ts.Language, found: Iterable[tuple[str, int]]) -> dict[int, int]:
    """Levels by the numbers of kinds of nodes; what is no kind, or stands for several, is any."""
    inner: dict[int, int] = {}
    for name, depth in found:
        kinds = _kinds(language, [name])
        kind = ANY if not kinds else kinds[0]
        inner[kind] = max(depth, inner.get(kind, 0))
    return inner


def _located(name: str, message: str) -> QueryMistakeError:
    """tree-sitter's own complaint, with its row (from 0) turned into a line (from 1)."""
    row = re.search(r" at row (\d+), column \d+", message)
    if row is None:
        return QueryMistakeError(f"{name}: {message}")
    what = message.replace(row[0], "")
    return QueryMistakeError(f"{name}:{int(row[1]) + 1}: {what}")
