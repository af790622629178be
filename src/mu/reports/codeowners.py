"""Reads CODEOWNERS and says who owns a path, as GitHub or GitLab would.

Sources: docs.github.com, "About code owners"; docs.gitlab.com, "Code Owners syntax and error
handling". In both the last pattern that matches decides, and a pattern is written much like a line
of a `.gitignore`. They differ:

- GitHub: a pattern with a slash inside begins at the root; a name alone means a folder, too, with
  all below it; `dir/*` does not reach into folders below `dir`. `!` and `[ ]` are not supported,
  and such lines are passed over. Text after ` #` is a comment.
- GitLab: a pattern that does not begin with a slash matches at any depth; only one that ends with
  a slash means a folder. `[Section] @default` begins a section. Each section decides for itself,
  the owners of all are the owners of the path, and `!pattern` takes a path out of its section.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum

MOST_RULES = 20_000
"""Patterns that are read; GitHub takes files of at most 3 MB."""

_SECTION = re.compile(r"\^?\[(?P<name>[^\]]+)\](?:\[\d+\])?(?P<owners>.*)")
_FOLDERS = "(?:[^/]+/)*?"
_WORD = re.compile(r"(?:\\.|[^\s\\])+")


class Dialect(StrEnum):
    """Whose rules a file follows."""

    GITHUB = "github"
    GITLAB = "gitlab"


PLACES = (
    (".github/CODEOWNERS", Dialect.GITHUB),
    ("CODEOWNERS", None),
    ("docs/CODEOWNERS", None),
    (".gitlab/CODEOWNERS", Dialect.GITLAB),
)
"""Where the file is looked for, in this order, and what the place says of its dialect."""


@dataclass(frozen=True, slots=True)
class _Rule:
    pattern: re.Pattern[str]
    owners: tuple[str, ...]
    is_exclusion: bool = False


@dataclass(slots=True)
class Owners:
    """The rules of a file by section, and the numbers of lines that were passed over."""

    sections: dict[str, list[_Rule]] = field(default_factory=dict)
    skipped: tuple[int, ...] = ()

    def of(self, path: str) -> tuple[str, ...]:
        """Give the owners of a path from the root, each once; empty when it has none."""
        found: dict[str, None] = {}
        for rules in self.sections.values():
            if any(rule.is_exclusion and rule.pattern.fullmatch(path) for rule in rules):
                continue
            for rule in reversed(rules):
                if rule.pattern.fullmatch(path):
                    found.update(dict.fromkeys(rule.owners))
                    break
        return tuple(found)


def dialect_of(path: str, text: str, *, has_gitlab: bool) -> Dialect:
    """Say whose rules the file at `path` follows: its place, its sections, else GitHub's.

    `has_gitlab` says that the repository is set up for GitLab (`.gitlab-ci.yml`).
    """
    for place, dialect in PLACES:
        if dialect is not None and f"/{path}".endswith(f"/{place}"):
            return dialect
    has_sections = any(_SECTION.match(line.strip()) for line in text.splitlines())
    return Dialect.GITLAB if has_sections or has_gitlab else Dialect.GITHUB


def read_owners(text: str, dialect: Dialect) -> Owners:
    """Read the text of a CODEOWNERS file; lines that have no meaning are passed over."""
    owners = Owners()
    skipped: list[int] = []
    section, default = "", tuple[str, ...]()
    for number, line in enumerate(text.splitlines()[:MOST_RULES], start=1):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        heading = _SECTION.fullmatch(line) if dialect is Dialect.GITLAB else None
        if heading:
            section = heading["name"].strip().lower()
            default = tuple(_owners(heading["owners"].split()))
            continue
        rule = _rule(line, dialect, default)
        if rule is None:
            skipped.append(number)
        else:
            owners.sections.setdefault(section, []).append(rule)
    owners.skipped = tuple(skipped)
    return owners


def _rule(line: str, dialect: Dialect, default: tuple[str, ...]) -> _Rule | None:
    is_gitlab = dialect is Dialect.GITLAB
    is_exclusion = is_gitlab and line.startswith("!")
    words = _WORD.findall(line.removeprefix("!") if is_exclusion else line)
    if not words or (not is_gitlab and (words[0].startswith("!") or "[" in words[0])):
        return None
    pattern = _pattern(words[0], is_gitlab=is_gitlab)
    if pattern is None:
        return None
    names = words[1:]
    if not is_gitlab:
        names = names[: next((n for n, word in enumerate(names) if word.startswith("#")), None)]
    return _Rule(pattern, tuple(_owners(names)) or default, is_exclusion)


def _owners(words: list[str]) -> Iterator[str]:
    """Keep users, teams, roles and addresses."""
    return (word for word in words if "@" in word)


def _pattern(text: str, *, is_gitlab: bool) -> re.Pattern[str] | None:
    """Write a pattern as a regular expression of whole paths; None for one without a meaning."""
    if "***" in text or text == "/":
        return None
    segments = text.split("/")
    is_anchored = segments[0] == ""
    if is_anchored:
        segments = segments[1:]
    elif segments[0] != "**" and (is_gitlab or len([s for s in segments if s]) == 1):
        segments = ["**", *segments]
    if segments[-1] == "":
        segments[-1] = "**"
    is_folder = not is_gitlab and segments[-1] not in ("*", "**")
    return re.compile(_joined(segments) + ("(?:/.*)?" if is_folder else ""), re.DOTALL)


def _joined(segments: list[str]) -> str:
    """Join segments; `**` is any number of folders, or at the end anything below. All but the last
    are atomic, since the leftmost match of what follows is always enough."""
    chunks: list[list[str]] = [[]]
    for segment in segments:
        if segment == "**":
            chunks.append([])
        else:
            chunks[-1].append("[^/]+" if segment == "*" else _segment(segment))
    first, *rest = ("/".join(chunk) for chunk in chunks)
    if not rest:
        return first
    regex = f"{first}/" if first else ""
    regex += "".join(f"(?>{_FOLDERS}{chunk}/)" for chunk in rest[:-1] if chunk)
    return regex + (f"{_FOLDERS}{rest[-1]}" if rest[-1] else ".+")


def _segment(text: str) -> str:
    """Write one segment, in which `*` and `?` stop at slashes; all stars but the last are atomic,
    so that a pattern of many takes no exponential time."""
    parts: list[str] = [""]
    position = 0
    while position < len(text):
        char = text[position]
        if char == "\\" and position + 1 < len(text):
            position += 1
            parts[-1] += re.escape(text[position])
        elif char == "*":
            parts.append("")
        else:
            parts[-1] += "[^/]" if char == "?" else re.escape(char)
        position += 1
    first, *rest = parts
    if not rest:
        return first
    middle = "".join(f"(?>[^/]*?{part})" for part in rest[:-1] if part)
    return f"{first}{middle}[^/]*{rest[-1]}"
