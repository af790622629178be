"""Read a question by its verb and the names around it, whatever the words between them.

    what calls {a}?  where is {a} called?      {a} is the object: its callers
    what does {a} call?  what is called by {a}?  {a} is the subject: its callees

A name is a word that looks like code: quoted, dotted, with a slash, an underscore, or a capital
where a sentence has none. The verb is the one next to a name; which side of it the name stands
on, and whether it is passive, says which end of the relation is asked for. Two names with a verb
between them, or with a word such as `between`, ask how the one leads to the other.
"""

import re
from dataclasses import dataclass
from typing import NamedTuple

_INTRODUCED = re.compile(
    r"\b(?:a|an|the|this|that|our|my|called|named) (?:\w+ )?(?:function|method|class|struct|trait"
    r"|interface|type|enum|macro|decorator|hook|helper|variable|constant|field|property|module)"
    r"(?: (?:called|named))? (?P<name>[a-z](?!\w*(?:ed|en|ing)\b)\w+)(?=[.,;:?!]|$)",
    re.IGNORECASE,
)
"""A plain word that ends a clause after what it is: `it has a method onerror.`"""

_WORD = re.compile(r"`[^`]+`|\"[^\"]+\"|(?<!\w)'[^']+'|[^\s,]+")
_CODE = re.compile(r"[A-Za-z$][._:/]+[\w$]|_|[a-z0-9$][A-Z]|[A-Z]{2}[a-z]{2}|^[$]")
_PARTICIPLE = re.compile(r"(?:ed|en|wn|made|built)$")
_GETTING = frozenset(["get", "gets", "got", "getting", "be", "been"])
_BEING = frozenset(["is", "are", "was", "were", "being", "isn't", "aren't", "where's", "what's"])
_PASSIVE = _GETTING | _BEING
_DOING = frozenset(["does", "do", "did"])
_OF_SUBJECT = frozenset(["by", "from", "in", "inside", "within"])
_ASKING = frozenset(["does", "do", "did", "is", "are", "can", "could", "will", "would", "has"])


class Verb(NamedTuple):
    """A verb in its forms, and the kinds of question it asks of its object and of its subject."""

    forms: re.Pattern[str]
    object: str
    subject: str


class Lexicon(NamedTuple):
    """What questions are read with.

    `joining` are the words that ask how two names are related; `plain_words` look like names and
    are none, such as `JSON`.
    """

    verbs: tuple[Verb, ...]
    joining: re.Pattern[str]
    plain_words: frozenset[str]


@dataclass(frozen=True, slots=True)
class Reading:
    """What a question asks for, and the names it asks about."""

    kind: str
    names: tuple[str, ...]


class _Token(NamedTuple):
    """A word; one that `is_sure` is no word of a language, and one with a capital may be."""

    text: str
    is_name: bool
    is_sure: bool


def code_names(text: str, lexicon: Lexicon) -> tuple[str, ...]:
    """Give the words of a text that look like code, in order."""
    return tuple(token.text for token in _tokens(text, lexicon.plain_words) if token.is_name)


def sure_names(text: str, lexicon: Lexicon) -> tuple[str, ...]:
    """Give the words of a text that can be nothing but code, in order."""
    return tuple(token.text for token in _tokens(text, lexicon.plain_words) if token.is_sure)


def read_by_verb(text: str, lexicon: Lexicon) -> Reading | None:
    """Read a question; None where it has no name, or no verb beside one."""
    tokens = _tokens(text, lexicon.plain_words)
    names = [place for place, token in enumerate(tokens) if token.is_name]
    if not names:
        return None
    found = _nearest_verb(tokens, names, lexicon.verbs)
    if len(names) == 2 and _is_between(tokens, names, found, lexicon.joining):
        return Reading("path", tuple(tokens[place].text for place in names))
    if found is None:
        return None
    verb, start, end = found
    after = next((place for place in names if place >= end), None)
    before = next((place for place in reversed(names) if place < start), None)
    kind, place = _side(tokens, verb, start, end, before=before, after=after)
    return None if place is None else Reading(kind, (tokens[place].text,))


