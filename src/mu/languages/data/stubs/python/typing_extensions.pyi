from contextlib import AbstractAsyncContextManager as AsyncContextManager
from contextlib import AbstractContextManager as ContextManager
from typing import *
import typing
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
TypeGuard: typing._SpecialForm
TypeIs: typing._SpecialForm
Union: typing._SpecialForm
Unpack: typing._SpecialForm
class deprecated:
    message: str
    category: type[Warning] | None
    stacklevel: int
    def __init__(self, message: str, *, category=..., stacklevel=...) -> None: ...
    def __call__(self, arg: _T) -> _T: ...
def get_annotations(obj, *, globals=..., locals=..., **kwargs: Any) -> dict[str, Any]: ...
