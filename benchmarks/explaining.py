"""Says why a name stands on a line: a row of the ledger, a definition, or what the syntax makes it.

Independent of linking: the text is searched for the bare name, each hit is looked up in the ledger,
and what has no row is parsed anew. What is left has no reason to be there that MU knows of.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import tree_sitter as ts

from mu.model.facts import FileFacts, ScopeKind
from mu.model.relation import Relation
from mu.source import SkippedSource, read_source
from mu.store import GraphFile
from mu.syntax import Extractor, load_grammar, load_manifests
from mu.syntax.text.embedded_code import embedded_code

UNEXPLAINED = ""
_LARGEST = 2_000_000  # bytes; what a build reads
_SPREADING = (
    "call",
    "member",
    "attribute",
    "selector",
    "field_expression",
    "subscript",
    "import",
    "decorator",
    "annotation",
    "type",
    "binary",
    "operator",
    "await",
    "jsx",
    "macro",
    "use_",
)
"""What goes over several lines, of which the ledger has the first; parts of names of kinds."""

_FILES = """
SELECT key, path, language FROM file WHERE status = 'indexed' AND language <> '' ORDER BY path
"""

_SITES = """
SELECT place.path, site.line, site.kind::VARCHAR, site.name, site.text,
    coalesce(far.id, site.reason::VARCHAR), site.source
FROM site JOIN file AS place ON place.key = site.file LEFT JOIN node AS far ON far.key = site.target
WHERE site.name = $name OR contains(site.text, $name)
"""

_NAMED = """
SELECT place.path, node.start_line, node.end_line, node.id
FROM node JOIN file AS place ON place.key = node.file WHERE node.name = $name
"""

_AROUND = """
SELECT node.key FROM node JOIN file AS place ON place.key = node.file
WHERE place.path = $path AND $line BETWEEN node.start_line AND node.end_line
    AND node.kind IN ('module', 'class', 'function')
