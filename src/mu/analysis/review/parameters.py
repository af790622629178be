"""Parameters as callers see them, and what a change of them breaks.

Parameters are read from their text, as a definition writes them: `name: type = default`, `*rest`,
`/`, `*`, `type name`, `name?: type`, `...rest`. Where a language takes arguments by position alone,
names do not matter and types do not decide.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from mu.analysis.review.sides import squeezed

_WORD = re.compile(r"[^\W\d]\w*")


class How(StrEnum):
    """How an argument for a parameter may be given."""

    POSITION = "position"
    EITHER = "either"
    KEYWORD = "keyword"
    REST = "rest"  # all other arguments by position
    KEYWORDS = "keywords"  # all other arguments by name


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter: how it is given, whether a call may leave it out, and its text."""

    name: str
    how: How
    is_optional: bool
    text: str = ""


def written_parameters(signature: str, name: str) -> tuple[str, ...] | None:
    """Cut the parameters out of a signature, with marks that stand between them.

    None where the signature does not have them behind the name.
    """
    start = re.search(rf"(?<!\w){re.escape(name)}\s*(?:\[[^\]]*\]\s*)?\(", signature)
    if start is None:
        return None
    found, rest = [], signature[start.end() :]
    while rest:
        text = outside(rest, ",)")
        if text.strip():
            found.append(text.strip())
        mark, rest = rest[len(text) : len(text) + 1], rest[len(text) + 1 :]
        if mark == ")":
            return tuple(found)
    return None


def read_parameters(
    texts: Sequence[str], *, takes_keywords: bool, has_receiver: bool
) -> tuple[Parameter, ...]:
    """Read the parameters of a function as a caller has to fill them.

    Without `takes_keywords` all are given by position. With `has_receiver` the first is what a
    method is called on, and does not count.
    """
    rows = list(texts)[has_receiver:]
    if not takes_keywords:
        return tuple(_by_position(text) for text in rows)
    found: list[Parameter] = []
    is_keyword = False
    for text in rows:
        bare = text.strip()
        if bare == "/":
            found = [Parameter(one.name, How.POSITION, one.is_optional) for one in found]
        elif bare.startswith("**"):
            found.append(Parameter(_name(bare), How.KEYWORDS, is_optional=True))
        elif bare.startswith("*"):
            if bare != "*":
                found.append(Parameter(_name(bare), How.REST, is_optional=True))
            is_keyword = True
        else:
            how = How.KEYWORD if is_keyword else How.EITHER
            found.append(Parameter(_name(bare), how, is_optional=_has_default(bare)))
    return tuple(found)


def breaks(before: Sequence[Parameter], after: Sequence[Parameter]) -> Iterator[str]:
    """Say what calls that fitted the parameters before do not fit those after."""
    if all(one.how in (How.POSITION, How.REST) for one in (*before, *after)):
        yield from _breaks_by_position(before, after)
        return
    old = {one.name: one for one in before}
    new = {one.name: one for one in after}
    takes_more = any(one.how is How.REST for one in after)
    takes_names = any(one.how is How.KEYWORDS for one in after)
    renamed = _renamed(before, after)
    for one in before:
        if one.name in new:
            yield from _changed(one, new[one.name])
        elif one.how is How.REST and not takes_more:
            yield f"takes no further arguments: *{one.name} was removed"
        elif one.how is How.KEYWORDS and not takes_names:
            yield f"takes no further keywords: **{one.name} was removed"
        elif one.name in renamed:
            if one.how is not How.POSITION and not takes_names:
                yield f"parameter {one.name} was renamed to {renamed[one.name]}"
        elif one.how not in (How.REST, How.KEYWORDS):
            is_taken = {How.KEYWORD: takes_names, How.POSITION: takes_more}.get(
                one.how, takes_names and takes_more
            )
            if not is_taken:
                yield f"parameter {one.name} was removed"
    for one in after:
        is_new = one.name not in old and one.name not in renamed.values()
        if is_new and not one.is_optional:
            yield f"new parameter {one.name} is required"
    yield from _reordered(before, after)
    yield from _taken_from_rest(before, after)


def _breaks_by_position(before: Sequence[Parameter], after: Sequence[Parameter]) -> Iterator[str]:
    needed = [sum(not one.is_optional for one in side) for side in (before, after)]
    if needed[1] > needed[0]:
        yield f"needs {counted(needed[1])}, and needed {needed[0]}"
    is_open = any(one.how is How.REST for one in after)
    if len(after) < len(before) and not is_open:
        yield f"takes at most {counted(len(after))}, and took {len(before)}"
    for place, (one, other) in enumerate(zip(before, after, strict=False), 1):
        types = [squeezed(row.text.replace(row.name, "", 1)) for row in (one, other)]
        if types[0] != types[1] and one.is_optional == other.is_optional:
            yield f"parameter {place} was `{one.text}` and is `{other.text}`"


