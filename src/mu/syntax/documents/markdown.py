"""Markdown, by tree-sitter's grammars of its blocks and of its inline content.

Trees are walked with an explicit stack, as documents may nest arbitrarily deep.
"""

import re
from functools import cache

import tree_sitter as ts
import tree_sitter_markdown

from mu.model.documents import PointerKind
from mu.syntax.documents.document_builder import DocumentBuilder
from mu.syntax.documents.metadata import read_frontmatter

_HEADINGS = ("atx_heading", "setext_heading")
_HEADING_ID = re.compile(r"\s*\{[^}]*\}\s*$|\s+#+\s*$")
_ATTRIBUTES = re.compile(r"\{:?[^{}\n]*?#(?P<anchor>[\w.:-]+)[^{}\n]*\}")
"""Attribute lists with an anchor: `{#name}`, `{: #name .class }`, `{/* #name */}`.

Written so in Python-Markdown, kramdown, Pandoc and Docusaurus.
"""

_TARGET = re.compile(r"^\((?P<anchor>[^()\s]+)\)=\s*$", re.MULTILINE)
"""The label of the next block, in MyST."""

_NAMED_TAG = re.compile(
    r"<\w[^<>]*?\s(?:id|name)\s*=\s*[\"']?(?P<anchor>[^\"'\s<>]+)", re.IGNORECASE
)
_TEMPLATE = re.compile(r"\{\{|\{%|\$\{|^\{\w+\}|^<%")
"""Placeholders of site generators: a link with one of these is not a path."""

_MARKS = re.compile(r"[*`~]+|!?\[([^\]]*)\]\([^)]*\)")


def read_markdown(source: bytes, builder: DocumentBuilder) -> list[tuple[str, str, int]]:
    """Read a document into `builder`; return its code blocks as (language, text, line)."""
    reader = _Reader(source, builder)
    stack = [_parsers()[0].parse(source).root_node]
    while stack:
        node = stack.pop()
        if reader.read_block(node):
            stack.extend(reversed(node.named_children))
    reader.resolve_links()
    return reader.code


class _Reader:
    """Reads blocks in source order."""

    def __init__(self, source: bytes, builder: DocumentBuilder) -> None:
        self._source = source
        self._builder = builder
        self._defined: dict[str, str] = {}
        self._unresolved: list[tuple[str, int, int]] = []
        self.code: list[tuple[str, str, int]] = []

    def read_block(self, node: ts.Node) -> bool:
        """Read a block; return whether its children are to be read as well."""
        kind, line = node.type, node.start_point[0] + 1
        if kind in _HEADINGS:
            self._heading(node, line)
        elif kind in ("inline", "pipe_table_cell"):
            self._anchor(self._text(node))
            self._builder.add_text(_MARKS.sub(r" \1", self._text(node)))
            self._inline(node, line)
        elif kind == "html_block":
            self._anchor(self._text(node))
        elif kind in ("minus_metadata", "plus_metadata"):
            self._builder.metadata.update(read_frontmatter(self._text(node)))
        elif kind == "fenced_code_block":
            self._fence(node)
        elif kind == "link_reference_definition":
            self._define(node)
        else:
            return True
        return False

    def resolve_links(self) -> None:
        """Add the reference links whose definition was found anywhere in the document."""
        for label, line, section in self._unresolved:
            target = self._defined.get(label)
            if target is not None:
                self._builder.add_pointer(PointerKind.LINK, target, line=line, section=section)

    def _heading(self, node: ts.Node, line: int) -> None:
        level, title = 1, ""
        for child in node.named_children:
            if child.type.startswith("atx_h") and child.type[5].isdigit():
                level = int(child.type[5])
            elif child.type == "setext_h2_underline":
                level = 2
            elif child.type in ("inline", "paragraph"):
                title = self._text(child)
        for found in _ATTRIBUTES.finditer(title):
            self._builder.add_label(found["anchor"])
        self._builder.open_section(_MARKS.sub(r"\1", _HEADING_ID.sub("", title)), level, line=line)
        self._inline(node, line)

    def _anchor(self, text: str) -> None:
        """Add the anchors that a block of text sets."""
        if "(" in text and ")=" in text:
            for found in _TARGET.finditer(text):
                self._builder.add_label(found["anchor"])
        for pattern, sign in ((_ATTRIBUTES, "{"), (_NAMED_TAG, "<")):
            for found in pattern.finditer(text) if sign in text else ():
                self._builder.add_anchor(found["anchor"])

    def _inline(self, node: ts.Node, line: int) -> None:
        text = self._source[node.start_byte : node.end_byte]
        if b"`" not in text and b"[" not in text and b"<" not in text:
            return
        stack = [_parsers()[1].parse(text).root_node]
        while stack:
            found = stack.pop()
            at = line + found.start_point[0]
            inner = text[found.start_byte : found.end_byte].decode("utf-8", "replace")
            if found.type == "code_span":
                self._builder.add_pointer(PointerKind.CODE, inner.strip("`"), line=at)
            elif found.type in ("inline_link", "full_reference_link", "shortcut_link"):
                self._link(found, text, at)
                stack.extend(c for c in found.named_children if c.type == "link_text")
            else:
                stack.extend(reversed(found.named_children))

    def _link(self, node: ts.Node, text: bytes, line: int) -> None:
        parts = {
            child.type: text[child.start_byte : child.end_byte].decode("utf-8", "replace")
            for child in node.named_children
        }
        if "link_destination" in parts:
            target = parts["link_destination"].strip("<>")
            if not _TEMPLATE.search(target):
                self._builder.add_pointer(PointerKind.LINK, target, line=line)
            return
        label = parts.get("link_label", parts.get("link_text", ""))
        self._unresolved.append((label.strip("[]").lower(), line, self._builder.section))

    def _define(self, node: ts.Node) -> None:
        parts = {child.type: self._text(child) for child in node.named_children}
        label = parts.get("link_label", "").strip("[]").lower()
        self._defined.setdefault(label, parts.get("link_destination", "").strip("<>"))

    def _fence(self, node: ts.Node) -> None:
        parts = {child.type: child for child in node.named_children}
        content = parts.get("code_fence_content")
        if content is not None and "info_string" in parts:
            language = re.split(r"[\s{},]+", self._text(parts["info_string"]).strip("{}. "))[0]
            at = content.start_point[0] + 1
            self.code.append((language.lower(), self._text(content), at))

    def _text(self, node: ts.Node) -> str:
        return self._source[node.start_byte : node.end_byte].decode("utf-8", "replace")


@cache
def _parsers() -> tuple[ts.Parser, ts.Parser]:
    """Return the parsers of blocks and of inline content; a worker has one thread."""
    return (
        ts.Parser(ts.Language(tree_sitter_markdown.language())),
        ts.Parser(ts.Language(tree_sitter_markdown.inline_language())),
    )
