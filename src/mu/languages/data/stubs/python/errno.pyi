from typing import Any

errorcode: dict[int, str]
EACCES: int
EAGAIN: int
EEXIST: int
EINTR: int
EINVAL: int
EISDIR: int
ENOENT: int
ENOTDIR: int
ENOTEMPTY: int
EPERM: int
EPIPE: int
EWOULDBLOCK: int
def __getattr__(name: str) -> Any: ...