def counted(count: int) -> str:
    """Say how many arguments."""
    return "1 argument" if count == 1 else f"{count} arguments"


def _changed(one: Parameter, other: Parameter) -> Iterator[str]:
    if one.is_optional and not other.is_optional:
        yield f"parameter {one.name} is required now"
    if one.how in (How.EITHER, How.POSITION) and other.how is How.KEYWORD:
        yield f"parameter {one.name} is given by name only now"
    if one.how in (How.EITHER, How.KEYWORD) and other.how is How.POSITION:
        yield f"parameter {one.name} is given by position only now"


def _renamed(before: Sequence[Parameter], after: Sequence[Parameter]) -> dict[str, str]:
    """Give the parameters that have another name in the same place."""
    old, new = {one.name for one in before}, {one.name for one in after}
    first, second = _placed(before), _placed(after)
    if len(first) > len(second):
        return {}
    return {
        one.name: other.name
        for one, other in zip(first, second, strict=False)
        if one.name not in new and other.name not in old
    }


def _reordered(before: Sequence[Parameter], after: Sequence[Parameter]) -> Iterator[str]:
    """Tell parameters that a call by position fills with something else now."""
    first, second = _placed(before), _placed(after)
    places = {one.name: place for place, one in enumerate(second)}
    for place, one in enumerate(first):
        there = places.get(one.name)
        if there is not None and there != place:
            was_removed = any(other.name not in places for other in first[:place])
            if not was_removed:
                yield f"parameter {one.name} has another position: {place + 1}, now {there + 1}"
            return


def _taken_from_rest(before: Sequence[Parameter], after: Sequence[Parameter]) -> Iterator[str]:
    """Tell a new parameter that takes what went to the further arguments (`*rest`) before."""
    if any(one.how is How.REST for one in before):
        new = _placed(after)[len(_placed(before)) :]
        known = {one.name for one in before}
        for one in new:
            if one.is_optional and one.name not in known:
                yield f"new parameter {one.name} takes an argument of *{_rest(before)}"


def _rest(parameters: Sequence[Parameter]) -> str:
    return next(one.name for one in parameters if one.how is How.REST)


def _placed(parameters: Sequence[Parameter]) -> list[Parameter]:
    return [one for one in parameters if one.how in (How.POSITION, How.EITHER)]


def _by_position(text: str) -> Parameter:
    bare = text.strip()
    is_rest = "..." in bare
    is_optional = is_rest or _has_default(bare) or bool(re.match(r"\w+\s*\?", bare))
    how = How.REST if is_rest else How.POSITION
    return Parameter(_name(bare), how, is_optional, bare)


def _name(text: str) -> str:
    """Take the name from the text of a parameter: before a colon, else the last word."""
    head = outside(text, "=")
    typed = outside(head, ":")
    words: list[str] = _WORD.findall(typed)
    if not words:
        return ""
    return words[-1] if typed != head or len(words) == 1 or not _is_go(text) else words[0]


def _is_go(text: str) -> bool:
    """Tell whether a name comes before its type, with no mark between: `ctx context.Context`."""
    return bool(re.match(r"[^\W\d]\w*\s+[\[\]*.\w]", text)) and not re.match(
        r"(?:final|const|mut|ref|out|in|[A-Z]\w*|int|long|double|float|boolean|char|byte|short)\b",
        text,
    )


def without_default(text: str) -> tuple[str, str]:
    """Cut a parameter, or a variable, into what stands before `=` and what follows."""
    head = outside(text, "=")
    return head, text[len(head) :].removeprefix("=")


def _has_default(text: str) -> bool:
    return outside(text, "=") != text


def outside(text: str, marks: str) -> str:
    """Give what stands before the first of some `marks` outside of brackets and strings."""
    depth, quote = 0, ""
    for place, letter in enumerate(text):
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "\"'":
            quote = letter
        elif letter in marks and not depth:
            after, before = text[place + 1 : place + 2], text[place - 1 : place]
            if letter == "=" and (after in ("=", ">") or before in ("=", "!", "<", ">")):
                continue
            return text[:place]
        elif letter in "([{":
            depth += 1
        elif letter in ")]}":
            depth -= 1
    return text
