from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar
_P = ParamSpec("_P")
_T = TypeVar("_T")

def register(func: Callable[_P, _T], *args: Any, **kwargs: Any) -> Callable[_P, _T]: ...
def unregister(func: Callable[..., Any]) -> None: ...
