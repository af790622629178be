"""Read node references in the notations of other tools.

People paste what they have before them: the id of a test, a line of a stack trace, a link to a
line, an entry point, a declaration with its parameters. What they mean is a name or a place of ours
in another spelling. Only the text is looked at, so a spelling may lead nowhere; it is for a
reference that means nothing as it stands.
"""

import re

_ID = re.compile(r"[a-z]{2,3}:")
_FILE = re.compile(r"\.[A-Za-z]\w{0,7}$")
_SPELLINGS = (
    (re.compile(r"^`(.*)`$"), r"\1"),
    (re.compile(r"\(\*?([A-Za-z_]\w*)\)\."), r"\1."),
    (re.compile(r"<([\w:]+)(?:<[^ ]*>)? as [^>]+>"), r"\1"),
    (re.compile(r"^([^()\s]+)\(.*\)$"), r"\1"),
    (re.compile(r"(?<=\w)\[.*\]$"), ""),
    (re.compile(r"#L(\d+)(?:C\d+)?(?:-L?\d+(?:C\d+)?)?$"), r":\1"),
    (re.compile(r"(\.\w+:\d+):\d+$"), r"\1"),
    (re.compile(r"^crate::"), ""),
    (re.compile(r"\.prototype\."), "."),
)
"""In this order: quotes of Markdown, Go's `(*T).m`, Rust's `<T as Trait>::m`, arguments or types of
parameters, the case in the id of a pytest, the line in a link, a column, Rust's root, JavaScript's
prototype."""


def as_node_references(text: str) -> tuple[str, ...]:
    """Give what a reference of another tool may be as one of ours, the likeliest first.

    Empty where it is no other than the text itself, and for ids.
    """
    if _ID.match(text):
        return ()
    ours = text
    for pattern, written in _SPELLINGS:
        ours = pattern.sub(written, ours)
    path, mark, member = _parted(ours)
    named, placed = _dotted(f"{path}.{member}" if mark else ours), f"{path}:{_dotted(member)}"
    is_path = bool(mark) and "/" in path
    is_file = bool(mark) and _FILE.search(path) is not None
    found = (placed,) if is_path else (placed, named) if is_file else (named,)
    return tuple(each for each in found if each != text)


def _parted(text: str) -> tuple[str, str, str]:
    """Part a text at the first mark that tools write between a file or class and a name."""
    found = re.search(r"::?|#", text)
    if found is None:
        return text, "", ""
    return text[: found.start()], found[0], text[found.end() :]


def _dotted(name: str) -> str:
    return name.replace("::", ".").replace("#", ".")


def with_repeated_part(text: str) -> tuple[str, ...]:
    """Give the spellings of a dotted name in which one of its parts is also the name of a file.

    Java, and whoever has one class a file, writes `pack.Box.open` for what is `pack.Box.Box.open`
    here: of the class in the file of that name.
    """
    parts = text.split(".")
    return tuple(".".join(parts[: at + 1] + parts[at:]) for at in range(len(parts) - 1))
