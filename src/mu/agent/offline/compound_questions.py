"""Take a text apart into the questions in it, with what their pronouns stand for in its place.

    I want to change io.open_file. What calls it?      ->  What calls io.open_file?
    who calls parse and what does it call              ->  two questions
    if I change what parse() returns, what breaks      ->  one: its parts mean nothing by themselves

Which words are names, and whether a part is a question that can be answered, is told by who asks.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from mu.agent.offline.elided_topics import (
    active,
    complete,
    quote_topic,
    replace_pronouns,
    spell_out,
    split_nouns,
)

_ASKING = (
    r"(?:(?:from|in|by|through|to) )?(?:what|which|who|whom|whose|where|why|when|how|does|do|is|are"
    r"|can|could|should|would|will|list|show|find|name|give)\b"
)
_BREAK = re.compile(
    r"(?<=[\w)`'\"])(?:[.?!;:]+ +(?=\S)| +(?:-|--|\N{EM DASH}|\N{EN DASH}) +(?=[^\d\s])"
    rf"|,? and (?:also )?(?={_ASKING})|, *(?:so |then )?(?={_ASKING}))",
    re.IGNORECASE,
)
_OPENING = re.compile(_ASKING, re.IGNORECASE)
_JOINING = re.compile(r"^(?:(?:and|but|or|then|also|plus|so),? )+", re.IGNORECASE)
_ELABORATION = re.compile(
    r"^(?:and )?(?:if so,? )?(?:by|via|of|through|from|to|in|with)? ?"
    r"(?:what|how|who|where|whom|why|why not|when|which(?: (?:ones?|of (?:them|these|those)"
    r"|tests?|files?|modules?|functions?|methods?|classes|lines?|places?|arguments?))?)(?: else)?$",
    re.IGNORECASE,
)
"""What only says how the question before it is to be answered: `and by which tests?`."""

_LIMIT = re.compile(
    r"^(?:(?:please )?(?:ignore|exclude|skip|disregard|leave (?:out|aside)|(?:do not|don't) count)"
    r"|in|inside|within|under|below|outside|ignoring|excluding|except|without|apart|not|but)\b",
    re.IGNORECASE,
)
"""How a part begins that limits the question after it."""

_CONDITION = re.compile(r"^(?:when|whenever|once|if)\b", re.IGNORECASE)
_IN_PLACE = re.compile(
    r"\b(?:in|inside|within|under|below|outside(?: of)?|except(?: for)?) `?[\w./@-]+", re.IGNORECASE
)
_ROUTE = re.compile(r"^(?:trace|follow|start\w*|going|path|way)\b", re.IGNORECASE)
"""How a text begins that asks for the way between two names, not for one after another."""

_MOST = 3


@dataclass(frozen=True, slots=True)
class Parts:
    """The questions of a text, each readable by itself, and those parts that are not."""

    questions: tuple[str, ...]
    unread: tuple[str, ...] = ()


def parts(
    text: str, *, names: Callable[[str], Sequence[str]], is_read: Callable[[str], bool]
) -> Parts:
    """Give the questions of a text: itself alone, where it does not fall into several.

    `names` gives the names in a part, `is_read` says whether one is a question that has an answer.
    """
    text = spell_out(quote_topic(text), names(text))
    pieces = _pieces(text)
    is_route = bool(_ROUTE.match(text)) and len(names(text)) > 1
    is_one = is_route or (bool(_CONDITION.match(text)) and len(names(text)) > 1)
    if len(pieces) < 2 or is_one or not names(text):
        return Parts(split_nouns(active(text)))
    questions: list[str] = []
    unread: list[str] = []
    last: Sequence[str] = ()
    for piece in pieces:
        resolved = _resolved(_JOINING.sub("", piece), last, names)
        is_asking = bool(_OPENING.match(resolved) or _LIMIT.match(resolved) or resolved != piece)
        if is_asking and names(resolved) and is_read(resolved):
            questions += split_nouns(resolved)
        elif is_asking and not _ELABORATION.match(piece.rstrip("?!. ")):
            unread.append(piece)
        last = names(resolved) or last
    if not questions or len(questions) > _MOST:
        return Parts((text,))
    if unread and pieces.index(unread[0]) == 0:
        return Parts((text,))
    return Parts(tuple(questions), tuple(unread))


def is_joined(name: str, other: str, *, text: str) -> bool:
    """Tell whether two names stand side by side in a text: `{a} and {b}`, `{b}, or of {a}`."""
    ends = r"(?:\(\))?`?(?:,| and| or| as well as| nor|, and|, or)(?: also)?(?: (?:of|for|by))? `?"
    return any(
        re.search(rf"{re.escape(one)}{ends}{re.escape(two)}(?![\w.])", text)
        for one, two in ((name, other), (other, name))
    )


def _pieces(text: str) -> list[str]:
    """The parts of a text, each with the limits that stand before it."""
    pieces: list[str] = []
    limit = ""
    for piece in filter(None, (part.strip(" ,;:") for part in _BREAK.split(text))):
        if _LIMIT.match(piece) and not _OPENING.match(piece):
            limit = f"{limit}{piece}, "
        else:
            pieces.append(f"{limit}{piece}")
            limit = ""
    if limit and pieces:
        pieces[-1] = f"{pieces[-1]}, {limit.strip(' ,')}"
    return pieces or [limit.strip(" ,")]


def _resolved(piece: str, last: Sequence[str], names: Callable[[str], Sequence[str]]) -> str:
    """The part with its pronouns replaced by names, or about the last one where it has none."""
    if not last:
        return active(piece)
    told = active(replace_pronouns(piece, last))
    return told if names(_IN_PLACE.sub("", told)) else complete(told, last[-1])
