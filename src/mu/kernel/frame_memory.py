"""Reserve memory for the interpreter's frames, so that deep calls do not map it again and again.

CPython keeps the frames of a thread in chunks of 16 KB (`push_chunk` in its `pystate.c`). A call
that does not fit maps another chunk, and its return unmaps it. Linking and extraction recurse, so
an innermost loop may happen to run at the end of a chunk: each of its calls is then 200 times as
slow (3.11 to 3.13). A chunk is as large as its first frame requires, and the calls made from that
frame share it.
"""

from collections.abc import Callable
from functools import wraps
from types import FunctionType
from typing import ParamSpec, TypeVar

_Parameters = ParamSpec("_Parameters")
_Result = TypeVar("_Result")

_LARGE_FRAME = 131_000
"""Words that the first frame claims: just too many for 1 MB, so that the chunk has 2 MB. Linking
takes at most `STACK_FRAMES` further frames of some 25 words each. Only memory that is used is ever
mapped.
"""


def in_one_chunk(function: Callable[_Parameters, _Result]) -> Callable[_Parameters, _Result]:
    """Wrap a function so that all frames of the calls it makes fit into one chunk."""

    def call(*args: _Parameters.args, **kwargs: _Parameters.kwargs) -> _Result:
        return function(*args, **kwargs)

    code = call.__code__.replace(co_stacksize=_LARGE_FRAME)
    roomy: Callable[_Parameters, _Result] = FunctionType(code, globals(), closure=call.__closure__)
    return wraps(function)(roomy)
