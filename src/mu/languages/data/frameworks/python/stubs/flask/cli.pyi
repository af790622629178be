from collections.abc import Callable
from typing import Any, TypeVar

from click import Command, Group

_F = TypeVar("_F", bound=Callable[..., Any])

def __getattr__(name: str) -> Any: ...

class AppGroup(Group):
    def command(self, *args, **kwargs) -> Callable[[Callable[..., Any]], Command]: ...
    def group(self, *args, **kwargs) -> Callable[[Callable[..., Any]], Group]: ...

class FlaskGroup(AppGroup):
    def __getattr__(self, name: str) -> Any: ...

def with_appcontext(f: _F) -> _F: ...
