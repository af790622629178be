"""What a page says of itself before its text: YAML between `---`, TOML between `+++`.

The text may be a stranger's: it is read as data, of bounded length, and what it says becomes texts
by dotted names. YAML is read event by event, so that no nesting is too deep; an alias would let a
few lines stand for any number, and is not followed.
"""

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

_LONGEST = 10_000
"""Characters that are looked at."""

_DEEPEST = 8
_MOST = 200  # names of one page
_NOTHING = frozenset(["", "~", "null", "Null", "NULL"])

_LINE = re.compile(r"""^(?P<key>[A-Za-z_]+)\s*[:=]\s*["']?(?P<value>[^"'\n]*?)["']?\s*$""", re.M)
_FENCE = re.compile(r"\A(?:---|\+\+\+)[ \t]*\n|(?:^|\n)(?:---|\+\+\+|\.\.\.)[ \t]*\n?\Z")


def read_frontmatter(text: str) -> Mapping[str, str]:
    """Give what stands between the marks, `text` with them, by names in lower case.

    What is nested has dotted names, lists are joined by commas, and of a name that stands twice the
    first counts. What is neither YAML nor TOML is read line by line. Never raises.
    """
    inside = _FENCE.sub("", text)[:_LONGEST]
    read = _toml if text.startswith("+++") else _yaml
    found: dict[str, str] = {}
    for name, value in _tried(read, inside):
        if name and value and len(found) < _MOST:
            found.setdefault(name.lower(), value.strip())
    return found


Pairs = list[tuple[str, str]]


def _tried(read: Callable[[str], Pairs], text: str) -> Pairs:
    try:
        pairs = read(text)
    except (ValueError, RecursionError):
        pairs = []
    return pairs or [(line["key"], line["value"]) for line in _LINE.finditer(text)]


def _toml(text: str) -> Pairs:
    return list(_flat("", tomllib.loads(text)))


def _flat(name: str, value: object) -> Iterator[tuple[str, str]]:
    """Give a value of TOML, which nests no deeper than its reader goes, by dotted names."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _flat(f"{name}.{key}" if name else str(key), inner)
    elif isinstance(value, list):
        yield name, ", ".join(str(each) for each in value if not isinstance(each, dict | list))
    else:
        yield name, str(value).lower() if isinstance(value, bool) else str(value)


def _yaml(text: str) -> Pairs:
    """Read a mapping of YAML; raises ValueError for what is none."""
    import yaml  # most pages have nothing before their text

    loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    pairs: Pairs = []
    levels: list[_Level] = []
    try:
        for event in yaml.parse(text, Loader=loader):
            match event:
                case yaml.MappingStartEvent() | yaml.SequenceStartEvent():
                    is_list = isinstance(event, yaml.SequenceStartEvent)
                    levels.append(_Level(_begun(levels), is_list))
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
    """A mapping with the key whose value comes next, or a list with what is in it."""

    name: str
    is_list: bool
    key: str | None = None
    items: list[str] = field(default_factory=list)


def _begun(levels: Sequence[_Level]) -> str:
    """Give the name of a mapping or list that begins; raises ValueError for one that is a key."""
    if not levels:
        return ""
    level = levels[-1]
    if level.is_list:
        return level.name
    if level.key is None:
        raise ValueError("a key that is no text")
    key, level.key = level.key, None
    return f"{level.name}.{key}" if level.name else key


def _take(text: str, levels: Sequence[_Level], pairs: Pairs) -> None:
    """Take a text: a key, its value, or a part of a list."""
    if not levels:
        raise ValueError("a text alone")
    level = levels[-1]
    if level.is_list:
        level.items += [text] if text else []
    elif level.key is None:
        level.key = text
    else:
        pairs.append((_begun(levels), text))
