"""Take what limits a question out of its text: a place, a place to leave out, tests, a level.

    who calls open_file in db/backends, outside of tests  ->  who calls open_file

A file right after a name says which of that name is meant, and limits nothing: `parse in app/db.py`
is `app/db.py:parse`. As that is a guess, the other reading is kept beside it.
"""

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

_AREA = "(?:package|module|folder|directory|dir|crate|file|namespace|library|subpackage)"
_DETERMINER = "(?:the|this|our|which|what|whose|same|each|every|any|an?)"
_PATH = r"`[^`\s]+/[^`\s]*`|[\w.@-]+(?:/[\w.@-]+)+/?|[\w.@-]+/(?!\S)"
_PLACE = (
    rf"(?:the |this |our )?(?:(?:{_AREA} )?(?P<path>{_PATH})(?: {_AREA}\b)?"
    r"|(?P<bare>(?!tests?\b|practice\b|turn\b|fact\b|here\b|advance\b)[a-z]+)"
    r"(?:$|(?=,)|(?= (?:call|use|import|extend|override)s?\b))"
    rf"|{_AREA} `?(?P<last>[\w.-]*\w)`?|`?(?P<word>(?!{_DETERMINER}\b)[\w.-]+)`? {_AREA}\b)"
)
_KINDS_OF_PLACE = ("path", "word", "last", "bare")
_WITHIN = re.compile(
    r",? ?\b(?:but )?(?:only )?(?:those |the ones )?(?:that are |which are |anywhere )?"
    rf"(?:defined )?(?:from )?(?:in|inside|within|under|below|beneath) {_PLACE},?",
    re.IGNORECASE,
)
_BEYOND = re.compile(
    r",? ?\b(?:but )?(?:those |the ones )?(?:from )?(?:outside(?: of)?|not (?:in|inside|under)"
    rf"|except (?:in|for|from)|excluding|other than in) {_PLACE},?",
    re.IGNORECASE,
)
_TESTS = r"(?:the |its |our |any )?(?:unit )?tests?(?: code| files| suites?)?"
_OUTSIDE_TESTS = (
    r"(?:outside(?: of)?|except(?: for| in)?|apart from|other than|besides|not counting|ignoring"
    rf"|excluding|without|leaving out|not(?: in| from| by| counting)?)(?: in| by)? {_TESTS}"
)
_OWN_CODE = re.compile(
    rf",? ?\b{_OUTSIDE_TESTS}(?=$|,|[?.])"
    rf"|^{_OUTSIDE_TESTS},? "
    r"|,? \b(?:in|by|from) (?:the )?(?:non-test|production|real|actual) code$"
    r"|,? ?\b(?:in|inside|within) the (?:package|library|source|sources)(?: itself)?$"
    r"|\bnon-test (?=\w)|\bproduction (?=(?:call|use|us|depend|import)\w*\b)",
    re.IGNORECASE,
)
_LEVEL = re.compile(
    r"\b(?:module|top|file|package)[- ]level (?=\w)|\btoplevel (?=\w)", re.IGNORECASE
)
_QUALIFIED = re.compile(
    r"(?<![\w/])(?P<name>`[^`/:]+`|[\w$.]*(?:_\w|\w_|[a-z0-9][A-Z]|\w\.\w|\w\(\))[\w$.]*(?:\(\))?"
    r"|[A-Z]\w+|(?<=calls )\w+|(?<=uses )\w+|(?<=callers of )\w+|(?<=class )\w+"
    r"|(?<=function )\w+|(?<=method )\w+),? \(?(?:in|from|defined in|at)"
    r" (?:the )?(?:file |module )?(?P<path>`?[\w./@-]*\w\.[A-Za-z]\w{0,3}`?(?![\w(]))",
)


@dataclass(frozen=True, slots=True)
class Restrictions:
    """What a question is limited to; the default is everything."""

    within: str = ""
    beyond: str = ""
    is_untested: bool = False
    is_top_level: bool = False


def take_restrictions(
    text: str, names: Callable[[str], Sequence[str]], *, everywhere: Collection[str]
) -> tuple[str, Restrictions]:
    """Give the text without what limits it; a place stays where the text has no other name.

    `everywhere` are words that name no place, such as `repo`: they limit nothing.
    """
    text, tests = _OWN_CODE.subn("", text)
    text, level = _LEVEL.subn("", text)
    text, beyond = _place(_BEYOND, text, names, everywhere)
    text, within = _place(_WITHIN, text, names, everywhere)
    return " ".join(text.split()), Restrictions(within, beyond, bool(tests), bool(level))


def _place(
    pattern: re.Pattern[str],
    text: str,
    names: Callable[[str], Sequence[str]],
    everywhere: Collection[str],
) -> tuple[str, str]:
    for found in pattern.finditer(text):
        rest = f"{text[: found.start()]} {text[found.end() :]}".strip()
        if names(rest):
            place = next(found[each] for each in _KINDS_OF_PLACE if found[each])
            return rest, "" if place.lower() in everywhere else place.strip("`").strip("/")
    return text, ""


def qualify(text: str) -> tuple[str, dict[str, tuple[str, str]]]:
    """Write names with their file as one; also give the name and file of each."""
    told: dict[str, tuple[str, str]] = {}

    def joined(found: re.Match[str]) -> str:
        name, path = found["name"].strip("`").removesuffix("()"), found["path"].strip("`")
        if re.search(r"\.\w{1,4}$", name) and "/" not in path and name[0].islower():
            return found[0]
        told[f"{path}:{name}"] = (name, path)
        return f"`{path}:{name}`"

    return _QUALIFIED.sub(joined, text), told
