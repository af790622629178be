"""reStructuredText, AsciiDoc and plain text, read line by line: headings, links and code names.

These are not full parsers: headings, links and code names are recognised within a single line, and
nothing else is read. In reStructuredText, heading levels follow the order in which underline styles
first occur (Docutils, "Sections").
"""

import re
from textwrap import dedent

from mu.model.documents import PointerKind
from mu.syntax.documents.document_builder import DocumentBuilder

_UNDERLINE = re.compile(r"([=\-~^\"'`#*+.:_<>!$%&,/;?@\\|])\1+\s*$")
_ASCIIDOC = re.compile(r"(={1,6})\s+(\S.*)$")
_DIRECTIVE = re.compile(r"\s*\.\. (?:(?P<domain>[\w-]+):)?(?P<name>[\w-]+)::\s*(?P<value>.*)$")
_LABEL = re.compile(r"\s*\.\. _(?P<label>[^:]+):\s*(?P<target>.*)$")
_ROLE = re.compile(r":(?P<role>[\w:.+-]+):`(?P<text>[^`]+)`")
_TITLED = re.compile(r"(?P<title>.*?)\s*<(?P<target>[^<>]+)>\s*$", re.S)
_LITERAL = re.compile(r"``(?P<text>[^`]+)``")
_LINK = re.compile(r"`[^`<]*<(?P<target>[^`>]+)>`_{1,2}")
_ADOC_LINK = re.compile(r"(?:link|xref):(?P<target>[^\[\s]+)\[|<<(?P<anchor>[^,>]++)[^>]*+>>")
_ADOC_CODE = re.compile(r"(?<!`)`(?P<text>[^`\n]+)`(?!`)")
_CODE = ("code-block", "code", "sourcecode")
_SCOPES = ("module", "currentmodule", "py-module")
_NAMED = frozenset({
    "class", "function", "method", "attribute", "exception", "data", "classmethod", "staticmethod",
    "property", "decorator", "autoclass", "autofunction", "automodule", "autoexception",
    "autodata", "automethod", "autoattribute", "module", "currentmodule",
})  # fmt: skip
_NAMING = frozenset({"func", "class", "meth", "mod", "attr", "exc", "data", "obj", "const"})

CodeBlocks = list[tuple[str, str, int]]


def read_restructured(text: str, builder: DocumentBuilder) -> CodeBlocks:
    """Read reStructuredText, or plain text with underlined headings; return its code blocks."""
    lines, code = text.split("\n"), _CodeBlocks()
    levels: dict[str, int] = {}
    for number, line in enumerate(lines, 1):
        if code.add_line(line):
            continue
        below = lines[number] if number < len(lines) else ""
        above = lines[number - 2] if number > 1 else ""
        if _is_title(line, below, above):
            mark = below[0] + ("over" if _is_underline(above, line) else "")
            level = levels.setdefault(mark, len(levels) + 1)
            builder.open_section(_unmarked(line).strip(), level, line=number)
        elif _is_rule(line):
            continue
        else:
            if ".. " in line:
                _directive(line, number, builder, code)
            builder.add_text(_unmarked(line))
        if "`" in line:
            _add_pointers(line, number, builder)
    return code.finish()


def read_asciidoc(text: str, builder: DocumentBuilder) -> CodeBlocks:
    """Read AsciiDoc; return no code blocks."""
    for number, line in enumerate(text.split("\n"), 1):
        heading = _ASCIIDOC.match(line)
        if heading:
            builder.open_section(heading[2], len(heading[1]), line=number)
            continue
        if line.startswith("[[") and line.rstrip().endswith("]]"):
            builder.add_label(line.strip().strip("[]"))
            continue
        builder.add_text(line)
        for found in _ADOC_LINK.finditer(line):
            if found["anchor"]:
                builder.add_pointer(PointerKind.LABEL, found["anchor"], line=number)
            else:
                builder.add_pointer(PointerKind.LINK, found["target"], line=number)
        for found in _ADOC_CODE.finditer(line):
            builder.add_pointer(PointerKind.CODE, found["text"], line=number)
    return []


class _CodeBlocks:
    """The indented code blocks of a document."""

    def __init__(self) -> None:
        self._found: CodeBlocks = []
        self._language = ""
        self._lines: list[str] = []
        self._start = 0

    def open(self, language: str, line: int) -> None:
        """Open a block whose text is indented on the lines after `line`."""
        self._language, self._lines, self._start = language, [], line + 1

    def add_line(self, line: str) -> bool:
        """Add a line to the open block if it belongs there; return whether it did."""
        if not self._start:
            return False
        if not line.strip() or line[0] in " \t":
            if not line.strip().startswith(":"):
                self._lines.append(line)
            return True
        self._close()
        return False

    def finish(self) -> CodeBlocks:
        """Return all blocks, closing one that is open."""
        if self._start:
            self._close()
        return self._found

    def _close(self) -> None:
        self._found.append((self._language, dedent("\n".join(self._lines)), self._start))
        self._start = 0


def _is_title(line: str, below: str, above: str) -> bool:
    """Tell whether a line is a title, maybe indented between rules (Docutils, "Sections")."""
    if not _is_underline(below, line):
        return False
    is_indented = line[:1] in (" ", "\t") and above.rstrip() != below.rstrip()
    return bool(line.strip()) and not _is_rule(line) and line[0] != "." and not is_indented


def _is_underline(line: str, title: str) -> bool:
    return _is_rule(line) and len(line.rstrip()) >= min(len(title.rstrip()), 200)


def _is_rule(line: str) -> bool:
    """Tell whether a line repeats one character; most lines fail on their first two."""
    return line[:1] == line[1:2] and _UNDERLINE.fullmatch(line) is not None


def _unmarked(line: str) -> str:
    """Return a line without the markup of roles."""
    return _ROLE.sub(lambda found: found["text"], line) if "`" in line else line


def _directive(line: str, number: int, builder: DocumentBuilder, code: _CodeBlocks) -> None:
    label = _LABEL.match(line)
    if label and not label["target"]:
        builder.add_label(label["label"].strip("`"))
        return
    found = _DIRECTIVE.match(line)
    if not found:
        return
    name, value = found["name"], found["value"].strip()
    if name in _CODE:
        code.open(value.lower(), number)
    elif name in _NAMED and value:
        dotted = re.split(r"[\s(]", value, maxsplit=1)[0]
        builder.add_pointer(PointerKind.NAME, dotted, line=number)
        if name in _SCOPES:
            builder.scope = dotted


def _add_pointers(line: str, number: int, builder: DocumentBuilder) -> None:
    for found in _ROLE.finditer(line):
        role, text = found["role"].rpartition(":")[2], found["text"]
        titled = _TITLED.match(text)
        target = (titled["target"] if titled else text).lstrip("~!")
        if role == "doc":
            builder.add_pointer(PointerKind.PAGE, target, line=number)
        elif role == "ref":
            builder.add_pointer(PointerKind.LABEL, target, line=number)
        elif role in _NAMING:
            builder.add_pointer(
                PointerKind.NAME, target.removesuffix("()").lstrip("."), line=number
            )
    for found in _LITERAL.finditer(line):
        builder.add_pointer(PointerKind.CODE, found["text"], line=number)
    for found in _LINK.finditer(line):
        builder.add_pointer(PointerKind.LINK, found["target"], line=number)
