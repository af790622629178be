"""Which task a worker gets, by what it and the others know."""

from mu.kernel.workers.task_queue import TaskQueue
from mu.kernel.workers.worker_process import Task

SHARED = 100
"""What is left of a kind that is worth another worker."""


def backlog(*rows: tuple[str, int]) -> TaskQueue:
    tasks = (Task(key, weight, b"", kind=kind) for key, (kind, weight) in enumerate(rows))
    return TaskQueue(tasks, worth_sharing=SHARED)


def test_heavy_tasks_of_a_kind_come_first() -> None:
    waiting = backlog(("", 1), ("", 3), ("", 2), ("", 3))
    taken = [waiting.take({""}, elsewhere=()) for _ in range(4)]
    assert [task.key for task in taken if task] == [1, 3, 2, 0]
    assert not waiting


def test_a_worker_goes_on_with_what_it_knows() -> None:
    task = backlog(("go", 10), ("python", 900)).take({"go"}, elsewhere=())
    assert task is not None
    assert task.kind == "go"


def test_what_nobody_knows_comes_before_what_another_knows() -> None:
    task = backlog(("go", 10), ("python", 900)).take({"rust"}, elsewhere={"python"})
    assert task is not None
    assert task.kind == "go"


def test_much_of_a_kind_is_shared_and_little_is_left_to_who_knows_it() -> None:
    waiting = backlog(("python", 60), ("python", 60))
    first = waiting.take({"go"}, elsewhere={"python"})
    assert first is not None
    assert waiting.take({"go"}, elsewhere={"python"}) is None
    assert waiting.take({"python"}, elsewhere={"go"}) is not None


def test_a_worker_that_knows_nothing_is_given_something() -> None:
    assert backlog(("python", 1)).take((), elsewhere={"python"}) is not None


def test_what_nobody_is_left_to_know_is_done_by_another() -> None:
    assert backlog(("python", 1)).take({"go"}, elsewhere=()) is not None


def test_what_is_put_back_comes_first_and_counts_again() -> None:
    waiting = backlog(("python", 50), ("python", 40), ("go", 95))
    lost = [task for _ in range(2) if (task := waiting.take({"python"}, elsewhere=())) is not None]
    assert waiting.weight == 95
    waiting.put_back(lost)
    assert waiting.weight == 185
    assert waiting.take({"python"}, elsewhere=()) == lost[0]