QUALIFY rank() OVER (ORDER BY node.end_line - node.start_line, node.key DESC) = 1
"""

_STRINGS = ("string", "template", "char_literal", "regex", "heredoc", "text_block", "jsx_text")
_KEYS = {
    "keyword_argument": "the name of a keyword argument",
    "pair": "a key of an object",
    "pair_pattern": "a key of an object",
    "keyed_element": "a key of a literal",
    "literal_element": "a key of a literal",
    "field_initializer": "a key of a literal",
    "shorthand_field_initializer": "a key of a literal",
    "field_pattern": "a key of a pattern",
    "element_value_pair": "the name of an argument of an annotation",
    "jsx_attribute": "an attribute of an element",
    "property_signature": "a member that is declared",
    "method_signature": "a member that is declared",
    "public_field_definition": "a member that is declared",
    "field_definition": "a member that is declared",
    "field_declaration": "a member that is declared",
    "method_definition": "a member that is declared",
    "method_elem": "a member that is declared",
    "method_spec": "a member that is declared",
    "enum_assignment": "a member that is declared",
    "enum_body": "a member that is declared",
    "enum_variant": "a member that is declared",
    "enum_constant": "a member that is declared",
    "package_clause": "the name of a package",
    "package_declaration": "the name of a package",
    "labeled_statement": "a label",
    "statement_identifier": "a label",
    "type_parameter": "a type parameter",
    "type_spec": "a type that is declared",
    "function_signature_item": "a member that is declared",
    "import_specifier": "a name in an import",
    "export_specifier": "a name in an export",
    "named_imports": "a name in an import",
    "use_list": "a name in an import",
    "use_declaration": "a name in an import",
    "scoped_use_list": "a name in an import",
}
_CALL = re.compile(r"\s*(!?\(|`|\?\.\(|<|::<)")
_NAME_FIELDS = ("name", "key", "label", "alias", "pattern", "field", "")
_MEMBERS = ("attribute", "property", "field")
_SET_BY = ("assignment", "short_var_declaration", "for_", "augmented", "range_clause", "update_")


class Hit(NamedTuple):
    """A line on which a name stands, and why; `reason` is UNEXPLAINED where nothing says so."""

    path: str
    line: int
    text: str
    reason: str


@dataclass(slots=True)
class _Parsed:
    tree: ts.Tree
    facts: FileFacts
    bound: dict[str, list[tuple[int, int]]]
    """By name: the lines of the scopes that bind it, but for imports and definitions."""


@dataclass
class Repository:
    """A graph and the texts of its files, each read and parsed once."""

    root: Path
    graph: GraphFile
    languages: Mapping[str, str] = field(init=False)
    _texts: dict[str, str] = field(init=False, default_factory=dict)
    _parsed: dict[str, _Parsed] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        """Read all texts."""
        rows = self.graph.run(Relation(_FILES), limit=None).rows
        self.languages = {str(path): str(language) for _, path, language in rows}
        for path in self.languages:
            try:
                source = read_source(self.root, path, max_file_size=_LARGEST)
            except SkippedSource:
                continue
            self._texts[path] = source.text.decode("utf-8", "replace")

    def hits(self, name: str, *, is_called: bool = False) -> Iterator[Hit]:
        """Give every line on which `name` stands as a word, with the reason.

        With `is_called` a line matters where it calls what has the name.
        """
        pattern = re.compile(rf"(?<![\w$]){re.escape(name)}(?![\w$])")
        sites, definitions = self._rows(_SITES, name), self._rows(_NAMED, name)
        for path, text in self._texts.items():
            if name not in text:
                continue
            lines: dict[int, list[int]] = defaultdict(list)
            for match in pattern.finditer(text):
                lines[text.count("\n", 0, match.start()) + 1].append(match.start())
            heads = _heads(definitions[path], lines)
            lines_of = text.split("\n")
            for line, starts in lines.items():
                reasons = [
                    heads.get(line)
                    or _site(sites[path], (line,), name, pattern)
                    or self._syntax(path, text, name=name, at=start, line=line)
                    or _site(sites[path], self._begins(path, text, start), name, pattern)
                    or self._again(sites[path], path, line, lines_of[line - 1])
                    or _not_called(text, start + len(name), is_called)
                    for start in starts
                ]
                missing = UNEXPLAINED in reasons
                told = UNEXPLAINED if missing else " + ".join(dict.fromkeys(map(str, reasons)))
                yield Hit(path, line, lines_of[line - 1].strip()[:200], told)

    def _rows(self, sql: str, name: str) -> dict[str, list[tuple[object, ...]]]:
        found: dict[str, list[tuple[object, ...]]] = defaultdict(list)
        for path, *rest in self.graph.run(Relation(sql, {"name": name}), limit=None).rows:
            found[str(path)].append(tuple(rest))
        return found

    def _again(self, sites: list[tuple[object, ...]], path: str, line: int, text: str) -> str:
        """Say that the same text has a row in the same definition: it names the node once."""
        written = [row for row in sites if str(row[3]) in text]
        if not written:
            return UNEXPLAINED
        rows = self.graph.run(Relation(_AROUND, {"path": path, "line": line})).rows
        again = any(rows and row[5] == rows[0][0] for row in written)
        return "named again in a definition that has a row" if again else UNEXPLAINED

    def _begins(self, path: str, text: str, at: int) -> tuple[int, ...]:
        """Give the first lines of the expressions around a place."""
        way = _way(self._parse(path, text).tree, len(text[:at].encode()))
        return tuple(
            row + 1
            for kind, _, row in way
            if any(part in kind for part in _SPREADING) and "definition" not in kind
        )

    def _syntax(self, path: str, text: str, *, name: str, at: int, line: int) -> str:
        if self.languages[path] not in load_manifests():
            return "in a document"
        parsed = self._parse(path, text)
        way = _way(parsed.tree, len(text[:at].encode()))
        found = _by_syntax([(kind, place) for kind, place, _ in way])
        if found:
            return found
        kind, place, _ = way[-1]
        is_member = place in _MEMBERS or kind in ("property_identifier", "field_identifier")
        spans = parsed.bound.get(name, ())
        if not is_member and any(first <= line <= last for first, last in spans):
            return "a name that a scope around it binds"
        return UNEXPLAINED

    def _parse(self, path: str, text: str) -> _Parsed:
        if path not in self._parsed:
            language, data = self.languages[path], text.encode()
            grammar = load_grammar(language)
            facts = Extractor().extract(data, language)
            if grammar.manifest.inside:
                data = embedded_code(data, grammar.manifest.inside).text
            tree = ts.Parser(grammar.language).parse(data)
            self._parsed[path] = _Parsed(tree, facts, _bound(facts))
        return self._parsed[path]


def _heads(definitions: list[tuple[object, ...]], lines: Mapping[int, object]) -> dict[int, str]:
    """Give the first line of each definition that has its name: decorators stand before it."""
    heads = {}
    for first, last, node in definitions:
        inside = [line for line in lines if int(str(first)) <= line <= int(str(last))]
        if inside:
            heads[min(inside)] = f"definition of {node}"
    return heads


def _site(
    sites: list[tuple[object, ...]], lines: Collection[int], name: str, pattern: re.Pattern[str]
) -> str:
    """Give the row on one of the lines."""
    fitting = [
        (row[2] != name, str(row[1]), str(row[4]))
        for row in sites
        if row[0] in lines and (row[2] == name or pattern.search(str(row[3])))
    ]
    if not fitting:
        return UNEXPLAINED
    is_part, kind, target = min(fitting)
    return f"{kind} site{' around it' if is_part else ''}: {target}"


def _not_called(text: str, end: int, is_called: bool) -> str:
    return "" if not is_called or _CALL.match(text, end) else "read, and not called"


def _way(tree: ts.Tree, byte: int) -> list[tuple[str, str, int]]:
    """Give the kinds of the nodes from the root down to a byte, each with its field and row."""
    cursor = tree.walk()
    way = [(cursor.node.type if cursor.node else "", "", 0)]
    while cursor.goto_first_child_for_byte(byte) is not None:
        node = cursor.node
        if node is None or not node.start_byte <= byte < node.end_byte:
            break
        way.append((node.type, cursor.field_name or "", node.start_point.row))
    return way


def _by_syntax(way: list[tuple[str, str]]) -> str:
    kind, place = way[-1]
    above = way[-2][0] if len(way) > 1 else ""
    if any("comment" in one for one, _ in way):
        return "in a comment"
    if any(part in kind for part in _STRINGS) or (
        above and any(part in above for part in _STRINGS) and "identifier" not in kind
    ):
        return "in a string"
    if "ERROR" in (one for one, _ in way):
        return "in a text that the grammar does not read"
    if not kind.endswith(("identifier", "name", "pattern", "type")):
        return "a word of the language"
    if above in _KEYS and place in _NAME_FIELDS:
        return _KEYS[above]
    for one, at in way[-4:-1]:
        if "parameter" in one and at in ("", "parameters", "parameter") and place in _NAME_FIELDS:
            return "a parameter"
    for (outer, _), (_, inner) in zip(way[-5:], way[-4:], strict=False):
        if inner == "left" and any(part in outer for part in _SET_BY):
            return "is set here"
    if place in ("name", "pattern") and ("declar" in above or "_spec" in above):
        return "is declared here"
    return UNEXPLAINED


def _bound(facts: FileFacts) -> dict[str, list[tuple[int, int]]]:
    found: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for binding in facts.bindings:
        if not binding.base:
            scope = facts.scopes[binding.scope]
            found[binding.name].append(_span(scope.kind, scope.start_line, scope.end_line))
    for definition in facts.definitions:
        around = facts.scopes[definition.scope]
        if around.kind == ScopeKind.FUNCTION:
            found[definition.name].append((around.start_line, around.end_line))
        body = facts.scopes[definition.body]
        for parameter in definition.parameters:
            found[parameter.name].append((definition.start_line, body.end_line))
    return found


def _span(kind: int, first: int, last: int) -> tuple[int, int]:
    return (1, 10_000_000) if kind == ScopeKind.MODULE else (first, last)
