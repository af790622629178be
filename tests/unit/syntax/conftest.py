from collections.abc import Iterator
from pathlib import Path

import pytest

from mu import bundle
from mu.syntax import load_grammar
from unit.syntax.toy import Language


@pytest.fixture
def language(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Language]:
    """A language of its own, in the place where MU looks for those it ships with."""
    monkeypatch.setattr(bundle, "grammars", lambda: tmp_path / "grammars")
    monkeypatch.setattr(bundle, "queries", lambda: tmp_path / "queries")
    load_grammar.cache_clear()
    yield Language(tmp_path)
    load_grammar.cache_clear()
