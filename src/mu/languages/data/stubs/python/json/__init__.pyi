from json.decoder import JSONDecodeError as JSONDecodeError
from json.decoder import JSONDecoder as JSONDecoder
from json.encoder import JSONEncoder as JSONEncoder
from collections.abc import Callable
from typing import Any

def dumps(
    obj, *, skipkeys=..., ensure_ascii=..., check_circular=..., allow_nan=..., cls=..., indent=...,
    separators=..., default: Callable[[Any], Any] | None = ..., sort_keys=..., **kw: Any
) -> str: ...
def dump(
    obj, fp, *, skipkeys=..., ensure_ascii=..., check_circular=..., allow_nan=..., cls=...,
    indent=..., separators=..., default: Callable[[Any], Any] | None = ..., sort_keys=...,
    **kw: Any
) -> None: ...
def loads(
    s, *, cls=..., object_hook: Callable[[dict[str, Any]], Any] | None = ...,
    parse_float: Callable[[str], Any] | None = ..., parse_int: Callable[[str], Any] | None = ...,
    parse_constant: Callable[[str], Any] | None = ...,
    object_pairs_hook: Callable[[list[tuple[str, Any]]], Any] | None = ..., **kw: Any
) -> Any: ...
def load(
    fp, *, cls=..., object_hook: Callable[[dict[str, Any]], Any] | None = ...,
    parse_float: Callable[[str], Any] | None = ..., parse_int: Callable[[str], Any] | None = ...,
    parse_constant: Callable[[str], Any] | None = ...,
    object_pairs_hook: Callable[[list[tuple[str, Any]]], Any] | None = ..., **kw: Any
) -> Any: ...
def detect_encoding(b: bytes) -> str: ...
def __getattr__(name: str) -> Any: ...
