"""Violations of architecture rules that a repository accepts for now: `mu-baseline.json`.

The file may only shrink: once it is there, violations leave it when they are mended, and none comes
in. Lines are not in it, so that edits elsewhere change nothing.
"""

import os
from collections.abc import Iterable
from pathlib import Path
from stat import S_ISREG

import msgspec

from mu.errors import MuError

BASELINE_NAME = "mu-baseline.json"

_LARGEST = 10_000_000  # bytes

Key = tuple[str, ...]
"""The name of the rule, then what tells a violation of it apart."""


def read_baseline(root: Path) -> frozenset[Key] | None:
    """Read the accepted violations; None where there is no file.

    Raises MuError for what is no such file: a link, a device, other JSON, or over 10 MB.
    """
    try:
        descriptor = os.open(root / BASELINE_NAME, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise MuError(f"{BASELINE_NAME}: cannot be read: {error.strerror}") from error
    with os.fdopen(descriptor, "rb") as file:
        if not S_ISREG(os.fstat(file.fileno()).st_mode):
            raise MuError(f"{BASELINE_NAME}: not a regular file")
        content = file.read(_LARGEST + 1)
    if len(content) > _LARGEST:
        raise MuError(f"{BASELINE_NAME}: larger than {_LARGEST} bytes")
    try:
        return frozenset(msgspec.json.decode(content, type=list[Key]))
    except msgspec.MsgspecError as error:
        raise MuError(
            f"{BASELINE_NAME}: not a list of violations: {error}",
            "remove it, and run `mu check --update-baseline`",
        ) from error


def write_baseline(root: Path, keys: Iterable[Key]) -> None:
    """Write the accepted violations, sorted, one a line; the file is replaced as a whole."""
    lines = [msgspec.json.encode(key).decode() for key in sorted(keys)]
    text = "[\n" + ",\n".join(lines) + "\n]\n" if lines else "[]\n"
    fresh = root / f"{BASELINE_NAME}.{os.getpid()}.tmp"
    try:
        fresh.write_text(text, encoding="utf-8")
        fresh.replace(root / BASELINE_NAME)
    except OSError as error:
        raise MuError(f"{BASELINE_NAME}: cannot be written: {error.strerror}") from error
