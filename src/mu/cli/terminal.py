"""The width of the terminal, without `shutil`, whose import is slow at start."""

import os


def width(default: int = 80) -> int:
    """Return the columns to write for: `COLUMNS`, else what the terminal says, else `default`."""
    told = os.environ.get("COLUMNS", "")
    if told.isdecimal() and int(told) > 0:
        return max(int(told), 40)
    try:
        return max(os.get_terminal_size().columns, 40)
    except (OSError, ValueError):
        return default
