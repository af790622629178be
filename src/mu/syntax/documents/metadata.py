"""Document metadata: front matter as YAML between `---` or TOML between `+++`.

The text may be untrusted: it is read as data, of bounded length, into strings by dotted names. YAML
is read as events, so that no nesting is too deep. Aliases, by which a few lines could stand for any
number, are not followed.
"""

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

_LONGEST = 10_000
"""Characters that are read."""

_DEEPEST = 8
_MOST = 200  # names of one document
_NOTHING = frozenset(["", "~", "null", "Null", "NULL"])

_LINE = re.compile(r"""^(?P<key>[A-Za-z_]+)\s*[:=]\s*["']?(?P<value>[^"'\n]*?)["']?\s*$""", re.M)
_FENCE = re.compile(r"\A(?:---|\+\+\+)[ \t]*\n|(?:^|\n)(?:---|\+\+\+|\.\.\.)[ \t]*\n?\Z")


def read_frontmatter(text: str) -> Mapping[str, str]:
    """Return the front matter in `text`, delimiters included, by lower-case dotted names.

    Lists are joined by commas, and the first of duplicate names counts. Text that is neither YAML
    nor TOML is read line by line. Never raises.
    """
    inside = _FENCE.sub("", text)[:_LONGEST]
    read = _toml if text.startswith("+++") else _yaml
    found: dict[str, str] = {}
    for name, value in _read_or_scan(read, inside):
        if name and value and len(found) < _MOST:
            found.setdefault(name.lower(), value.strip())
    return found


Pairs = list[tuple[str, str]]


def _read_or_scan(read: Callable[[str], Pairs], text: str) -> Pairs:
    try:
        pairs = read(text)
    except (ValueError, RecursionError):
        pairs = []
    return pairs or [(line["key"], line["value"]) for line in _LINE.finditer(text)]


def _toml(text: str) -> Pairs:
    return list(_flat("", tomllib.loads(text)))


def _flat(name: str, value: object) -> Iterator[tuple[str, str]]:
    """Yield a TOML value by dotted names; TOML readers bound its nesting."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _flat(f"{name}.{key}" if name else str(key), inner)
    elif isinstance(value, list):
        yield name, ", ".join(str(each) for each in value if not isinstance(each, dict | list))
    else:
        yield name, str(value).lower() if isinstance(value, bool) else str(value)


def _yaml(text: str) -> Pairs:
    """Return the entries of a YAML mapping; raises ValueError for anything else."""
    import yaml  # most documents have no front matter

    loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    pairs: Pairs = []
    levels: list[_Level] = []
    try:
        for event in yaml.parse(text, Loader=loader):
            match event:
                case yaml.MappingStartEvent() | yaml.SequenceStartEvent():
                    is_list = isinstance(event, yaml.SequenceStartEvent)
                    levels.append(_Level(_open_name(levels), is_list))
                case yaml.MappingEndEvent() | yaml.SequenceEndEvent():
                    ended = levels.pop()
                    if ended.is_list:
                        pairs.append((ended.name, ", ".join(ended.items)))
                case yaml.ScalarEvent():
                    is_nothing = not event.style and event.value in _NOTHING
                    _take("" if is_nothing else event.value, levels, pairs)
                case yaml.AliasEvent():
                    _take("", levels, pairs)
    except yaml.YAMLError as error:
        raise ValueError(str(error)) from error
    return [(name, value) for name, value in pairs if name.count(".") < _DEEPEST]


@dataclass(slots=True)
class _Level:
    """An open mapping with its pending key, or an open list with its items."""

    name: str
    is_list: bool
    key: str | None = None
    items: list[str] = field(default_factory=list)


def _open_name(levels: Sequence[_Level]) -> str:
    """Return the dotted name of a mapping or list that begins.

    Raises ValueError if it is used as a key.
    """
    if not levels:
        return ""
    level = levels[-1]
    if level.is_list:
        return level.name
    if level.key is None:
        raise ValueError("a key must be a scalar")
    key, level.key = level.key, None
    return f"{level.name}.{key}" if level.name else key


def _take(text: str, levels: Sequence[_Level], pairs: Pairs) -> None:
    """Add a scalar: a key, its value, or an item of a list."""
    if not levels:
        raise ValueError("not a mapping")
    level = levels[-1]
    if level.is_list:
        level.items += [text] if text else []
    elif level.key is None:
        level.key = text
    else:
        pairs.append((_open_name(levels), text))
