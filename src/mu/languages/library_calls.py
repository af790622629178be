"""The methods that library functions call on their arguments, receivers and results, as data."""

from collections.abc import Sequence
from functools import cache
from importlib.resources import files

import msgspec

from mu.resolve import NO_METHODS, MethodsCalled

MethodGroups = tuple[tuple[str, ...], ...]


class LibraryCalls(msgspec.Struct, frozen=True, kw_only=True):
    """The methods that library functions call, by the dotted names of these functions.

    A value is a list of groups, each a string of method names separated by spaces. `method_calls`
    are on the receiver or the first argument, `result_calls` on the result, `element_calls` on the
    elements of the argument or receiver; `argument_calls` has one group per argument.
    """

    method_calls: dict[str, Sequence[str]] = {}
    argument_calls: dict[str, Sequence[str]] = {}
    result_calls: dict[str, Sequence[str]] = {}
    element_calls: dict[str, Sequence[str]] = {}

    def methods_called(self, dotted: str) -> MethodsCalled:
        """Return the methods that a function calls; the object `NO_METHODS` if it calls none."""
        found = MethodsCalled(
            _split(self.method_calls.get(dotted, ())),
            _split(self.result_calls.get(dotted, ())),
            _split(self.element_calls.get(dotted, ())),
            _split(self.argument_calls.get(dotted, ())),
        )
        return found if any(found) else NO_METHODS


@cache
def load_library_calls(language: str) -> LibraryCalls:
    """Return the methods that the library of a language calls."""
    text = files("mu.languages").joinpath(f"data/{language}.toml").read_text(encoding="utf-8")
    return msgspec.toml.decode(text, type=LibraryCalls)


def _split(texts: Sequence[str]) -> MethodGroups:
    return tuple([tuple(text.split()) for text in texts])