def _side(
    tokens: list[_Token], verb: Verb, start: int, end: int, *, before: int | None, after: int | None
) -> tuple[str, int | None]:
    """The kind that is asked for and the place of the name: the verb's object or its subject."""
    is_participle = bool(_PARTICIPLE.search(tokens[end - 1].text.lower())) or bool(
        _PARTICIPLE.search(tokens[start].text.lower())
    )
    is_told_where = end < len(tokens) and tokens[end].text.lower() in _OF_SUBJECT
    if before is None or (after is not None and not is_told_where):
        is_by = is_participle and is_told_where
        return (verb.subject if is_by else verb.object), after
    earlier = {token.text.lower() for token in tokens[max(0, start - 6) : start]}
    is_passive = bool(earlier & (_GETTING if earlier & _DOING else _PASSIVE))
    return (verb.object if is_participle and is_passive else verb.subject), before


def _is_between(
    tokens: list[_Token],
    names: list[int],
    found: tuple[Verb, int, int] | None,
    joining: re.Pattern[str],
) -> bool:
    if joining.search(" ".join(token.text for token in tokens if not token.is_name)):
        return True
    is_asked = tokens[0].text.lower() in _ASKING
    return is_asked and found is not None and names[0] < found[1] < names[1]


def _nearest_verb(
    tokens: list[_Token], names: list[int], verbs: tuple[Verb, ...]
) -> tuple[Verb, int, int] | None:
    """The verb with the fewest words to a name, and where it begins and ends."""
    best: tuple[int, int, Verb, int] | None = None
    for place in range(len(tokens)):
        for verb in verbs:
            end = _matched(tokens, place, verb)
            if end:
                gap = min(min(abs(name - place), abs(name - end + 1)) for name in names)
                if best is None or (gap, place) < best[:2]:
                    best = (gap, place, verb, end)
    return None if best is None else (best[2], best[1], best[3])


def _matched(tokens: list[_Token], place: int, verb: Verb) -> int:
    """Where a verb that begins at a place ends, 0 where there is none; `need to` is not one."""
    for length in (3, 2, 1):
        part = tokens[place : place + length]
        if len(part) < length or any(token.is_name for token in part):
            continue
        if verb.forms.fullmatch(" ".join(token.text.lower() for token in part)):
            end = place + length
            follows = tokens[end].text.lower() if end < len(tokens) else ""
            return 0 if follows == "to" else end
    return 0


def _tokens(text: str, plain_words: frozenset[str]) -> list[_Token]:
    tokens: list[_Token] = []
    is_first = True
    text = _INTRODUCED.sub(lambda found: _quoted(found, plain_words), text)
    for word in _WORD.findall(text):
        tokens.append(_token(word, plain_words, is_first=is_first))
        is_first = word[-1] in ".?!:;"
    return tokens


def _quoted(found: re.Match[str], plain_words: frozenset[str]) -> str:
    begins = found.start("name") - found.start()
    is_plain = found["name"] in plain_words
    return found[0] if is_plain else f"{found[0][:begins]}`{found['name']}`"


def _token(word: str, plain_words: frozenset[str], *, is_first: bool) -> _Token:
    bare = word.strip("`\"'.,:;()<>[]?!*&").removesuffix("'s") or word
    is_quoted = word[0] in "`\"'" and word.rstrip("?!.,;:")[-1] == word[0] and len(bare) > 1
    is_capital = not is_first and bare[:1].isupper() and len(bare) > 1
    is_code = bool(_CODE.search(bare) or "()" in word) and not bare.isdecimal()
    is_name = is_quoted or ((is_code or is_capital) and bare not in plain_words)
    return _Token(bare, is_name, is_name and (is_quoted or is_code))
