"""reStructuredText, AsciiDoc and plain text, line by line: headings, links, and names of code.

Not whole grammars: what structures a page, points elsewhere or names code is marked in a line of
its own or by signs around it, and that is all that is read. reStructuredText gives its headings
levels in the order in which their underlines first occur (Docutils, "Sections").
"""

import re
from textwrap import dedent

from mu.model.documents import PointerKind
from mu.syntax.documents.drafting import Draft

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

Code = list[tuple[str, str, int]]


def read_restructured(text: str, draft: Draft) -> Code:
    """Read reStructuredText, or plain text with underlined headings; gives its blocks of code."""
    lines, code = text.split("\n"), _Blocks()
    levels: dict[str, int] = {}
    for number, line in enumerate(lines, 1):
        if code.takes(line):
            continue
        below = lines[number] if number < len(lines) else ""
        above = lines[number - 2] if number > 1 else ""
        if _is_title(line, below, above):
            mark = below[0] + ("over" if _is_underline(above, line) else "")
            level = levels.setdefault(mark, len(levels) + 1)
            draft.open(_unmarked(line).strip(), level, line=number)
        elif _is_rule(line):
            continue
        else:
            if ".. " in line:
                _directive(line, number, draft, code)
            draft.say(_unmarked(line))
        if "`" in line:
            _point(line, number, draft)
    return code.end()


def read_asciidoc(text: str, draft: Draft) -> Code:
    """Read AsciiDoc; gives no blocks of code."""
    for number, line in enumerate(text.split("\n"), 1):
        heading = _ASCIIDOC.match(line)
        if heading:
            draft.open(heading[2], len(heading[1]), line=number)
            continue
        if line.startswith("[[") and line.rstrip().endswith("]]"):
            draft.label(line.strip().strip("[]"))
            continue
        draft.say(line)
        for found in _ADOC_LINK.finditer(line):
            if found["anchor"]:
                draft.point(PointerKind.LABEL, found["anchor"], line=number)
            else:
                draft.point(PointerKind.LINK, found["target"], line=number)
        for found in _ADOC_CODE.finditer(line):
            draft.point(PointerKind.CODE, found["text"], line=number)
    return []


class _Blocks:
    """The indented blocks of code of a page."""

    def __init__(self) -> None:
        self._found: Code = []
        self._language = ""
        self._lines: list[str] = []
        self._start = 0

    def open(self, language: str, line: int) -> None:
        """Begin a block whose text is indented on the lines after `line`."""
        self._language, self._lines, self._start = language, [], line + 1

    def takes(self, line: str) -> bool:
        """Take a line into the block that is open, if it belongs there."""
        if not self._start:
            return False
        if not line.strip() or line[0] in " \t":
            if not line.strip().startswith(":"):
                self._lines.append(line)
            return True
        self._close()
        return False

    def end(self) -> Code:
        """Give all blocks, the last one as far as it goes."""
        if self._start:
            self._close()
        return self._found

    def _close(self) -> None:
        self._found.append((self._language, dedent("\n".join(self._lines)), self._start))
        self._start = 0


def _is_title(line: str, below: str, above: str) -> bool:
    """Tell a title, which may be indented between two rules (Docutils, "Sections")."""
    if not _is_underline(below, line):
        return False
    is_indented = line[:1] in (" ", "\t") and above.rstrip() != below.rstrip()
    return bool(line.strip()) and not _is_rule(line) and line[0] != "." and not is_indented


def _is_underline(line: str, title: str) -> bool:
    return _is_rule(line) and len(line.rstrip()) >= min(len(title.rstrip()), 200)


def _is_rule(line: str) -> bool:
    """Tell whether a line is one sign over and over; nearly all begin with two that differ."""
    return line[:1] == line[1:2] and _UNDERLINE.fullmatch(line) is not None


def _unmarked(line: str) -> str:
    """A line without the signs around what stands in a role."""
    return _ROLE.sub(lambda found: found["text"], line) if "`" in line else line


def _directive(line: str, number: int, draft: Draft, code: _Blocks) -> None:
    label = _LABEL.match(line)
    if label and not label["target"]:
        draft.label(label["label"].strip("`"))
        return
    found = _DIRECTIVE.match(line)
    if not found:
        return
    name, value = found["name"], found["value"].strip()
    if name in _CODE:
        code.open(value.lower(), number)
    elif name in _NAMED and value:
        dotted = re.split(r"[\s(]", value, maxsplit=1)[0]
        draft.point(PointerKind.NAME, dotted, line=number)
        if name in _SCOPES:
            draft.scope = dotted


def _point(line: str, number: int, draft: Draft) -> None:
    for found in _ROLE.finditer(line):
        role, text = found["role"].rpartition(":")[2], found["text"]
        titled = _TITLED.match(text)
        target = (titled["target"] if titled else text).lstrip("~!")
        if role == "doc":
            draft.point(PointerKind.PAGE, target, line=number)
        elif role == "ref":
            draft.point(PointerKind.LABEL, target, line=number)
        elif role in _NAMING:
            draft.point(PointerKind.NAME, target.removesuffix("()").lstrip("."), line=number)
    for found in _LITERAL.finditer(line):
        draft.point(PointerKind.CODE, found["text"], line=number)
    for found in _LINK.finditer(line):
        draft.point(PointerKind.LINK, found["target"], line=number)
