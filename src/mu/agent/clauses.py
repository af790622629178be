"""Take a text apart into the questions in it, with what their pronouns stand for in its place.

    I want to change io.open_file. What calls it?      ->  What calls io.open_file?
    who calls parse and what does it call              ->  two questions
    if I change what parse() returns, what breaks      ->  one: its parts mean nothing by themselves

Which words are names, and whether a part is a question that can be answered, is told by who asks.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

_ASKING = (
    r"(?:(?:from|in|by|through|to) )?(?:what|which|who|whose|where|why|when|how|does|do|is|are|can"
    r"|could|should|would|will|list|show|find|name|give)\b"
)
_BREAK = re.compile(
    r"(?<=[\w)`'\"])(?:[.?!;:]+ +(?=\S)| +(?:-|--|\N{EM DASH}|\N{EN DASH}) +(?=[^\d\s])"
    rf"|,? and (?:also )?(?={_ASKING})|, *(?:so |then )?(?={_ASKING}))",
    re.IGNORECASE,
)
_OPENING = re.compile(_ASKING, re.IGNORECASE)
_PRONOUN = re.compile(
    r"(?<!\w)(?:(?P<own>its|their)|it|them|this(?! \w)|that(?=\W*$))(?![\w'.])",
    re.IGNORECASE,
)
_ELABORATION = re.compile(
    r"^(?:and )?(?:if so,? )?(?:by|via|of|through|from|to|in|with)? ?"
    r"(?:what|how|who|where|whom|why|why not|when|which(?: \w+){0,2})(?: else)?$",
    re.IGNORECASE,
)
"""What only says how the question before it is to be answered: `and by which tests?`."""

_LIMIT = re.compile(
    r"^(?:in|inside|within|under|below|outside|ignoring|excluding|except|without|apart|not)\b",
    re.IGNORECASE,
)
"""How a part begins that limits the question after it."""

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
    pieces = _pieces(text)
    is_route = bool(_ROUTE.match(text)) and len(names(text)) > 1
    if len(pieces) < 2 or is_route or not names(text):
        return Parts((text,))
    questions: list[str] = []
    unread: list[str] = []
    last = ""
    for piece in pieces:
        resolved = _resolved(piece, last) if last else piece
        is_asking = bool(_OPENING.match(resolved) or _LIMIT.match(resolved))
        if is_asking and names(resolved) and is_read(resolved):
            questions.append(resolved)
        elif is_asking and not _ELABORATION.match(piece.rstrip("?!. ")):
            unread.append(piece)
        last = (names(resolved) or (last,))[-1]
    if not questions or len(questions) > _MOST:
        return Parts((text,))
    if unread and pieces.index(unread[0]) == 0:
        return Parts((text,))
    return Parts(tuple(questions), tuple(unread))


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
    return [*pieces, *([limit.strip(" ,")] if limit else [])]


def _resolved(piece: str, name: str) -> str:
    """The part with its pronouns replaced by a name."""
    return _PRONOUN.sub(lambda found: f"{name}'s" if found["own"] else f"`{name}`", piece)
