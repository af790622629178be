"""Literals and conditions of the queries that answer a question."""


def quoted(text: str) -> str:
    """Write a text as a literal of a query."""
    return "'" + text.replace("'", "''") + "'"


def lies_within(scope: str) -> str:
    """The condition for nodes in a file, folder, package or class; true without one."""
    if not scope:
        return "true"
    part = scope.strip("/").removeprefix("./")
    folder, dotted = quoted(f"/{part}/"), quoted(f".{part.replace('/', '.')}.")
    return (
        f"(contains('/' || path || '/', {folder})"
        f" OR contains('.' || qualified_name || '.', {dotted}))"
    )


def lies_beyond(scope: str) -> str:
    """The condition for nodes that do not lie there; true without a place."""
    return f"NOT {lies_within(scope)}" if scope else "true"


def conjunction(*conditions: str) -> str:
    """Write WHERE with those conditions that are not simply true; empty when none is left."""
    told = [text for text in conditions if text != "true"]
    return f" WHERE {' AND '.join(told)}" if told else ""
