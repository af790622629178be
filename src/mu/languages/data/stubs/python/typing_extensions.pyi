from contextlib import AbstractAsyncContextManager as AsyncContextManager
from contextlib import AbstractContextManager as ContextManager
from typing import *
from typing import Any, TypeVar
_T = TypeVar("_T")

class deprecated:
    message: str
    category: type[Warning] | None
    stacklevel: int
    def __init__(self, message: str, *, category=..., stacklevel=...) -> None: ...
    def __call__(self, arg: _T) -> _T: ...
def get_annotations(obj, *, globals=..., locals=..., **kwargs: Any) -> dict[str, Any]: ...
def __getattr__(name: str) -> Any: ...
