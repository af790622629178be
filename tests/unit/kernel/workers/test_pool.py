"""The supervised pool, with real processes that crash, hang, raise and print."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import psutil
import pytest

from mu.kernel.workers.pool import Outcome, WorkerPool, WorkerStartError
from mu.kernel.workers.worker_limits import WorkerLimits
from mu.kernel.workers.worker_process import Task

AMPLE = WorkerLimits(cpu=60.0)
"""What no task of these tests comes near."""


@pytest.fixture(autouse=True)
def fakes_importable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).parent))


@pytest.fixture(autouse=True)
def no_process_left() -> Iterator[None]:
    before = {child.pid for child in psutil.Process().children(recursive=True)}
    yield
    after = {child.pid for child in psutil.Process().children(recursive=True)}
    assert after <= before


def tasks(*texts: str, weight: int = 100) -> list[Task]:
    return [Task(key, weight, text.encode()) for key, text in enumerate(texts)]


def run(
    work: list[Task],
    folder: Path,
    *,
    limit: int = 2,
    limits: WorkerLimits = AMPLE,
    entry: str = "fake_work:set_up",
) -> dict[int, Outcome]:
    with WorkerPool(entry, os.fsencode(folder), limit=limit, limits=limits) as pool:
        outcomes = list(pool.run(work))
    by_key = {outcome.key: outcome for outcome in outcomes}
    assert len(outcomes) == len(by_key) == len(work)
    return by_key


def test_every_task_gets_its_own_result(tmp_path: Path) -> None:
    work = tasks(*(f"echo {number}" for number in range(500)))
    outcomes = run(work, tmp_path)
    assert [outcomes[key].payload for key in range(500)] == [b"%d" % key for key in range(500)]


def test_no_tasks_give_no_outcomes(tmp_path: Path) -> None:
    assert run([], tmp_path) == {}


def test_what_has_arrived_is_told_without_waiting_and_lost_for_nobody(tmp_path: Path) -> None:
    work = tasks("echo a", "kill", "echo b")
    with WorkerPool("fake_work:set_up", os.fsencode(tmp_path), limit=1, limits=AMPLE) as pool:
        assert not pool.has_arrived()
        outcomes = pool.run(work)
        assert not pool.has_arrived()  # the process starts only now
        deadline = time.monotonic() + 60
        while not pool.has_arrived():
            assert time.monotonic() < deadline
        found = {outcome.key: outcome for outcome in outcomes}
        assert not pool.has_arrived()
    assert [found[key].payload for key in (0, 2)] == [b"a", b"b"]
    assert found[1].is_lost


def test_results_larger_than_a_pipe_arrive_whole(tmp_path: Path) -> None:
    outcomes = run(tasks("large 5000000", "large 3000000", "large 1"), tmp_path)
    assert [len(outcomes[key].payload) for key in range(3)] == [5_000_000, 3_000_000, 1]


def test_many_long_tasks_do_not_block_the_pipes(tmp_path: Path) -> None:
    text = "e" * 4000
    outcomes = run(tasks(*(f"echo {text}{n}" for n in range(300)), weight=0), tmp_path)
    assert all(outcome.payload.startswith(b"eee") for outcome in outcomes.values())


def test_little_work_is_done_by_one_process(tmp_path: Path) -> None:
    outcomes = run(tasks(*["process"] * 50), tmp_path)
    assert len({outcome.payload for outcome in outcomes.values()}) == 1


def test_much_work_is_shared(tmp_path: Path) -> None:
    outcomes = run(tasks(*["process"] * 50, weight=1_000_000), tmp_path)
    assert len({outcome.payload for outcome in outcomes.values()}) == 2


def test_what_one_process_knows_is_not_learned_by_another(tmp_path: Path) -> None:
    much = [Task(key, 100_000, b"process", kind="much") for key in range(40)]
    little = [Task(100 + key, 10_000, b"process", kind="little") for key in range(20)]
    outcomes = run([*much, *little], tmp_path)
    assert len({outcome.payload for outcome in outcomes.values()}) == 2
    assert len({outcomes[task.key].payload for task in little}) == 1


@pytest.mark.parametrize(
    ("act", "reason"),
    [
        ("kill", "the worker process was ended by SIGKILL"),
        ("exit 3", "the worker process exited with status 3"),
    ],
)
def test_a_task_that_kills_its_worker_is_lost_alone(tmp_path: Path, act: str, reason: str) -> None:
    work = tasks(*["echo a"] * 20, act, *["echo b"] * 20)
    outcomes = run(work, tmp_path)
    assert outcomes[20] == Outcome(20, b"", reason, is_lost=True)
    assert all(outcome.payload for key, outcome in outcomes.items() if key != 20)


def test_a_worker_killed_from_outside_costs_no_task(tmp_path: Path) -> None:
    outcomes = run(tasks("echo a", "kill-once mark", "echo b"), tmp_path)
    assert [outcomes[key].payload for key in range(3)] == [b"a", b"second time", b"b"]


def test_several_killers_are_each_found(tmp_path: Path) -> None:
    work = tasks("kill", "echo 1", "exit 1", "echo 3", "kill", "echo 5")
    outcomes = run(work, tmp_path)
    assert [key for key, outcome in sorted(outcomes.items()) if outcome.is_lost] == [0, 2, 4]


def test_a_task_that_never_wakes_is_lost_alone(tmp_path: Path) -> None:
    outcomes = run(tasks("echo a", "hang", "echo b"), tmp_path, limits=WorkerLimits(wall=1.5))
    assert outcomes[1] == Outcome(1, b"", "took longer than 1.5 s", is_lost=True)
    assert outcomes[0].payload == b"a"
    assert outcomes[2].payload == b"b"


def test_a_task_that_takes_too_much_cpu_is_lost_alone(tmp_path: Path) -> None:
    outcomes = run(tasks("echo a", "spin 60", "echo b"), tmp_path, limits=WorkerLimits(cpu=0.2))
    assert outcomes[1] == Outcome(1, b"", "took longer than 0.2 s of CPU", is_lost=True)
    assert outcomes[0].payload == b"a"
    assert outcomes[2].payload == b"b"


def test_a_task_that_waits_takes_no_cpu(tmp_path: Path) -> None:
    assert run(tasks("wait 0.6"), tmp_path, limits=WorkerLimits(cpu=0.2))[0].payload == b"done"


def test_tasks_of_one_process_have_their_cpu_each(tmp_path: Path) -> None:
    outcomes = run(tasks(*["spin 0.2"] * 4), tmp_path, limit=1, limits=WorkerLimits(cpu=0.5))
    assert [outcome.payload for outcome in outcomes.values()] == [b"done"] * 4


def test_a_worker_may_take_longer_to_start_than_for_a_task(tmp_path: Path) -> None:
    outcomes = run(
        tasks("a"), tmp_path, limits=WorkerLimits(cpu=0.2), entry="fake_work:starts_slowly"
    )
    assert outcomes[0].failure == "KeyError: 'a'"


@pytest.mark.skipif(sys.platform != "linux", reason="nothing else limits what is allocated")
def test_a_task_that_takes_too_much_memory_is_lost_alone(tmp_path: Path) -> None:
    work = tasks("echo a", "grow 400000000", "echo b", "grow 100000000")
    outcomes = run(work, tmp_path, limits=WorkerLimits(memory=300_000_000))
    reason = "took more memory than a worker may: 300 MB"
    assert outcomes[1] == Outcome(1, b"", reason, is_lost=True)
    assert [outcomes[key].payload for key in (0, 2, 3)] == [b"a", b"b", b"100000000"]


@pytest.mark.skipif(sys.platform != "linux", reason="nothing else limits what is allocated")
def test_what_others_left_in_a_process_costs_no_task(tmp_path: Path) -> None:
    work = tasks(*["grow-for-good 100000000"] * 6)
    outcomes = run(work, tmp_path, limit=1, limits=WorkerLimits(memory=300_000_000))
    assert not any(outcome.failure for outcome in outcomes.values())
    assert len({outcome.payload for outcome in outcomes.values()}) > 1


def test_a_task_that_raises_says_so_and_its_worker_goes_on(tmp_path: Path) -> None:
    outcomes = run(tasks("process", "raise no such thing", "process"), tmp_path, limit=1)
    assert outcomes[1] == Outcome(1, b"", "ValueError: no such thing", is_lost=False)
    assert outcomes[0].payload == outcomes[2].payload


def test_what_a_task_prints_does_not_reach_the_results(tmp_path: Path) -> None:
    outcomes = run(tasks("print abc", "echo after"), tmp_path)
    assert outcomes[0].payload == b"printed"
    assert outcomes[1].payload == b"after"


def test_modules_of_the_current_folder_are_never_imported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "json.py").write_text("raise SystemExit('the repository was run')")
    (tmp_path / "sitecustomize.py").write_text("raise SystemExit('the repository was run')")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend("")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    outcomes = run(tasks("json", "path"), tmp_path)
    assert str(tmp_path) not in outcomes[0].payload.decode()
    folders = outcomes[1].payload.decode().split("\n")
    assert not {"", ".", str(tmp_path)} & set(folders)


def test_a_worker_does_not_import_the_main_module_of_its_parent(tmp_path: Path) -> None:
    modules = run(tasks("modules"), tmp_path)[0].payload.decode().split()
    assert not {"pytest", "mu.cli", "mu.store", "duckdb", "click", "rich"} & set(modules)


def test_a_worker_that_cannot_be_set_up_is_an_error_with_its_reason() -> None:
    with (
        WorkerPool("fake_work:broken", b"no grammar", limit=2, limits=AMPLE) as pool,
        pytest.raises(WorkerStartError, match="LookupError: no grammar"),
    ):
        list(pool.run(tasks("echo a")))


def test_a_worker_that_dies_at_its_start_is_an_error_with_its_last_words() -> None:
    with (
        WorkerPool("fake_work:dies_at_start", b"", limit=2, limits=AMPLE) as pool,
        pytest.raises(WorkerStartError, match="exited with status 7: no room for a parser"),
    ):
        list(pool.run(tasks("echo a")))


def test_leaving_early_ends_the_processes(tmp_path: Path) -> None:
    with WorkerPool("fake_work:set_up", os.fsencode(tmp_path), limit=2, limits=AMPLE) as pool:
        outcomes = pool.run(tasks("process", "hang", "hang", weight=1_000_000))
        with closing(outcomes):
            process = psutil.Process(int(next(outcomes).payload))
    assert not process.is_running()


PARENT = """
import sys
from mu.kernel.workers.pool import WorkerPool
from mu.kernel.workers.worker_process import Task
from mu.kernel.workers.worker_limits import WorkerLimits
sys.path.append(sys.argv[1])
LIMITS = WorkerLimits(wall=float(sys.argv[2]))
with WorkerPool("fake_work:set_up", b"", limit=1, limits=LIMITS) as pool:
    for outcome in pool.run([Task(0, 2, b"process"), Task(1, 1, sys.argv[3].encode())]):
        print(outcome.payload.decode(), flush=True)
"""


@pytest.mark.parametrize("by", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_no_worker_outlives_its_parent(by: signal.Signals) -> None:
    here = str(Path(__file__).parent)
    command = [sys.executable, "-c", PARENT, here, "0.5", "stall"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as parent:
        assert parent.stdout is not None
        worker = psutil.Process(int(parent.stdout.readline()))
        parent.send_signal(by)
        parent.wait()
        worker.wait()
    assert not worker.is_running()
