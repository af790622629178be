"""Read the options of the build that a graph records."""

from collections.abc import Mapping
from typing import TypeVar

import msgspec

from mu.source import WalkOptions

Option = TypeVar("Option")


def walk_options(meta: Mapping[str, str]) -> WalkOptions:
    """Give which files were taken."""
    return read_option(meta, "walk", kind=WalkOptions)


def read_option(meta: Mapping[str, str], name: str, *, kind: type[Option]) -> Option:
    """Read an option of the build back, its default where a file of another version has others."""
    try:
        options = msgspec.json.decode(meta.get("options", ""), type=dict[str, msgspec.Raw])
        return msgspec.json.decode(options[name], type=kind)
    except (msgspec.MsgspecError, KeyError):
        return kind()


def read_number(meta: Mapping[str, str], name: str) -> int:
    """Read a whole number back, 0 where there is none."""
    text = meta.get(name, "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 20 else 0
