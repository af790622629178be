"""Turn a corpus page into cases: files, and what must be true of the graph of these files.

The page is written by hand, so a mistake in it must never pass for an expectation that holds: any
line that is not understood is a `FormatError` with its place. The format itself is described in
README.md beside the corpora.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from mu.model.kinds import EntryRole

from .cases import Attributes, Case, EdgeLine, Entries, EntryLine, Exactly, NodeLine, SpanLine

VERBS = ("defines", "calls", "imports", "inherits", "uses")
EDGE_KINDS = ("contains", "imports", "calls", "inherits", "overrides", "uses")
EDGE_ATTRIBUTES = ("role", "rule", "line", "sites")
LISTS = ("edges", "no edges", "exactly", "nodes", "no nodes")

_FENCE = re.compile(r"^```\s*(.*)$")
_HEADING = re.compile(r"^(#+)\s+(.*)$")
_GAP = re.compile(r"\s+(?:#|//|--)\s*gap:\s*(.+)$")
_ATTRIBUTES = re.compile(r"\s+\(([^()]*)\)$")
_SPAN = re.compile(r"^\s*(?:#|//|--)\s*(\^+|<-)\s+(.*)$")
_MARKER = re.compile(r"#|//|--")
_NAME = re.compile(r"\.*\w+(?:\.\w+)*")


class FormatError(Exception):
    """A corpus page says something that is not in the format."""


@dataclass(frozen=True, slots=True)
class _Block:
    info: str
    lines: tuple[str, ...]
    line: int  # of the opening fence in the page


def read_corpora(folder: Path) -> list[Case]:
    """Read the cases of all pages below the folder, in order of path.

    A page is `<language>/<feature>.md`, or `<language>/<feature>/<part>.md`.
    """
    pages = sorted([*folder.glob("*/*.md"), *folder.glob("*/*/*.md")])
    return [case for page in pages for case in read_page(page, folder)]


def read_page(page: Path, folder: Path) -> list[Case]:
    """Read the cases of a page of `folder`; raises FormatError for what is not in the format."""
    place = page.relative_to(folder)
    language, feature = place.with_suffix("").parts[:2]
    text = page.read_text(encoding="utf-8")
    return parse_page(text, language=language, feature=feature, label=place.as_posix())


def parse_page(text: str, *, language: str, feature: str, label: str = "") -> list[Case]:
    """Parse the text of a page; every heading that has blocks under it is a case."""
    cases: list[Case] = []
    label = label or f"{language}/{feature}.md"
    for heading, line, blocks in _sections(text, label):
        case = Case(language, feature, heading, f"{label}:{line}")
        for block in blocks:
            _add_block(case, block, label)
        if not case.files or not case.is_judged:
            raise FormatError(f"{case.place}: case {heading!r} has no file or expects nothing")
        if any(case.name == other.name for other in cases):
            raise FormatError(f"{case.place}: two cases are named {heading!r}")
        cases.append(case)
    return cases


def _sections(text: str, label: str) -> Iterator[tuple[str, int, list[_Block]]]:
    heading, heading_line, blocks = "", 0, list[_Block]()
    opened: tuple[str, int] | None = None
    body: list[str] = []
    for number, line in enumerate(text.splitlines(), start=1):
        if opened:
            if line.rstrip() == "```":
                blocks.append(_Block(opened[0], tuple(body), opened[1]))
                opened = None
            else:
                body.append(line)
        elif fence := _FENCE.match(line):
            opened, body = (fence[1].strip(), number), []
        elif title := _HEADING.match(line):
            if blocks:
                yield heading, heading_line, blocks
            heading, heading_line, blocks = title[2].strip(), number, []
    if opened:
        raise FormatError(f"{label}:{opened[1]}: this block is not closed")
    if blocks:
        yield heading, heading_line, blocks


def _add_block(case: Case, block: _Block, label: str) -> None:
    place = f"{label}:{block.line}"
    words = block.info.split()
    if block.info == "options":
        case.roots = _roots(block, place)
    elif words[:2] == ["exactly", "entries"]:
        case.entries.append(_entries(block, words[2:], label))
    elif words[:1] == ["exactly"]:
        case.exactly.append(_exactly(block, words[1:], label))
    elif block.info in LISTS:
        _add_list(case, block, label)
    elif len(words) == 2:
        _add_file(case, block, words[1], label)
    else:
        raise FormatError(f"{place}: expected 'LANGUAGE PATH', 'options' or one of {LISTS}")


def _roots(block: _Block, place: str) -> tuple[str, ...]:
    if len(block.lines) != 1 or not block.lines[0].startswith("roots: "):
        raise FormatError(f"{place}: the one option is 'roots: FOLDER, FOLDER'")
    return tuple(root.strip() for root in block.lines[0].removeprefix("roots: ").split(","))


def _add_list(case: Case, block: _Block, label: str) -> None:
    for line, place in _content(block, label):
        if block.info == "edges":
            case.edges.append(parse_edge(line, place))
        elif block.info == "no edges":
            case.absent_edges.append(parse_edge(line, place))
        elif block.info == "nodes":
            case.nodes.append(parse_node(line, place))
        else:
            case.absent_nodes.append(parse_node(line, place))


def _exactly(block: _Block, words: list[str], label: str) -> Exactly:
    place = f"{label}:{block.line}"
    kinds = tuple(word for word in words if word in EDGE_KINDS or word == "nodes")
    paths = tuple(word for word in words if word not in kinds)
    if not kinds or ("nodes" in kinds and len(kinds) > 1) or any("." not in p for p in paths):
        raise FormatError(f"{place}: expected 'exactly KIND... [PATH...]' or 'exactly nodes'")
    content = list(_content(block, label))
    if kinds == ("nodes",):
        nodes = tuple(parse_node(line, at) for line, at in content)
        return Exactly(kinds, paths, (), nodes, place)
    edges = tuple(parse_edge(line, at) for line, at in content)
    for edge in edges:
        if edge.kind not in kinds:
            raise FormatError(f"{edge.place}: {edge.kind} is not among the kinds of this block")
    return Exactly(kinds, paths, edges, (), place)


def _entries(block: _Block, roles: list[str], label: str) -> Entries:
    place = f"{label}:{block.line}"
    known = [str(role) for role in EntryRole]
    if not roles or set(roles) - set(known):
        raise FormatError(f"{place}: expected 'exactly entries ROLE...', of {known}")
    lines = []
    for line, at in _content(block, label):
        text, gap = _split_gap(line)
        if len(text.split()) < 2 or text.split()[0] not in roles:
            raise FormatError(f"{at}: expected 'ROLE ID [METHODS] [LABEL]', with a role of {roles}")
        lines.append(EntryLine(" ".join(text.split()), gap, at))
    return Entries(tuple(roles), tuple(lines), place)


def _content(block: _Block, label: str) -> Iterator[tuple[str, str]]:
    for offset, line in enumerate(block.lines, start=1):
        if line.strip():
            yield line.strip(), f"{label}:{block.line + offset}"


def _add_file(case: Case, block: _Block, path: str, label: str) -> None:
    place = f"{label}:{block.line}"
    if path in case.files or path.startswith("/") or ".." in path.split("/"):
        raise FormatError(f"{place}: {path} is given twice, or is not inside the case")
    case.files[path] = "".join(f"{line}\n" for line in block.lines)
    code, code_line = "", 0
    for number, line in enumerate(block.lines, start=1):
        if match := _SPAN.match(line):
            at = f"{label}:{block.line + number}"
            text = _spanned(line, match, code, at)
            case.spans.append(_span(path, code_line, text, match[2], at))
        else:
            code, code_line = line, number


def _spanned(line: str, match: re.Match[str], code: str, place: str) -> str:
    """The name that the carets of a line stand under; carets under half a name are a mistake."""
    start, end = match.span(1)
    if match[1] == "<-" and (marker := _MARKER.search(line)):
        start = marker.start()
        word = _NAME.match(code, start)
        end = start + (len(word[0].partition(".")[0]) if word else 0)
    glued = code[max(start - 1, 0) : start] + code[end : end + 1]
    if not _NAME.fullmatch(code, start, end) or _NAME.search(glued.replace(".", "")):
        raise FormatError(f"{place}: the carets do not stand under a name of {code!r}")
    return code[start:end]


def _span(path: str, line: int, text: str, words: str, place: str) -> SpanLine:
    words, gap = _split_gap(words)
    words, attributes = _split_attributes(words)
    verb, _, rest = words.partition(" ")
    targets = tuple(target.strip() for target in rest.split(",") if target.strip())
    if verb not in VERBS or not targets:
        raise FormatError(f"{place}: expected one of {VERBS} and a target or 'nothing'")
    if targets == ("nothing",):
        targets = ()
    elif any(":" not in target for target in targets):
        raise FormatError(f"{place}: a target is an id, or an id without its kind")
    return SpanLine(path, line, text, verb, targets, attributes, gap, place)


def parse_edge(line: str, place: str) -> EdgeLine:
    """Parse `KIND SOURCE -> TARGET (key: value; ...)  # gap: reason`; what follows is optional."""
    line, gap = _split_gap(line)
    line, attributes = _split_attributes(line)
    kind, _, ends = line.partition(" ")
    source, arrow, target = ends.partition(" -> ")
    if kind not in EDGE_KINDS or not arrow or " " in source or " " in target.strip():
        raise FormatError(f"{place}: expected 'KIND SOURCE -> TARGET', got {line!r}")
    if attributes.words or any(key not in EDGE_ATTRIBUTES for key, _ in attributes.pairs):
        raise FormatError(f"{place}: an edge has the attributes {EDGE_ATTRIBUTES}")
    return EdgeLine(kind, source, target.strip(), attributes, gap, place)


def parse_node(line: str, place: str) -> NodeLine:
    """Parse `ID (key: value; ...)  # gap: reason`; all but the id is optional."""
    line, gap = _split_gap(line)
    line, attributes = _split_attributes(line)
    if ":" not in line or " " in line or attributes.words:
        raise FormatError(f"{place}: expected 'ID (key: value; ...)', got {line!r}")
    return NodeLine(line, attributes, gap, place)


def _split_gap(line: str) -> tuple[str, str]:
    match = _GAP.search(line)
    return (line[: match.start()], match[1].strip()) if match else (line, "")


def _split_attributes(line: str) -> tuple[str, Attributes]:
    line = line.strip()
    match = _ATTRIBUTES.search(line)
    if not match:
        return line, Attributes()
    words: list[str] = []
    pairs: list[tuple[str, str]] = []
    for part in match[1].split(";"):
        key, colon, value = part.partition(":")
        if colon:
            pairs.append((key.strip(), value.strip()))
        else:
            words.append(key.strip())
    return line[: match.start()].strip(), Attributes(tuple(words), tuple(pairs))
