"""What a query may contain, kept as lists of words in text files beside this one."""

from functools import cache
from pathlib import Path


@cache
def allowed(name: str) -> frozenset[str]:
    """Read the words of `<name>.txt`; lines that begin with `#` and a space are comments."""
    text = Path(__file__).with_name(f"{name}.txt").read_text(encoding="utf-8")
    lines = (line for line in text.splitlines() if not line.startswith("# "))
    return frozenset(word for line in lines for word in line.split())
