"""The forms in which a codebase is written: MU text, Markdown, JSON and XML.

A document is a head, the outlines of files, their excerpts, and a last line that tells how to read
on. Each part is written by itself, so that it can be counted before it is taken; a document is as
long as its parts and the empty document, or shorter.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from xml.sax.saxutils import escape, quoteattr


class Form(StrEnum):
    """The forms of a codebase."""

    MU = "mu"
    MARKDOWN = "markdown"
    JSON = "json"
    XML = "xml"


@dataclass(frozen=True, slots=True)
class Head:
    """What is told of a whole part: names with their values, and lists under their names."""

    facts: tuple[tuple[str, str], ...]
    lists: tuple[tuple[str, tuple[str, ...]], ...] = ()


@dataclass(frozen=True, slots=True)
class FileOutline:
    """A file and the lines that tell of its definitions, and no more than the names of `others`.

    `left_out` counts the ones that are not even named.
    """

    path: str
    language: str
    lines: int
    sentence: str
    definitions: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    left_out: int = 0


@dataclass(frozen=True, slots=True)
class Block:
    """Lines of a file, from `line` to `end_line`; `left_out` counts the ones cut off below."""

    line: int
    end_line: int
    lines: tuple[str, ...]
    left_out: int = 0


@dataclass(frozen=True, slots=True)
class Excerpt:
    """What is shown of a file's text, in the order of its lines."""

    path: str
    language: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Writer:
    """Writes the parts of one form, and the document of parts that it has written."""

    head: Callable[[Head], str]
    outline: Callable[[FileOutline], str]
    excerpt: Callable[[Excerpt], str]
    document: Callable[[str, Sequence[str], Sequence[str], str], str]


def _joined(head: str, outlines: Sequence[str], excerpts: Sequence[str], rest: str) -> str:
    return "".join([head, "\n", *outlines, "\n", *excerpts, rest, "\n" if rest else ""])


def _mu_head(head: Head) -> str:
    facts = " ".join(f"{name}={value}" for name, value in head.facts)
    lists = [f"@ {name}:\n{_indented(items)}" for name, items in head.lists]
    return "\n".join([f"@ {facts}", *lists, ""])


def _mu_outline(file: FileOutline) -> str:
    said = f" :: {file.sentence}" if file.sentence else ""
    lines = [f"! {file.path}  1-{file.lines}{said}", *(f"  {line}" for line in _told(file))]
    return "\n".join([*lines, ""])


def _mu_excerpt(file: Excerpt) -> str:
    texts = []
    for block in file.blocks:
        lines = [*block.lines, *_more(block.left_out, "... {} more lines")]
        texts.append("\n".join([f"= {file.path}:{block.line}-{block.end_line}", *lines, "", ""]))
    return "".join(texts)


def _markdown_head(head: Head) -> str:
    facts = "\n".join(f"- {name}: {value}" for name, value in head.facts)
    lists = [f"\n### {name}\n\n{_bulleted(items)}" for name, items in head.lists]
    return "\n".join(["# Codebase", "", facts, *lists, ""])


def _markdown_outline(file: FileOutline) -> str:
    said = [file.sentence] if file.sentence else []
    lines = _told(file)
    fence = _fence(lines)
    shown = [fence, *lines, fence] if lines else []
    return "\n".join([f"### `{file.path}` ({file.lines} lines)", *said, *shown, "", ""])


def _markdown_excerpt(file: Excerpt) -> str:
    texts = []
    for block in file.blocks:
        lines = [*block.lines, *_more(block.left_out, "... {} more lines")]
        fence = _fence(lines)
        place = f"### `{file.path}:{block.line}-{block.end_line}`"
        texts.append("\n".join([place, f"{fence}{file.language}", *lines, fence, "", ""]))
    return "".join(texts)


def _markdown(head: str, outlines: Sequence[str], excerpts: Sequence[str], rest: str) -> str:
    parts = [head, "\n## Signatures\n\n", *outlines, "## Sources\n\n", *excerpts]
    return "".join([*parts, rest, "\n" if rest else ""])


def _json_head(head: Head) -> str:
    lists = {name: list(items) for name, items in head.lists}
    return _encoded({"summary": dict(head.facts), "overview": lists})[1:-1]


