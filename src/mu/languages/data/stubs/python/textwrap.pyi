from collections.abc import Callable
from typing import Any

class TextWrapper:
    width: int
    max_lines: int
    tabsize: int
    initial_indent: str
    subsequent_indent: str
    placeholder: str
    expand_tabs: bool
    replace_whitespace: bool
    fix_sentence_endings: bool
    drop_whitespace: bool
    break_long_words: bool
    break_on_hyphens: bool
    def wrap(self, text: str) -> list[str]: ...
    def fill(self, text: str) -> str: ...
    unicode_whitespace_trans: dict[Any, Any]
    wordsep_re: Any
    wordsep_simple_re: Any
    sentence_end_re: Any
    def __init__(self, width=..., initial_indent=..., *args: Any, **kwargs: Any) -> None: ...

def wrap(text: str, width: int = ..., **kwargs: Any) -> list[str]: ...
def fill(text: str, width: int = ..., **kwargs: Any) -> str: ...
def shorten(text: str, width: int, **kwargs: Any) -> str: ...
def dedent(text: str) -> str: ...
def indent(text: str, prefix: str, predicate: Callable[[str], Any] | None = ...) -> str: ...
