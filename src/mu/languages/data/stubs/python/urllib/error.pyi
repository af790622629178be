from email.message import Message
from urllib.response import addinfourl
from typing import Any

class URLError(OSError):
    reason: Any
    filename: str | None
    def __init__(self, reason: Any, filename: str | None = ...) -> None: ...
class HTTPError(URLError, addinfourl):
    code: int
    msg: str
    hdrs: Message
    fp: Any
    def __init__(self, url: str, code: int, msg: str, hdrs: Message, fp: Any) -> None: ...
class ContentTooShortError(URLError):
    content: Any
    def __init__(self, message: str, content: Any) -> None: ...