def _json_outline(file: FileOutline) -> str:
    told = {
        "path": file.path,
        "language": file.language,
        "lines": file.lines,
        "description": file.sentence,
        "definitions": list(file.definitions),
        "others": list(file.others),
        "left_out": file.left_out,
    }
    return f"{_encoded(told)},\n"


def _json_excerpt(file: Excerpt) -> str:
    blocks = [
        {
            "line": block.line,
            "end_line": block.end_line,
            "text": "\n".join(block.lines),
            "left_out": block.left_out,
        }
        for block in file.blocks
    ]
    return f"{_encoded({'path': file.path, 'language': file.language, 'blocks': blocks})},\n"


def _json(head: str, outlines: Sequence[str], excerpts: Sequence[str], rest: str) -> str:
    signatures, sources = ("".join(parts).removesuffix(",\n") for parts in (outlines, excerpts))
    return (
        f'{{{head},\n"signatures": [\n{signatures}\n],\n"sources": [\n{sources}\n],\n'
        f'"more": {_encoded(rest)}}}\n'
    )


def _xml_head(head: Head) -> str:
    facts = "".join(f"<{name}>{_escaped(value)}</{name}>\n" for name, value in head.facts)
    lists = "".join(
        f"<list name={quoteattr(name)}>\n{_escaped(_indented(items))}\n</list>\n"
        for name, items in head.lists
    )
    return f"<summary>\n{facts}</summary>\n<overview>\n{lists}</overview>\n"


def _xml_outline(file: FileOutline) -> str:
    said = f" description={quoteattr(file.sentence)}" if file.sentence else ""
    text = _escaped("\n".join([*_told(file), ""]))
    return f'<file path={quoteattr(file.path)} lines="{file.lines}"{said}>\n{text}</file>\n'


def _xml_excerpt(file: Excerpt) -> str:
    texts = []
    for block in file.blocks:
        lines = [*block.lines, *_more(block.left_out, "... {} more lines")]
        place = f'path={quoteattr(file.path)} lines="{block.line}-{block.end_line}"'
        texts.append("\n".join([f"<source {place}>", _escaped("\n".join(lines)), "</source>", ""]))
    return "".join(texts)


def _xml(head: str, outlines: Sequence[str], excerpts: Sequence[str], rest: str) -> str:
    more = f"<more>{_escaped(rest)}</more>\n" if rest else ""
    signatures, sources = "".join(outlines), "".join(excerpts)
    return (
        f"<codebase>\n{head}<signatures>\n{signatures}</signatures>\n"
        f"<sources>\n{sources}</sources>\n{more}</codebase>\n"
    )


WRITERS: Mapping[Form, Writer] = MappingProxyType(
    {
        Form.MU: Writer(_mu_head, _mu_outline, _mu_excerpt, _joined),
        Form.MARKDOWN: Writer(_markdown_head, _markdown_outline, _markdown_excerpt, _markdown),
        Form.JSON: Writer(_json_head, _json_outline, _json_excerpt, _json),
        Form.XML: Writer(_xml_head, _xml_outline, _xml_excerpt, _xml),
    }
)
"""What writes each form."""


def _told(file: FileOutline) -> list[str]:
    """Give the lines that tell of definitions, and one for those that are only named or counted."""
    others = [f"... also {', '.join(file.others)}"] if file.others else []
    return [*file.definitions, *others, *_more(file.left_out, "... {} more definitions")]


def _more(count: int, text: str) -> list[str]:
    return [text.format(count)] if count else []


def _indented(items: Sequence[str]) -> str:
    return "\n".join(f"  {item}" for item in items)


def _bulleted(items: Sequence[str]) -> str:
    return "\n".join(f"- {item}" for item in items)


def _fence(lines: Sequence[str]) -> str:
    """Give a fence that no line of the text can close."""
    ticks = (len(line) - len(line.lstrip("`")) for line in map(str.lstrip, lines))
    return "`" * max(3, 1 + max(ticks, default=0))


def _escaped(text: str) -> str:
    """Escape a text for XML, which has no place for two characters."""
    return escape(text.replace("\ufffe", "").replace("\uffff", ""))


def _encoded(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
