"""Recognise structural questions in their usual phrasings, without a model.

A question becomes a kind and the names in it; the phrasings are `data/questions.toml`. What fits
none has no kind, and a search answers it as well as it can.
"""

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files

import msgspec


class Kind(StrEnum):
    """What is asked."""

    CALLERS = "callers"
    CALLEES = "callees"
    IMPACT = "impact"
    ANCESTORS = "ancestors"
    DEPENDENCIES = "dependencies"
    DEPENDENTS = "dependents"
    IMPORTERS = "importers"
    WHY = "why"
    PATH = "path"
    SUBCLASSES = "subclasses"
    SUPERCLASSES = "superclasses"
    OVERRIDES = "overrides"
    TESTS = "tests"
    MEMBERS = "members"
    CYCLES = "cycles"
    UNUSED = "unused"
    ENTRIES = "entry points"
    ROUTES = "routes"
    ARCHITECTURE = "architecture"
    EXTERNALS = "externals"
    COMPLEX = "complex"
    LARGEST = "largest"
    MOST_USED = "most used"
    COUNT = "count"
    LISTING = "listing"
    WHERE = "where"
    DESCRIPTION = "description"
    HANDLES = "handles"


@dataclass(frozen=True, slots=True)
class Question:
    """A question that was recognised: its kind, and the texts that stand for `names` in it.

    `heading` stands above an answer; `muql` are the queries that give it, with `{a}` for the first
    name, and none where another tool does.
    """

    kind: Kind
    names: tuple[str, ...]
    heading: str
    muql: tuple[str, ...]


_SORT = "(?:class|function|method|module|file|model|package|variable|constant)"
_NAME = rf"(?:(?:the|a|an|my|our|this|any) )?(?:{_SORT} )?(?P<%s>[\w./:`'\"()<>-]+(?: {_SORT})?)"

_WRAPPING = "`'\"<>.,;:!?"
_BARE = re.compile(rf"^(?:the |a |an )?(?:{_SORT} )?(?P<name>.+?)(?: {_SORT})?$", re.IGNORECASE)


class _Sort(msgspec.Struct, forbid_unknown_fields=True):
    kind: Kind
    heading: str
    phrasings: list[str]
    muql: tuple[str, ...] = ()


@cache
def _patterns() -> tuple[tuple[_Sort, re.Pattern[str]], ...]:
    """Read the phrasings, in the order in which they are tried."""
    data = files("mu.agent").joinpath("data", "questions.toml").read_bytes()
    groups = msgspec.toml.decode(data, type=dict[str, list[_Sort]])["question"]
    return tuple(
        (group, re.compile(_with_names(phrasing), re.IGNORECASE))
        for group in groups
        for phrasing in group.phrasings
    )


def _with_names(phrasing: str) -> str:
    return phrasing.replace("{a}", _NAME % "a").replace("{b}", _NAME % "b")


def recognise(text: str) -> Question | None:
    """Give the kind of a question and the names in it, None when no pattern fits."""
    plain = " ".join(text.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'").split())
    plain = plain.rstrip("?!. ")
    for sort, pattern in _patterns():
        match = pattern.search(plain)
        if match:
            groups = match.groupdict()
            found = (groups.get("a"), groups.get("b"))
            names = tuple(_name(text) for text in found if text)
            return Question(sort.kind, names, sort.heading, sort.muql)
    return None


def _name(text: str) -> str:
    """Take quotes, brackets of a call and words such as `class` off a name."""
    match = _BARE.match(text.strip())
    name = match["name"] if match else text
    name = name.strip().strip(_WRAPPING)
    return name[:-2] if name.endswith("()") else name
