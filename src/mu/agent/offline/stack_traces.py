"""Read what is pasted into a question: lines of stack traces, as several runtimes write them.

    File "/usr/lib/shop/cart.py", line 12, in add      at Cart.add (src/cart.ts:12:5)
    at com.shop.Cart.add(Cart.java:12)                 panicked at src/cart.rs:12:5:

Each becomes a node reference, `path:line`. Where the question around it says `this` or `it`, that
is what stands there; where it asks nothing else, it asks what that is.
"""

import re

_PLACE = r"(?P<path>(?:[A-Za-z]:)?[\w@.\\/+-]{0,250}[\w-]\.[A-Za-z]\w{0,5})"
_TRACES = tuple(
    re.compile(pattern)
    for pattern in (
        rf"File [\"']{_PLACE}[\"'], line (?P<line>\d+)(?:, in [\w.<>]+)?",
        rf"\bat (?:async |new )*(?:[\w$.<>\[\]/~]+ ?)?\((?:file://)?{_PLACE}:(?P<line>\d+)(?::\d+)?\)",
        rf"\b(?:at|in) (?:file://)?{_PLACE}:(?:line )?(?P<line>\d+):\d+:?",
        rf"\b(?:in|at) {_PLACE}:line (?P<line>\d+)",
        rf"(?:\bat )?(?<![\w@.\\/+-]){_PLACE}:(?P<line>\d+) \+0x[0-9a-f]+",
    )
)
_MEANT = re.compile(r"\b(?:this|that|it)(?: (?:function|method|line|code|place|frame))?\b", re.I)
_CRASHED = re.compile(
    r"\b(?:thread '\w+' |goroutine \d+ )?(?:panic(?:ked)?|crash(?:ed|es)?|fail(?:ed|s|ure)?|errors?"
    r"|exceptions?|(?:stack ?)?trace(?:back)?)\b",
    re.I,
)
_NOTHING_ELSE = re.compile(
    r"^[\W_]*(?:(?:what|which)(?: \w+)? (?:is|does|are)|what's|explain|describe|tell me about)?"
    r"(?: (?:this|that|it|there|here|about|do|mean|function|method|line|code|place|frame))*[\W_]*$",
    re.I,
)


def read_traces(text: str) -> str:
    """Give a question with a line of a stack trace in it as one about the place it names."""
    for pattern in _TRACES:
        found = pattern.search(text)
        if found:
            path = found["path"].replace("\\", "/")
            place = f"{path}:{found['line']}"
            rest = " ".join(f"{text[: found.start()]} {text[found.end() :]}".split())
            if _NOTHING_ELSE.match(" ".join(_CRASHED.sub("", rest).split())):
                return f"what is {place}"
            if _MEANT.search(rest):
                return _MEANT.sub(f"`{place}`", rest, count=1).strip(" -:,;")
            return f"{text[: found.start()]}`{place}`{text[found.end() :]}"
    return text
