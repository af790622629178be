from enum import IntEnum, StrEnum
from typing import Any

class HTTPStatus(IntEnum):
    def __getattr__(self, name: str) -> Any: ...
    phrase: str
    description: str
    is_informational: bool
    is_success: bool
    is_redirection: bool
    is_client_error: bool
    is_server_error: bool
class HTTPMethod(StrEnum):
    def __getattr__(self, name: str) -> Any: ...
    description: str
