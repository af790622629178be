"""What functions of a language's library call on what they are handed, told in a file of data."""

from collections.abc import Sequence
from functools import cache
from importlib.resources import files

import msgspec

from mu.resolve import NO_METHODS, MethodsCalled

MethodGroups = tuple[tuple[str, ...], ...]


class LibraryCalls(msgspec.Struct, frozen=True, kw_only=True):
    """The methods that are called, by the dotted names of the functions that call them."""

    method_calls: dict[str, Sequence[str]] = {}
    argument_calls: dict[str, Sequence[str]] = {}
    result_calls: dict[str, Sequence[str]] = {}
    element_calls: dict[str, Sequence[str]] = {}

    def of(self, dotted: str) -> MethodsCalled:
        """The methods that a function calls; `NO_METHODS` itself where there are none."""
        found = MethodsCalled(
            _split(self.method_calls.get(dotted, ())),
            _split(self.result_calls.get(dotted, ())),
            _split(self.element_calls.get(dotted, ())),
            _split(self.argument_calls.get(dotted, ())),
        )
        return found if any(found) else NO_METHODS


@cache
def load_calls(language: str) -> LibraryCalls:
    """What is told of the library of a language."""
    text = files("mu.languages").joinpath(f"data/{language}.toml").read_text(encoding="utf-8")
    return msgspec.toml.decode(text, type=LibraryCalls)


def _split(texts: Sequence[str]) -> MethodGroups:
    return tuple([tuple(text.split()) for text in texts])
