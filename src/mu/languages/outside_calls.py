"""What functions of a language's library call on what they are handed, told in a file of data."""

from collections.abc import Sequence
from functools import cache
from importlib.resources import files

import msgspec

Methods = tuple[tuple[str, ...], ...]


class LibraryCalls(msgspec.Struct, frozen=True, kw_only=True):
    """The methods that are called, by the dotted names of the functions that call them."""

    method_calls: dict[str, Sequence[str]] = {}
    argument_calls: dict[str, Sequence[str]] = {}
    result_calls: dict[str, Sequence[str]] = {}
    element_calls: dict[str, Sequence[str]] = {}

    def on_receiver(self, dotted: str) -> Methods:
        """What a function calls on what it is called on; of several in one place, the first."""
        return _split(self.method_calls.get(dotted, ()))

    def on_arguments(self, dotted: str) -> Methods:
        """What it calls on each of its arguments, in order."""
        return _split(self.argument_calls.get(dotted, ()))

    def on_result(self, dotted: str) -> Methods:
        """What it calls on what it gives."""
        return _split(self.result_calls.get(dotted, ()))

    def on_elements(self, dotted: str) -> Methods:
        """What it calls on the elements of its argument."""
        return _split(self.element_calls.get(dotted, ()))


@cache
def load_calls(language: str) -> LibraryCalls:
    """What is told of the library of a language."""
    text = files("mu.languages").joinpath(f"data/{language}.toml").read_text(encoding="utf-8")
    return msgspec.toml.decode(text, type=LibraryCalls)


def _split(texts: Sequence[str]) -> Methods:
    return tuple([tuple(text.split()) for text in texts])
