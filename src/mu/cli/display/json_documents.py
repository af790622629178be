"""A result that is no table, as JSON."""

import msgspec

from mu.render.text import visible_json


def document(result: object) -> str:
    """Write a result with all it holds as an indented document; nothing in it is hidden or acts."""
    return visible_json(msgspec.json.format(msgspec.json.encode(result), indent=2).decode())


def encoded(result: object) -> str:
    """Write a frozen result as an indented document, in ASCII so that it can be printed anywhere.

    Keys of nodes are left out, as they mean nothing outside their file, and so is how a node was
    asked for.
    """
    import json  # few commands write such a document

    plain = _without_keys(msgspec.to_builtins(result))
    return json.dumps(plain, indent=2).replace("\x7f", "\\u007f")


def _without_keys(value: object) -> object:
    if isinstance(value, dict):
        kept = {name: _without_keys(part) for name, part in value.items()}
        if "qualified_name" in kept:
            kept.pop("key", None)
            kept.pop("is_alone", None)
        return kept
    return [_without_keys(part) for part in value] if isinstance(value, list | tuple) else value
