from contextlib import AbstractAsyncContextManager as AsyncContextManager
from contextlib import AbstractContextManager as ContextManager
from types import CapsuleType as CapsuleType
from typing import *
import typing
from enum import IntEnum
from typing import TypeVar

_T = TypeVar("_T")

Annotated: typing._SpecialForm
Any: typing._SpecialForm
ClassVar: typing._SpecialForm
Concatenate: typing._SpecialForm
Final: typing._SpecialForm
Literal: typing._SpecialForm
LiteralString: typing._SpecialForm
Never: typing._SpecialForm
NoReturn: typing._SpecialForm
NotRequired: typing._SpecialForm
Optional: typing._SpecialForm
ReadOnly: typing._SpecialForm
Required: typing._SpecialForm
Self: typing._SpecialForm
TypeAlias: typing._SpecialForm
TypeForm: typing._SpecialForm
TypeGuard: typing._SpecialForm
TypeIs: typing._SpecialForm
Union: typing._SpecialForm
Unpack: typing._SpecialForm
NoExtraItems: typing._SpecialForm

class deprecated:
    message: str
    category: type[Warning] | None
    stacklevel: int
    def __init__(
        self, message: str, *, category: type[Warning] | None = ..., stacklevel: int = ...
    ) -> None: ...
    def __call__(self, arg: _T) -> _T: ...

class Doc:
    documentation: str
    def __init__(self, documentation: str) -> None: ...

class Sentinel:
    def __init__(self, name: str, repr: str | None = ...) -> None: ...

class Format(IntEnum):
    VALUE: int
    FORWARDREF: int
    STRING: int

def disjoint_base(cls: type[_T]) -> type[_T]: ...
def evaluate_forward_ref(forward_ref: Any, **kwargs: Any) -> Any: ...
def get_annotations(
    obj: Any, *, globals: Any = ..., locals: Any = ..., eval_str: bool = ..., format: Any = ...
) -> dict[str, Any]: ...
def get_original_bases(cls: type) -> tuple[Any, ...]: ...
def type_repr(value: Any) -> str: ...
