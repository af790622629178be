"""No text leaves MUQL: it is answered or refused, nothing else is touched, and the next one runs.

The whole of it, 50,000 texts of either sort, is asked for by `--texts 50000`.
"""

import hashlib
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from fakes.graphs import make_graph, write
from mu.errors import MuError
from mu.operations.queries.query import query
from mu.operations.workspace import Workspace
from mu.store import DamagedGraphError, NoGraphError
from properties.hostile import INJECTIONS, PLACES, fuzzed, graph_text, injected

FOREIGN = ("DuckDB", "Binder", "Catalog Error", "LINE 1", "exception")
CANARY = "what stands in no repository"
SEED = 20_261
EVERY = 100  # texts between looks at the rest


@dataclass(frozen=True, slots=True)
class Ground:
    """A workspace, and a file beside it that no query may show; `folder` holds both."""

    workspace: Workspace
    folder: Path

    @property
    def secret(self) -> Path:
        return self.folder / "secret.txt"

    def state(self) -> list[tuple[str, str]]:
        """Every file there is, and its digest."""
        files = sorted(path for path in self.folder.rglob("*") if path.is_file())
        return [(str(path), hashlib.sha256(path.read_bytes()).hexdigest()) for path in files]


@pytest.fixture
def ground(monkeypatch: pytest.MonkeyPatch) -> Iterator[Ground]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "project").mkdir()
        write(make_graph(graph_text()), folder / "project")
        monkeypatch.chdir(folder)
        with Workspace(folder / "project") as workspace:
            made = Ground(workspace, folder)
            made.secret.write_text(CANARY)
            yield made


def ask(ground: Ground, text: str, *, timeout: float = 2) -> MuError | None:
    """Ask as a user does; gives the refusal, and lets anything else out."""
    try:
        rows = query(ground.workspace, text, limit=10, timeout=timeout)
    except MuError as error:
        return error
    assert CANARY not in repr(rows)
    return None


def check(ground: Ground, texts: Iterator[str]) -> int:
    """Ask all the texts; gives how many there were."""
    before = ground.state()
    count = 0
    for count, text in enumerate(texts, start=1):
        error = ask(ground, text)
        told = f"{error.message}{error.hint}" if error else ""
        assert not error or error.message, text
        assert not isinstance(error, (DamagedGraphError, NoGraphError)), text
        assert not [word for word in FOREIGN if word in told and word not in text], text
        assert str(ground.folder) not in told or str(ground.folder) in text, text
        if count % EVERY == 0:
            assert ask(ground, "SELECT count(*) FROM nodes", timeout=300) is None, text
            assert ground.state() == before, text
    assert ask(ground, "SELECT count(*) FROM nodes", timeout=300) is None
    assert ground.state() == before
    return count


def test_what_is_injected_anywhere_is_text_or_refused(
    ground: Ground, pytestconfig: pytest.Config
) -> None:
    texts = pytestconfig.getoption("texts")
    step = max(1, len(INJECTIONS) * len(PLACES) // texts)
    secret, folder = str(ground.secret), str(ground.folder)

    assert len(set(INJECTIONS)) >= 500
    assert check(ground, injected(step=step, secret=secret, folder=folder)) >= min(
        texts, len(INJECTIONS) * len(PLACES)
    )


def test_cut_up_queries_are_answered_or_refused(
    ground: Ground, pytestconfig: pytest.Config
) -> None:
    count = pytestconfig.getoption("texts")

    assert check(ground, fuzzed(count, seed=SEED)) == count
