"""Text of a repository in Markdown, so that no mark in it acts."""

from mu.render.text import printable

_MARKS = ("\\", "`", "*", "_", "[", "]", "|", "@", "#")


def code(text: str) -> str:
    """Write a name as code."""
    marks = "``" if "`" in text else "`"
    return f"{marks}{printable(text)}{marks}"


def escaped(text: str) -> str:
    """Escape what Markdown and HTML would take for marks; arrows become signs."""
    kept = printable(text)
    for mark in _MARKS:
        kept = kept.replace(mark, f"\\{mark}")
    return kept.replace("&", "&amp;").replace("<", "&lt;").replace("->", "→").replace(">", "&gt;")
