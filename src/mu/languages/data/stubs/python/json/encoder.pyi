from collections.abc import Callable, Iterator
from typing import Any

class JSONEncoder:
    item_separator: str
    key_separator: str
    skipkeys: bool
    ensure_ascii: bool
    check_circular: bool
    allow_nan: bool
    sort_keys: bool
    indent: int | str | None
    def __init__(
        self, *, skipkeys=..., ensure_ascii=..., check_circular=..., allow_nan=..., sort_keys=...,
        indent=..., separators=..., default: Callable[[Any], Any] | None = ...,
    ) -> None: ...
    def default(self, o: Any) -> Any: ...
    def encode(self, o: Any) -> str: ...
    def iterencode(self, o: Any) -> Iterator[str]: ...
def __getattr__(name: str) -> Any: ...
