"""One line of an ignore file, as a regular expression that matches exactly what git would.

`pathspec` translates what stands between two slashes; the rest is ours, for four reasons. A nested
ignore file has to know that a pattern matches this very path and not a folder above it. `?` counts
bytes, so everything here is bytes read as Latin-1. Bracket expressions are read otherwise by git
(escapes, `[:alpha:]`, `/` in none of them): they are rewritten to a list of characters, which
both read alike. And a stranger's `*a*a*a*a*b` must not cost exponential time: every `*` but the
last is atomic, since the leftmost match of what follows it is always enough.

Source of the semantics: git's `wildmatch.c` and `dir.c`.
"""

import re
import string
from dataclasses import dataclass

_SEGMENT = re.compile(r"\^\(\?:\.\+/\)\?(.*)\(\?:\(\?P<ps_d>/\)\|\$\)", re.DOTALL)
_STAR = "[^/]*"
_FOLDERS = "(?:[^/]++/)*"
_CLASS = re.compile(r"\[:([^\]]*):\]")
_BYTES = frozenset(map(chr, range(1, 256))) - {"/"}
_NEVER = "\0"  # stands in no path: keeps `^`, `!` and `[` from the start of a list of characters
_CLASSES = {
    "alnum": frozenset(string.ascii_letters + string.digits),
    "alpha": frozenset(string.ascii_letters),
    "blank": frozenset(" \t"),
    "cntrl": frozenset(map(chr, [*range(1, 32), 127])),
    "digit": frozenset(string.digits),
    "graph": frozenset(map(chr, range(33, 127))),
    "lower": frozenset(string.ascii_lowercase),
    "print": frozenset(map(chr, range(32, 127))),
    "punct": frozenset(string.punctuation),
    "space": frozenset(string.whitespace),
    "upper": frozenset(string.ascii_uppercase),
    "xdigit": frozenset(string.hexdigits),
}


@dataclass(frozen=True, slots=True)
class Pattern:
    """One line understood.

    `regex` has to match a whole name (or, when `has_path`, the whole path from the ignore file's
    folder), without a slash at the end; `is_negated` takes back, `only_folders` leaves files alone.
    """

    regex: str
    is_negated: bool
    only_folders: bool
    has_path: bool


def parse_pattern(line: str) -> Pattern | None:
    """Understand one line (bytes as Latin-1, no line end); None when it can match nothing."""
    text = _trim_spaces(line)
    if text.startswith("#"):
        return None
    is_negated = text.startswith("!")
    text = text.removeprefix("!")
    only_folders = text.endswith("/")
    text = text.removesuffix("/")
    has_path = "/" in text
    segments = _split(text.removeprefix("/"))
    if segments is None or not all(segments):
        return None
    regex = _path_regex(segments) if has_path else _segment_regex(segments[0])
    return Pattern(regex, is_negated, only_folders, has_path)


def _trim_spaces(line: str) -> str:
    """Cut the spaces at the end, but for an escaped one; tabs are part of a name."""
    kept = line.rstrip(" ")
    backslashes = len(kept) - len(kept.rstrip("\\"))
    return kept + " " if backslashes % 2 and kept != line else kept


def _split(text: str) -> list[str] | None:
    """Split at the slashes that stand outside brackets, into segments that pathspec reads as git.

    None for what git's matcher gives up on: an open bracket, an unknown class, a lone backslash.
    """
    segments, segment, position = [], "", 0
    while position < len(text):
        char = text[position]
        position += 1
        if char == "[":
            chars, position = _bracket(text, position)
            if chars is None:
                return None
            segment += _list_of(chars)
            continue
        if char == "\\":
            if position == len(text):
                return None
            char = text[position]
            position += 1
            segment += _list_of({char}) if char != "/" else ""
        elif char.isspace() or (char in "!#" and not segment):
            segment += _list_of({char})
        elif char != "/":
            segment += char
        if char == "/":
            segments.append(segment)
            segment = ""
    return [*segments, segment]


def _list_of(chars: set[str] | frozenset[str]) -> str:
    """Write a bracket expression that git and pathspec read alike: no ranges, no escapes."""
    middle = "".join(sorted(chars - {"]", "-"}))
    first = "]" if "]" in chars else ""
    last = "-" if "-" in chars else ""
    return f"[{first}{_NEVER}{middle}{last}]"


def _bracket(text: str, position: int) -> tuple[frozenset[str] | None, int]:
    """Read the bracket expression whose `[` stands before `position`, as `wildmatch.c` does.

    Gives the characters it matches and where it ends; None for one that never matches anything.
    """
    is_negated = text[position : position + 1] in ("!", "^")
    position += is_negated
    start = position
    chars: set[str] = set()
    previous = ""
    while position < len(text) and (position == start or text[position] != "]"):
        if (named := _CLASS.match(text, position)) is not None:
            if named[1] not in _CLASSES:
                return None, position
            chars |= _CLASSES[named[1]]
            previous, position = "", named.end()
            continue
        is_range = text[position] == "-" and previous and text[position + 1 :][:1] not in ("", "]")
        position += bool(is_range)
        position += text[position] == "\\"
        char = text[position : position + 1]
        position += 1
        if is_range:
            chars.update(map(chr, range(ord(previous), ord(char or _NEVER) + 1)))
        chars.add(char)
        previous = "" if is_range else char
    if position >= len(text):
        return None, position
    return _BYTES - chars if is_negated else _BYTES & chars, position + 1


def _segment_regex(segment: str) -> str:
    if not segment.strip("*"):
        return "[^/]+"
    # Imported here: it takes 10 ms, and a worker or a tree without ignore files needs none of it.
    from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern

    regex, _ = GitIgnoreSpecPattern.pattern_to_regex(segment)
    translated = _SEGMENT.fullmatch(regex or "")
    if translated is None:
        raise ValueError(f"pathspec wrote {segment!r} in a form that is not known: {regex!r}")
    first, *rest = translated[1].split(_STAR)
    if not rest:
        return first
    middle = "".join(f"(?>{_STAR}?{part})" for part in rest[:-1] if part)
    return f"{first}{middle}{_STAR}{rest[-1]}"


def _path_regex(segments: list[str]) -> str:
    """Join segments; one of two stars or more stands for any number of folders."""
    chunks: list[list[str]] = [[]]
    for segment in segments:
        if len(segment) > 1 and not segment.strip("*"):
            chunks.append([])
        else:
            chunks[-1].append(_segment_regex(segment))
    regex = "/".join(chunks[0])
    if len(chunks) == 1:
        return regex
    regex += "/" if regex else ""
    for chunk in chunks[1:-1]:
        regex += f"(?>{_FOLDERS}?{'/'.join(chunk)}/)" if chunk else ""
    return regex + (_FOLDERS + "/".join(chunks[-1]) if chunks[-1] else ".+")
