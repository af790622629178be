"""Indexing a folder: what one bad file costs, and what may not change the graph."""

import gc
import random
from pathlib import Path

import psutil
import pytest

from mu.errors import ExitCode, MuError
from mu.kernel import BuildReport, BuildSettings, index
from mu.kernel.indexing.indexer import NothingToIndexError
from mu.kernel.report import Discovered, Event, Extracted, Linking, Skipped
from mu.kernel.workers.worker_limits import WorkerLimits
from mu.model.graph import Graph
from mu.source import WalkOptions


@pytest.fixture(autouse=True)
def faults_importable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).parents[1]))


def write(root: Path, files: dict[str, str]) -> Path:
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    return root


def index_with_faults(root: Path, *, wall: float = 60.0) -> tuple[Graph, BuildReport]:
    settings = BuildSettings(
        jobs=2, limits=WorkerLimits(wall=wall), entry="faulty_extraction:set_up"
    )
    return index(root, settings)[:2]


MODULES = {f"pkg/m{number}.py": f"def f{number}():\n    return {number}\n" for number in range(12)}


@pytest.mark.parametrize(
    ("name", "reason", "wall"),
    [
        ("kills.py", "the worker process was ended by SIGKILL", 60.0),
        ("hangs.py", "took longer than 1.5 s", 1.5),
        ("grows.py", "took more memory than a worker may: 1500 MB", 60.0),
        ("raises.py", "RuntimeError: a bug in the extractor", 60.0),
    ],
)
def test_a_file_that_cannot_be_extracted_is_reported_and_all_others_are_indexed(
    tmp_path: Path, name: str, reason: str, wall: float
) -> None:
    write(tmp_path, {**MODULES, f"pkg/{name}": "x = 1\n"})
    graph, report = index_with_faults(tmp_path, wall=wall)
    assert report.skipped == (Skipped(f"pkg/{name}", reason, is_lost=True),)
    assert report.is_partial
    assert report.indexed == len(MODULES)
    by_status = {file.path: (file.status, file.reason) for file in graph.files}
    assert by_status[f"pkg/{name}"] == ("skipped", reason)
    assert all(by_status[path] == ("indexed", "") for path in MODULES)


def test_files_have_the_number_of_their_place_by_path(tmp_path: Path) -> None:
    write(tmp_path, {"b.py": "", "a.py": "", "c/a.py": "", "B.py": ""})
    graph = index(tmp_path, BuildSettings()).graph
    assert [file.path for file in graph.files] == ["B.py", "a.py", "b.py", "c/a.py"]
    assert [file.key for file in graph.files] == [0, 1, 2, 3]


def test_what_was_parsed_is_what_is_recorded(tmp_path: Path) -> None:
    write(tmp_path, {"a.py": "x = 1\ny = 2\n", "broken.py": "def f(:\n"})
    graph, report, *_ = index(tmp_path, BuildSettings())
    first, broken = graph.files
    assert (first.bytes, first.lines, len(first.digest), first.problems) == (12, 2, 32, ())
    assert broken.status == "indexed"
    assert broken.problems[0].startswith("1: ")
    assert (report.problems, report.bytes, report.lines) == (1, 20, 3)


def test_neither_order_nor_number_of_workers_changes_the_graph(tmp_path: Path) -> None:
    files = {
        **MODULES,
        "pkg/__init__.py": "from pkg.m1 import f1\n",
        "pkg/sub/deep.py": "from pkg import f1, m2\n\nclass A:\n    def g(self):\n        f1()\n",
        "pkg/sub/big.py": "x = [" + "1, " * 100_000 + "]\n",
        "broken.py": "class (:\n",
    }
    shuffle = random.Random(7)
    digests = set()
    for number, jobs in enumerate((1, 2, 3)):
        order = list(files)
        shuffle.shuffle(order)
        root = write(tmp_path / str(number), {path: files[path] for path in order})
        report = index(root, BuildSettings(jobs=jobs)).report
        digests.add(report.digest)
    assert len(digests) == 1


def test_a_change_of_one_file_changes_the_digest(tmp_path: Path) -> None:
    write(tmp_path, MODULES)
    before = index(tmp_path, BuildSettings()).report
    write(tmp_path, {"pkg/m3.py": "def f3():\n    return 33\n"})
    after = index(tmp_path, BuildSettings()).report
    assert before.digest != after.digest


def test_events_tell_each_step_in_order(tmp_path: Path) -> None:
    write(tmp_path, {"a.py": "x = 1\n", "b.py": "y = 22\n", "c.py": "\0"})
    events: list[Event] = []
    index(tmp_path, BuildSettings(), on_event=events.append)
    assert events[0] == Discovered(files=3, skipped=0, bytes=14)
    assert [event.done for event in events if isinstance(event, Extracted)] == [1, 2, 3]
    assert events[-2:] == [Extracted(3, 3, 14), Linking(2)]


def test_the_garbage_collector_is_as_it_was_afterwards(tmp_path: Path) -> None:
    assert gc.isenabled()
    write(tmp_path, {"a.py": "x = 1\n"})
    index(tmp_path, BuildSettings())
    assert gc.isenabled()
    with pytest.raises(NothingToIndexError):
        index(tmp_path, BuildSettings(walk=WalkOptions(exclude=("*.py",))))
    assert gc.isenabled()


def test_no_worker_stays_when_the_listener_raises(tmp_path: Path, new_interpreters: None) -> None:
    write(tmp_path, MODULES)
    before = psutil.Process().children()

    def interrupt(event: Event) -> None:
        if isinstance(event, Extracted):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        index(tmp_path, BuildSettings(), on_event=interrupt)
    assert psutil.Process().children() == before


def test_a_folder_without_sources_is_refused(tmp_path: Path) -> None:
    (tmp_path / "data.csv").write_text("nothing")
    with pytest.raises(NothingToIndexError, match="no file of a known language here"):
        index(tmp_path, BuildSettings())


def test_an_unknown_language_is_a_mistake_of_use(tmp_path: Path) -> None:
    with pytest.raises(MuError, match="unknown language 'klingon'") as caught:
        index(tmp_path, BuildSettings(walk=WalkOptions(languages=("klingon",))))
    assert caught.value.code is ExitCode.USAGE
