"""Take what limits a question out of its text: a place, a place to leave out, tests, a level.

    who calls open_file in db/backends, outside of tests  ->  who calls open_file

A file right after a name says which of that name is meant, and limits nothing: `parse in app/db.py`
is `app/db.py:parse`. As that is a guess, the other reading is kept beside it.
"""

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import NamedTuple

_AREA = "(?:package|module|folder|directory|dir|crate|file|namespace|library|subpackage)"
_NO_PLACE = (
    r"(?:tests?|practice|turn|fact|here|advance|common|particular|general|detail|order|parallel"
    r"|time|case|total|sum|short|reality|theory|question|between|addition|return|place|use|any|all"
    r"|other|each|both|it|them|these|those|what|which)\b"
)
_DETERMINER = "(?:the|this|our|which|what|whose|same|each|every|any|an?)"
_PATH = (
    r"`[^`\s]+[/.][^`\s]*`|[\w.@-]+(?:/[\w.@-]*\w)+/?|[\w.@-]+/(?=$|[\s,.;:?])"
    r"|[\w@-]+(?:\.\w+)+(?![\w(:])"
)
_PLACE = (
    rf"(?:the |this |our )?(?:(?:{_AREA} )?(?P<path>{_PATH})(?: {_AREA}\b)?"
    r"|(?<!the )(?<!this )(?<!our )(?P<root>src|source|sources|lib|app)(?![\w./:])"
    rf"|(?P<bare>(?!{_NO_PLACE})[a-z]+)"
    r"(?:$|(?=,)|(?= (?:call|use|import|extend|override)s?\b))"
    rf"|{_AREA} `?(?P<last>[\w.-]*\w)`?|`?(?P<word>(?!{_DETERMINER}\b)[\w.-]+)`? {_AREA}\b)"
)
_KINDS_OF_PLACE = ("path", "word", "last", "bare", "root", "folder")
_WITHIN = re.compile(
    r",? ?\b(?:but )?(?:only )?(?:those |the ones )?(?:that |which )?(?:are |is |lives? |stands? )?"
    r"(?:anywhere )?(?:defined )?(?:from )?(?:in|inside|within|under|underneath|below|beneath)"
    rf" {_PLACE}(?: only\b| alone\b)?[,:]?"
    r"|,? ?\b(?<!import )(?<!imports )(?<!imported )from (?P<folder>[\w.@-]+(?:/[\w@-]+)*/[\w@-]*)"
    r"(?![\w./(])",
    re.IGNORECASE,
)
_LEAVING = (
    r"outside(?: of)?|not counting|ignoring|leaving out|leaving aside|excluding|apart from|besides"
    r"|other than|disregarding|skipping|ignore|exclude|skip|leave out|leave aside|do not count"
    r"|don't count|without counting|without"
)
_BEYOND = re.compile(
    r",? ?\b(?:and |but )?(?:please )?(?:those |the ones )?(?:from )?(?:not (?:in|inside|under)"
    rf"|except(?: in| for| from)?|(?:{_LEAVING})(?: in| under| those (?:in|under))?)"
    r" (?:(?:anything|everything|what is|what's|code|calls|uses) (?:in|under|from) )?"
    rf"{_PLACE}[,:]?",
    re.IGNORECASE,
)
_TESTS = r"(?:the |its |our |any |all )?(?:unit )?tests?(?:[- ](?:code|files?|suites?|modules?))?"
_OUTSIDE_TESTS = (
    rf"(?:except(?: for| in)?|{_LEAVING}|not(?: in| from| by| counting| including)?|no)"
    rf"(?: in| by)? {_TESTS}"
)
_TESTS_OUTSIDE = (
    rf"{_TESTS} (?:excluded|excepted|aside|apart|left (?:out|aside)|not counted|ignored)"
)
_OWN_CODE = re.compile(
    rf"[,;.]? ?\b(?:and |but )?(?:please )?(?:{_OUTSIDE_TESTS}|{_TESTS_OUTSIDE})(?: please)?"
    r"(?=$|[,?.;)]|(?: please)?$)"
    rf"|^(?:{_OUTSIDE_TESTS}|{_TESTS_OUTSIDE})[,:]? "
    r"|,? \b(?:in|by|from) (?:the )?(?:non-test|production|real|actual) code$"
    r"|,? ?\b(?:in|inside|within) the (?:package|library|source|sources)(?: itself)?$"
    r"|\bnon-test (?=\w)|\bproduction (?=(?:call|use|us|depend|import|method|function|class)\w*\b)",
    re.IGNORECASE,
)
_IN_TESTS = re.compile(
    r",? ?\b(?:but )?(?:only )?(?:in|from|by|inside|within) (?:the |our |unit )?tests?"
    r"(?: code| files)?(?: only| alone)?(?=$|[,?.;)])"
    r"|\btest[- ](?=(?:callers?|users?|code|functions?)\b)",
    re.IGNORECASE,
)
_LEVEL = re.compile(
    r"\b(?:module|top|file|package)[- ]level (?=\w)|\btoplevel (?=\w)"
    r"|,? ?\bat (?:the )?(?:module|top|file)[- ]level\b(?: of(?= ))?",
    re.IGNORECASE,
)
_QUALIFIED = re.compile(
    r"(?<![\w/])(?P<name>`[^`/:]+`|[\w$.]*(?:_\w|\w_|[a-z0-9][A-Z]|\w\.\w|\w\(\))[\w$.]*(?:\(\))?"
    r"|[A-Z]\w+|(?<=calls )\w+|(?<=uses )\w+|(?<=callers of )\w+|(?<=class )\w+"
    r"|(?<=function )\w+|(?<=method )\w+|(?<=does )(?!it\b|this\b|that\b|any|the\b|code\b)\w+)"
    r",? \(?(?P<how>in|from|of|defined in|at)(?: the)? (?:file |module )?"
    r"(?P<path>`?[\w./@-]*\w\.[A-Za-z]\w{0,3}`?(?![\w(]))",
)
_SUCH = re.compile(
    r"\b(?P<word>async|static|private|public|protected|abstract|deprecated)"
    r" (?=(?:functions?|methods?|callers?|callees?|(?:sub)?class(?:es)?|overrides?|members?|code"
    r"|ones)\b)",
    re.IGNORECASE,
)
_LEFT = re.compile(
    r"\b(?:\w+n't|not|never|neither|no longer|except(?:ing)?|exclud(?:e|es|ing)|ignor(?:e|ing)"
    r"|unless|besides|apart from|other than|outside(?: of)?|only (?:those|if|when|in|under|from)"
    r"|without|inside|within|underneath|(?:more|less|fewer) than|at (?:least|most)|whose"
    r"|(?:that|which) (?:are|is|do|does|have|has)(?! \w*(?:ed|en|ing)\b)) [^,.;?]*",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Restrictions:
    """What a question is limited to; the default is everything.

    A place `within` that `is_loose` is a customary name of a root folder, which need not be there.
    """

    within: str = ""
    beyond: str = ""
    is_untested: bool = False
    is_top_level: bool = False
    is_loose: bool = False
    is_in_tests: bool = False


def take_restrictions(
    text: str, names: Callable[[str], Sequence[str]], *, everywhere: Collection[str]
) -> tuple[str, Restrictions]:
    """Give the text without what limits it; a place stays where the text has no other name.

    `everywhere` are words that name no place, such as `repo`: they limit nothing.
    """
    text, tests = _OWN_CODE.subn("", text)
    rest, in_tests = _IN_TESTS.subn("", text)
    if in_tests and names(rest):
        text = rest
    text, level = _LEVEL.subn(lambda found: " in" if found[0].endswith(" of") else "", text)
    text, beyond, _ = _place(_BEYOND, text, lambda _: True, everywhere)
    text, within, is_root = _place(_WITHIN, text, lambda rest: bool(names(rest)), everywhere)
    limits = Restrictions(
        within, beyond, bool(tests), bool(level), is_loose=is_root, is_in_tests=bool(in_tests)
    )
    return " ".join(text.split()), limits


def _place(
    pattern: re.Pattern[str],
    text: str,
    is_enough: Callable[[str], bool],
    everywhere: Collection[str],
) -> tuple[str, str, bool]:
    """Take a place out of a text, if the rest of it is enough for a question.

    Also tell whether it is the customary name of a root folder.
    """
    for found in pattern.finditer(text):
        rest = f"{text[: found.start()]} {text[found.end() :]}".strip()
        if is_enough(rest):
            groups = found.groupdict()
            place = next(groups[each] for each in _KINDS_OF_PLACE if groups.get(each))
            is_root = bool(groups["root"])
            is_nowhere = place.lower() in everywhere and not is_root
            return rest, "" if is_nowhere else place.strip("`").strip("/"), is_root
    return text, "", False


def such(text: str) -> str:
    """Give the word for the functions or classes that are asked for, such as `async`."""
    found = _SUCH.search(text)
    return found["word"].lower() if found else ""


def left_over(text: str) -> tuple[str, ...]:
    """Give the parts of a text that limit a question and were not taken out of it."""
    return tuple(found[0].strip() for found in _LEFT.finditer(text))


_MEMBER = re.compile(
    r"(?<![\w.`/])(?:(?:method|function|field|attribute|property|member|hook) (?:called )?"
    r"`?(?P<told>[a-z_]\w*)`?|`?(?P<code>[a-z_]\w*(?:_\w+|[A-Z]\w*)|_\w+)(?:\(\))?`?"
    r"|(?<=overrides )(?P<plain>(?!methods\b|members\b|functions\b)[a-z]\w*))"
    r" (?:of|from|on) (?:the )?(?:(?:class|struct|interface|trait|type) )?"
    r"`?(?P<owner>[A-Z]\w*[a-z]\w*)`?(?![\w.:/(])",
)


class Qualified(NamedTuple):
    """A name and the file or class after it; `is_ended` where the text ends with `in` that file."""

    name: str
    path: str
    is_ended: bool


def qualify(text: str) -> tuple[str, dict[str, Qualified]]:
    """Write names with their file or class as one; also give the name and place of each."""
    told: dict[str, Qualified] = {}

    def joined(found: re.Match[str]) -> str:
        name, path = found["name"].strip("`").removesuffix("()"), found["path"].strip("`")
        if not found.start() and found["how"] == "of":
            return found[0]
        if re.search(r"\.\w{1,4}$", name) and "/" not in path and name[0].islower():
            return found[0]
        is_ended = bool(found.start()) and found["how"] == "in" and found.end() == len(text)
        told[f"{path}:{name}"] = Qualified(name, path, is_ended)
        return f"`{path}:{name}`"

    def owned(found: re.Match[str]) -> str:
        name = found["told"] or found["code"] or found["plain"]
        told[f"{found['owner']}.{name}"] = Qualified(name, found["owner"], is_ended=False)
        return f"`{found['owner']}.{name}`"

    return _QUALIFIED.sub(joined, _MEMBER.sub(owned, text)), told
