from enum import Enum
from typing import Any

class SafeUUID(Enum):
    safe: SafeUUID
    unsafe: SafeUUID
    unknown: SafeUUID

class UUID:
    bytes: Any
    bytes_le: Any
    fields: Any
    clock_seq: Any
    clock_seq_hi_variant: Any
    clock_seq_low: Any
    int: Any
    node: Any
    time: Any
    time_hi_version: Any
    time_low: Any
    time_mid: Any
    hex: str
    urn: str
    variant: str
    version: Any
    is_safe: SafeUUID
    def __int__(self) -> Any: ...
    def __init__(self, hex=..., bytes=..., bytes_le=..., *args: Any, **kwargs: Any) -> None: ...

def getnode() -> int: ...
def uuid1(node: int | None = ..., clock_seq: int | None = ...) -> UUID: ...
def uuid3(namespace: UUID, name: str) -> UUID: ...
def uuid4() -> UUID: ...
def uuid5(namespace: UUID, name: str) -> UUID: ...
NAMESPACE_DNS: UUID
NAMESPACE_URL: UUID
NAMESPACE_OID: UUID
NAMESPACE_X500: UUID
RESERVED_NCS: str
RFC_4122: str
RESERVED_MICROSOFT: str
RESERVED_FUTURE: str
def __getattr__(name: str) -> Any: ...
