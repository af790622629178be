from collections.abc import Iterator
from pathlib import Path

import pytest

from mu import bundle
from mu.syntax.grammars.grammar import load_grammar, read_grammar
from unit.syntax.toy import Language


@pytest.fixture
def language(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Language]:
    """A language of its own, in the place where MU looks for those it ships with."""
    monkeypatch.setattr(bundle, "grammars", lambda: tmp_path / "grammars")
    monkeypatch.setattr(bundle, "queries", lambda: tmp_path / "queries")
    _forget_grammars()
    yield Language(tmp_path)
    _forget_grammars()


def _forget_grammars() -> None:
    load_grammar.cache_clear()
    read_grammar.cache_clear()
