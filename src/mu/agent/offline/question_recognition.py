"""Recognise structural questions in their usual phrasings, without a model.

A question becomes a kind and the names in it: by a phrasing, by its verb, or by a phrasing that is
wide; all three are `data/questions.toml`. What fits none has no kind, and a search answers it as
well as it can.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from importlib.resources import files

import msgspec

from mu.agent.offline.compound_questions import is_joined, parts
from mu.agent.offline.question_kinds import LISTED, SCOPED, SECONDED, SORTED, Asked, Kind, Question
from mu.agent.offline.restrictions import (
    Qualified,
    Restrictions,
    left_over,
    qualify,
    such,
    take_restrictions,
)
from mu.agent.offline.stack_traces import read_traces
from mu.agent.offline.verb_patterns import Lexicon, Verb, code_names, read_by_verb, sure_names

_SORT = (
    "(?:class|function|method|module|file|model|package|variable|constant|struct|trait|enum|"
    "interface|type)"
)
_ANYTHING = "anything|anybody|anyone|something|somebody|someone|nothing|nobody|everything|everyone"
_NO_NAME = (
    r"(?!(?:i|we|you|are|is|was|do|does|the|a|an|of|to|for|in|and|or|there|any|all|its|their|into|onto"
    r"|from|with|by|on|at|as|up|out|off|what|who|whom|which|where|when|how|why|please|directly|"
    rf"{_ANYTHING})(?![\w./:$-]))"
)
_NAME = (
    rf"(?:(?:the|a|an|my|our|this|any) )?(?:{_SORT} )?"
    rf"(?P<%s>{_NO_NAME}[\w./:#`'\"()<>$-]+(?: {_SORT})?)"
)

_CODE_NAME = (
    rf"(?:(?:the|a|an|my|our|this|any) )?(?:{_SORT} )?"
    r"(?P<%s>(?-i:`[^`]+`|[\w$./:-]*(?:[a-z0-9][A-Z]|\w_|_\w|\w[./:#]+\w|\w\(\))[\w$./:#()-]*"
    rf"|[A-Z][\w$]+))(?: {_SORT})?"
)
"""As `_NAME`, for a name that looks like code: `{c}` in a phrasing."""

_AREA = "(?:package|module|folder|directory|crate|file|class|namespace|library)"
_SCOPE = re.compile(
    rf"\b(?:in|inside|within|under|from|of)(?: the| this| our)?(?: (?P<before>{_AREA}))?"
    rf" (?P<scope>`[^`]+`|[\w./$-]+)(?: (?P<after>{_AREA})\b)?"
    r"(?P<end>$|(?= (?:are|is|that|which|never|nobody|no|because|import|depend)\b))?",
    re.IGNORECASE,
)
_POLITE = re.compile(
    r"^(?:please,? |(?:can|could|would) you (?:please )?(?=show|list|tell|find|give|explain))"
    r"|,? (?:please|thanks|thank you|(?:to|for) (?:me|us))$",
    re.IGNORECASE,
)
_POSSESSIVE = re.compile(
    r"\b(?!(?:what|where|who|how|that|it|there|here|let)'s)([\w./:]+)'s ((?:direct |own )?\w+)\b",
    re.IGNORECASE,
)
_CONTRACTED = re.compile(r"\b(what|who|where)'s (?!\w+ed\b)", re.IGNORECASE)
_INDEFINITE = re.compile(
    rf"^(?:does|do|did|is|are|has) (?:{_ANYTHING}|any \w+)(?: else)? (?:ever )?(?=\w)",
    re.IGNORECASE,
)
_HAVING = re.compile(
    r"^how many (?P<what>\w+(?: \w+)?) (?:does|do|has|have) (?P<whose>.+?)(?: have| got)?$",
    re.IGNORECASE,
)
_COUNTED = re.compile(r"^how many (?P<what>\w+ (?P<verb>\w+) .+)$", re.IGNORECASE)
_PLAIN = re.compile("[a-z]{2,}")
_RELATIVE = re.compile(r"(?<![\w./])(\.{1,2}/[\w./-]*\w)")
_RECEIVER = re.compile(r"\(\*?(\w+)\)(?=\.\w)")
_AT_LINE = re.compile(
    r"\bline (?P<line>\d+) (?:of|in) (?P<path>[\w./-]+)"
    r"|(?P<path2>[\w./-]+\.\w+),? line (?P<line2>\d+)"
)
_ARGUMENTS = re.compile(r"(?<=\w)\((?!\))[^()]*\)(?=[\s,.;:?!`'\"]|$)")
_OWN = re.compile(r"^(?:self|this|cls|super\(\))\.(?=\w)")
_ITSELF = re.compile(r" (?:it|them)sel(?:f|ves)\b", re.IGNORECASE)
_TRANSITIVE = re.compile(
    r"\b(?:transitiv\w+|indirectly|(?:through|via) (?:any|several|other)|at any (?:depth|distance)"
    r"|eventually|recursively)\b",
    re.IGNORECASE,
)
_FARTHER = {
    Kind.CALLERS: Kind.IMPACT,
    Kind.DEPENDENTS: Kind.IMPACT,
    Kind.CALLEES: Kind.ANCESTORS,
    Kind.DEPENDENCIES: Kind.ANCESTORS,
}
_WHICH_TESTS = re.compile(r"\b(?:which|what) tests?\b", re.IGNORECASE)
_UNSEEN = re.compile(
    r"\b(?:imports?|parameters?|params|arguments?|local variables?|locals)\b", re.IGNORECASE
)
"""What the analysis of unused definitions does not look at."""

_YES_NO = re.compile(
    r"^(?:is|are|does|do|can|could|i|what) |\b(?:nobody|nothing|no one)\b", re.IGNORECASE
)
_ASKED_FOR = re.compile(r"\b(?:which|what) (?:\w+ )?\w+", re.IGNORECASE)
_FILED = re.compile(r"/|\.[a-z]{1,4}$")
_LONGEST = 3_000
"""Characters of a text that are read: of a longer one, such as a log, where it begins and ends."""

_LONGEST_PHRASE = 4
_WRAPPING = "`'\"<>.,;:!?"
_BARE = re.compile(rf"^(?:the |a |an )?(?:{_SORT} )?(?P<name>.+?)(?: {_SORT})?$", re.IGNORECASE)


class _Sort(msgspec.Struct, forbid_unknown_fields=True):
    kind: Kind
    heading: str
    phrasings: list[str]
    muql: tuple[str, ...] = ()
    rank: int = 0


class _Relation(msgspec.Struct, forbid_unknown_fields=True):
    forms: str
    object: Kind
    subject: Kind


class _Data(msgspec.Struct, forbid_unknown_fields=True):
    joining: str
    plain_words: frozenset[str]
    closing_words: frozenset[str]
    everywhere: frozenset[str]
    idle_words: frozenset[str]
    relation: list[_Relation]
    question: list[_Sort]


@cache
def _data() -> _Data:
    text = files("mu.agent").joinpath("data", "questions.toml").read_bytes()
    return msgspec.toml.decode(text, type=_Data)


@cache
def _patterns(rank: int) -> tuple[tuple[_Sort, re.Pattern[str]], ...]:
    """The phrasings, in the order in which they are tried."""
    return tuple(
        (sort, re.compile(_with_names(phrasing), re.IGNORECASE))
        for sort in _data().question
        for phrasing in sort.phrasings
        if sort.rank == rank
    )


@cache
def _lexicon() -> Lexicon:
    data = _data()
    verbs = tuple(
        Verb(re.compile(row.forms), row.object.value, row.subject.value) for row in data.relation
    )
    return Lexicon(verbs, re.compile(data.joining, re.IGNORECASE), data.plain_words)


def _with_names(phrasing: str) -> str:
    names = {"{a}": _NAME % "a", "{b}": _NAME % "b", "{c}": _CODE_NAME % "a"}
    for mark, pattern in names.items():
        phrasing = phrasing.replace(mark, pattern)
    return phrasing


def recognise(text: str) -> Question | None:
    """Give the kind of a question and the names in it, None when no pattern fits.

    Of several questions in a text, the first.
    """
    return read(text).questions[0]


def read(text: str) -> Asked:
    """Give the questions of a text; some patterns take long, so a long text is read in part."""
    plain = " ".join(text.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'").split())
    if len(plain) > _LONGEST:
        plain = f"{plain[: _LONGEST // 2]} {plain[-_LONGEST // 2 :]}"
    plain = _POLITE.sub("", read_traces(plain).rstrip("?!. "))
    plain = _RELATIVE.sub(lambda found: f"`{found[1].lstrip('./')}`", plain)
    plain = _ARGUMENTS.sub("()", _RECEIVER.sub(r"\1", plain))
    plain, qualified = qualify(plain)
    found = parts(plain, names=_names, is_read=lambda part: _is_read(_question(part)))
    questions = tuple(
        _with_file(question, qualified)
        for part in found.questions
        for question in _each_name(_question(part), part)
    )
    return Asked(questions, found.unread)


def _names(text: str) -> tuple[str, ...]:
    return code_names(text, _lexicon())


def _each_name(question: Question | None, text: str) -> tuple[Question | None, ...]:
    """The question for each of the names that it is asked of: `callers of {a} and of {b}`."""
    if question is None or len(question.names) != 1 or not question.left_aside:
        return (question,)
    name = question.names[0]
    beside = [other for other in question.left_aside if is_joined(name, other, text=text)]
    if not beside or question.kind in SORTED:
        return (question,)
    aside = tuple(other for other in question.left_aside if other not in beside)
    alone = replace(question, left_aside=aside, is_unsure=bool(aside), phrases=())
    return tuple(replace(alone, names=(each,)) for each in (name, *map(_name, beside)))


def _is_read(question: Question | None) -> bool:
    return question is not None and question.kind not in (Kind.HANDLES, Kind.NAMED)


def _question(plain: str) -> Question | None:
    plain = _POLITE.sub("", plain.rstrip("?!. "))
    plain = _ITSELF.sub("", plain) if sure_names(plain, _lexicon()) else plain
    plain, limits = take_restrictions(plain, _names, everywhere=_data().everywhere)
    plain = _HAVING.sub(_having, _COUNTED.sub(_counted, plain))
    plain = _AT_LINE.sub(_line, _POSSESSIVE.sub(r"\2 of \1", plain))
    plain = _INDEFINITE.sub("what ", _CONTRACTED.sub(r"\1 is ", plain))
    question = (
        _by_phrasing(plain, 0)
        or _by_verb(plain)
        or _by_phrasing(plain, 1)
        or _by_name(plain)
        or _by_phrasing(plain, 2)
    )
    if question is None:
        return None
    question = _at_any_distance(_limited(question, limits, plain), plain)
    question = _with_rest(_with_scope(question, plain), plain)
    return _with_phrases(_with_unkept(_with_second(question, plain), plain), plain)


def _limited(question: Question, limits: Restrictions, plain: str) -> Question:
    is_listing = question.kind in LISTED
    return replace(
        question,
        scope=question.scope or limits.within,
        is_loose=question.is_loose or limits.is_loose,
        beyond=limits.beyond,
        is_untested=limits.is_untested,
        is_top_level=limits.is_top_level,
        is_in_tests=limits.is_in_tests or (is_listing and bool(_WHICH_TESTS.search(plain))),
        such=such(plain) if is_listing else "",
    )


def _at_any_distance(question: Question, text: str) -> Question:
    """The question for what is related at any distance, where the text says so."""
    kind = _FARTHER.get(question.kind)
    if kind is None or not _TRANSITIVE.search(text):
        return question
    heading = _of_kind(kind, question.names).heading
    return replace(question, kind=kind, heading=heading, muql=())


def _with_second(question: Question, text: str) -> Question:
    """The question with a second name that must be so related, too, or must not be."""
    beside = question.left_aside[:1]
    if question.kind not in SECONDED or len(question.names) != 1 or not beside:
        return question
    one, other = (rf"`?{re.escape(name)}(?:\(\))?`?" for name in (*question.names, *beside))
    second = _name(beside[0])
    rest = question.left_aside[1:]
    changed = replace(question, left_aside=rest, is_unsure=bool(rest), phrases=())
    if re.search(rf"{one},? (?:but|and) (?:not|never|don't|doesn't)(?: \w+)? {other}", text):
        return replace(changed, never=second)
    if re.search(rf"\bboth {one} and {other}|{one} (?:as well as|and also) {other}", text):
        return replace(changed, also=second)
    return question


def _with_unkept(question: Question, text: str) -> Question:
    """The question with what limits it in the text and is not known how to keep to."""
    if question.kind is Kind.UNUSED:
        found = _UNSEEN.search(text)
        return replace(question, unkept=(found[0],)) if found else question
    if question.kind not in LISTED or question.never or question.also:
        return question
    if question.kind is Kind.REGISTERED:
        return question
    is_asked_whether = question.kind is Kind.DEPENDENTS and bool(_YES_NO.match(text))
    limits = () if is_asked_whether or question.kind is Kind.IMPACT else left_over(text)
    last = {each: each.split()[-1].strip("`") for each in limits}
    unkept = [each for each in limits if not any(last[each] in name for name in question.names)]
    tail = "" if question.kind is Kind.IMPACT else _tail(question, text)
    if tail and not unkept and not any(name in tail for name in question.left_aside):
        unkept = [tail]
    return replace(question, unkept=tuple(unkept))


def _tail(question: Question, text: str) -> str:
    """What stands behind the names of a question and says more; empty where it does not."""
    ends = [text.rfind(name) + len(name) for name in question.names if name in text]
    end = max(question.read_to, *ends) if ends else len(text)
    tail = text[end:].strip("`'\"()?!.,;: ")
    words = _ASKED_FOR.sub("", tail).lower()
    for verb in _lexicon().verbs:
        words = re.sub(rf"\b(?:{verb.forms.pattern})\b", "", words)
    known = _data().closing_words | _data().idle_words
    return tail if set(re.findall(r"[\w'-]+", words)) - known else ""


def _with_file(question: Question | None, qualified: dict[str, Qualified]) -> Question | None:
    """The question, with what it asks if a file after a name is where to look, not whose it is."""
    if question is None or not any(name in qualified for name in question.names):
        return question
    names = tuple(qualified[name].name if name in qualified else name for name in question.names)
    file = next(qualified[name] for name in question.names if name in qualified)
    inside = replace(question, names=names, scope=question.scope or file.path)
    is_place = file.is_ended and question.kind in LISTED and not question.scope
    return replace(question, otherwise=inside, defined_in=file.path if is_place else "")


def _counted(found: re.Match[str]) -> str:
    """Ask for what does something to a name by listing it: an answer counts its rows, too."""
    is_verb = any(verb.forms.fullmatch(found["verb"].lower()) for verb in _lexicon().verbs)
    is_named = bool(code_names(f"that {found['what']}", _lexicon()))
    return f"which {found['what']}" if is_verb and is_named else found[0]


def _having(found: re.Match[str]) -> str:
    """Ask for what something has by listing it, in the same way."""
    is_named = bool(code_names(f"of {found['whose']}", _lexicon()))
    return f"the {found['what']} of {found['whose']}" if is_named else found[0]


def _line(found: re.Match[str]) -> str:
    """A line of a file as other references are written."""
    path, line = found["path"] or found["path2"], found["line"] or found["line2"]
    return f"{path}:{line}"


def _with_scope(question: Question, text: str) -> Question:
    """The question with the part of the repository that it is limited to."""
    if question.kind not in SCOPED or question.scope:
        return question
    for found in _SCOPE.finditer(text):
        name = found["scope"].strip("`")
        is_plain = name.lower() in _data().everywhere or name in question.names
        is_code = bool(code_names(f"in {name}", _lexicon()))
        is_told = found["before"] or found["after"]
        is_last = found["end"] is not None and name.islower()
        if not is_plain and (is_code or is_told or is_last):
            return replace(question, scope=name.strip("/"))
    return question


def _with_rest(question: Question, text: str) -> Question:
    """The question with the names in it that it makes no use of; a search uses them all."""
    if question.kind is Kind.HANDLES:
        return question
    used = [*question.names, *([question.scope] if question.scope else [])]
    rest = [
        name
        for name in _names(text)
        if not any(name.strip("/") in each or each in name for each in used)
    ]
    is_unsure = bool(rest) and question.kind is not Kind.NAMED
    return replace(question, left_aside=tuple(dict.fromkeys(rest)), is_unsure=is_unsure)


def _with_phrases(question: Question, text: str) -> Question:
    """The question with its names as the phrases they begin, where one of them does."""
    phrases = tuple(_phrase(name, text) for name in question.names)
    is_same = question.kind in SCOPED or phrases == question.names
    return question if is_same else replace(question, phrases=phrases)


def _phrase(name: str, text: str) -> str:
    """A plain word with those that follow it and could be of the same name."""
    _, found, after = text.partition(f" {name} ")
    if not found or not _PLAIN.fullmatch(name):
        return name
    words = [name, *after.split()[: _LONGEST_PHRASE - 1]]
    verbs, length = _lexicon().verbs, 1
    while length < len(words) and _PLAIN.fullmatch(words[length]):
        word = words[length]
        if word in _data().closing_words or any(verb.forms.fullmatch(word) for verb in verbs):
            break
        length += 1
    return " ".join(words[:length])


def _by_phrasing(text: str, rank: int) -> Question | None:
    sure = sure_names(text, _lexicon())
    for sort, pattern in _patterns(rank):
        match = pattern.search(text)
        if match:
            groups = match.groupdict()
            found = (groups.get("a"), groups.get("b"))
            names = tuple(_name(text) for text in found if text)
            scope = groups.get("scope") or ""
            if sort.kind is Kind.UNUSED and not all(_is_place(name, text) for name in sure):
                continue
            if not all(names) or not _is_of_names(sort.kind, names, sure):
                continue
            scope = "" if scope.lower() in _data().everywhere else scope
            is_loose = bool(scope)
            return Question(
                *(sort.kind, names, sort.heading, sort.muql),
                scope=scope,
                is_loose=is_loose,
                read_to=match.end(),
            )
    return None


def _is_place(name: str, text: str) -> bool:
    """Tell whether a name says where to look: it is a file or folder, or stands behind `in`."""
    behind = rf"\b(?:in|inside|within|under|of|from)(?: the)?(?: {_AREA})? `?{re.escape(name)}"
    return bool(_FILED.search(name) or re.search(behind, text, re.IGNORECASE))


def _is_of_names(kind: Kind, names: Sequence[str], sure: Sequence[str]) -> bool:
    """Tell whether the names of a phrasing are the sure names of the text, where it has any."""
    if kind in (Kind.RECURSION, Kind.ROUTES):
        return len(sure) < (2 if kind is Kind.ROUTES else 1)
    if not names or kind in SORTED or not sure:
        return True
    return any(_name(each).strip("/") in name or name in each for name in names for each in sure)


def _by_verb(text: str) -> Question | None:
    reading = read_by_verb(text, _lexicon())
    return None if reading is None else _of_kind(Kind(reading.kind), reading.names)


def _by_name(text: str) -> Question | None:
    """A question that nothing else fits, by the first word in it that looks like code."""
    names = code_names(text, _lexicon())
    return _of_kind(Kind.NAMED, names[:1]) if names else None


def _of_kind(kind: Kind, names: Sequence[str]) -> Question:
    sorts = (sort for sort in _data().question if sort.kind == kind)
    sort = next(sort for sort in sorts if len(names) > 1 or "{b}" not in sort.heading)
    return Question(kind, tuple(map(_name, names)), sort.heading, sort.muql)


def _name(text: str) -> str:
    """Take quotes, brackets of a call and words such as `class` off a name."""
    match = _BARE.match(text.strip())
    name = match["name"] if match else text
    name = _OWN.sub("", name.strip().strip(_WRAPPING).removesuffix("()"))
    return name if "(" in name else name.rstrip(")")
