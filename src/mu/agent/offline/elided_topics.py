"""Complete parts of questions that do not say again what they are about.

open_file: callers in lib?             ->  callers of open_file in lib
open_file - called by?                 ->  what is open_file called by
parse and load: who calls them?        ->  who calls parse and load
callers and callees of open_file       ->  callers of open_file; callees of open_file
"""

import re
from collections.abc import Sequence

_NO_TOPIC = frozenset(
    ["also", "hello", "hey", "hi", "note", "ok", "okay", "please", "question", "so", "then", "well"]
)
_TOPIC = re.compile(r"^(?P<topic>[\w$#]+): ")
_NOUNS = (
    r"(?:(?:direct|indirect|known|all) )?(?:callers?|callees?|call sites?|subclasses|superclasses"
    r"|base classes|child classes|overrides?|dependents|dependencies|importers?|imports|usages?"
    r"|users|uses|references?|tests?|members|methods|implementations?|implementers|implementors"
    r"|registrations?)"
)
_NOUN = re.compile(
    rf"^(?:the |its |their |any |list |show |give me |what are |also )*(?P<noun>{_NOUNS})\b"
    r"(?P<tail>(?:(?:,|,? and|,? or)(?: the| its)? \w+)?)(?P<place>.*)$",
    re.IGNORECASE,
)
_DONE = re.compile(
    r"^(?:is |are |being |gets? )?(?P<done>\w+ed|overridden|hooked up|built|run) by(?P<tail>.*)$",
    re.IGNORECASE,
)
_WHERE = re.compile(
    r"^(?:(?P<verb>\w+ed|overridden|hooked up|built|run) )?(?P<where>from where|where|where from)"
    r"(?: is| are)?(?: the)?(?: (?P<noun>definition|\w+ed|overridden|hooked up))?(?P<tail>.*)$",
    re.IGNORECASE,
)
_PRONOUN = re.compile(
    r"(?<!\w)(?:(?P<own>its|their)"
    r"|(?P<many>(?:(?:each|both|all|any|either) of )?(?:them|these|those))"
    r"|it|(?<=from )there|(?:this|that)(?: one)?(?=\W*$)|this(?! \w)"
    r"|(?:this|that) (?:function|method|class|module|file|one)(?! (?:that|which|in|of)\b))"
    r"(?![\w'.])",
    re.IGNORECASE,
)
_BY_WHAT = re.compile(
    r"^by (?P<who>what|whom|who|which \w+) (?P<rest>(?:is|are|gets?|does) .+)$", re.IGNORECASE
)
_JOINED = re.compile(
    rf"(?P<nouns>\b{_NOUNS}(?:(?:,|,? and|,? or|,? as well as|,? plus)(?: also)?(?: the| its)?"
    rf" {_NOUNS})+) (?P<of>(?:of|for|to) .+)$",
    re.IGNORECASE,
)
_SHORT = re.compile(
    rf"^(?:(?P<noun>{_NOUNS}):? (?P<after>`[^`]+`|[\w$.:#/-]+)|(?P<before>`[^`]+`|[\w$.:#/-]+)"
    rf" (?P<last>{_NOUNS}))$",
    re.IGNORECASE,
)
_EACH_NOUN = re.compile(_NOUNS, re.IGNORECASE)


def quote_topic(text: str) -> str:
    """Quote a single word before a colon that a text begins with: it is what is asked about."""
    found = _TOPIC.match(text)
    if found is None or found["topic"].lower() in _NO_TOPIC or _EACH_NOUN.fullmatch(found["topic"]):
        return text
    return f"`{found['topic']}`: {text[found.end() :]}"


def replace_pronouns(piece: str, names: Sequence[str]) -> str:
    """Put the names before a part in the place of its pronouns: the last, or all for `them`."""
    if not names:
        return piece

    def named(found: re.Match[str]) -> str:
        if found["own"]:
            return f"{names[-1]}'s"
        meant = names if found["many"] else names[-1:]
        return " and ".join(f"`{name}`" for name in meant)

    return _PRONOUN.sub(named, piece)


def complete(piece: str, name: str) -> str:
    """Write a part without a name as a question about one; as it is where it has another form."""
    bare = piece.rstrip("?!. ").removesuffix(" please").rstrip(",")
    if noun := _NOUN.match(bare):
        return f"{noun['noun']}{noun['tail']} of `{name}`{noun['place']}"
    if done := _DONE.match(bare):
        return f"what is `{name}` {done['done']} by{done['tail']}"
    where = _WHERE.match(bare)
    if where and (verb := where["noun"] or where["verb"]):
        verb = "defined" if verb.lower() == "definition" else verb
        return f"where is `{name}` {verb}{where['tail']}"
    return piece


def spell_out(text: str, names: Sequence[str]) -> str:
    """Write `callers {a}`, `callers: {a}` and `{a} callers` as `callers of {a}`."""
    found = _SHORT.match(text.rstrip("?!. "))
    if not found or len(names) != 1 or (found["after"] or found["before"]).strip("`") not in names:
        return text
    return f"{found['noun'] or found['last']} of `{names[0]}`"


def active(piece: str) -> str:
    """Write `by what is {a} called` as `what is {a} called by`."""
    bare = piece.rstrip("?!. ")
    return _BY_WHAT.sub(r"\g<who> \g<rest> by", bare) if _BY_WHAT.match(bare) else piece


def split_nouns(text: str) -> tuple[str, ...]:
    """Give a question for each noun of one for several: `callers and callees of {a}`."""
    found = _JOINED.search(text)
    if not found:
        return (text,)
    return tuple(f"{noun} {found['of']}" for noun in _EACH_NOUN.findall(found["nouns"]))
