"""The one place where a name or a literal becomes SQL text."""


def quote_name(name: str) -> str:
    """Quote an identifier."""
    return '"' + name.replace('"', '""') + '"'


def quote_literal(text: str) -> str:
    """Quote a string, for the few statements that take no bound parameter."""
    return "'" + text.replace("'", "''") + "'"
