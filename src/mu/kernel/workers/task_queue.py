"""The tasks that wait for a worker, by what a worker has to know to do them.

Making a language ready takes a worker what parsing 300 kB takes, and what it learns of one is known
to itself alone. So a worker goes on with what it knows, then takes up what none knows, and shares a
kind that another knows only while much of it is left.
"""

from collections import Counter, deque
from collections.abc import Collection, Iterable

from mu.kernel.workers.worker_process import Task


class TaskQueue:
    """Tasks by kind, each kind in an order of its own: heavy ones first, so that workers finish
    together. A kind of which less than `worth_sharing` is left stays with those that know it.
    """

    def __init__(self, tasks: Iterable[Task], *, worth_sharing: int) -> None:
        self._worth_sharing = worth_sharing
        self._kinds: dict[str, deque[Task]] = {}
        self._weights: Counter[str] = Counter()  # those of what is left
        for task in sorted(tasks, key=lambda task: (-task.weight, task.key)):
            self._kinds.setdefault(task.kind, deque()).append(task)
            self._weights[task.kind] += task.weight

    def __len__(self) -> int:
        return sum(map(len, self._kinds.values()))

    def __bool__(self) -> bool:
        return bool(self._kinds)

    @property
    def weight(self) -> int:
        """The weight of all that is left."""
        return self._weights.total()

    def take(self, known: Collection[str], *, elsewhere: Collection[str]) -> Task | None:
        """Give the next task of a worker; None where what is left is better done by others.

        `known` are the kinds that it has done, `elsewhere` those that others have. A worker that
        has done nothing yet is given something: it was started to be used.
        """
        kind = self._most(known)
        if kind is None:
            kind = self._most(self._kinds.keys() - elsewhere)
        if kind is None:
            kind = self._most(self._kinds)
            if kind is None or (known and self._weights[kind] < self._worth_sharing):
                return None
        tasks = self._kinds[kind]
        task = tasks.popleft()
        self._weights[kind] -= task.weight
        if not tasks:
            del self._kinds[kind]
        return task

    def put_back(self, tasks: Iterable[Task]) -> None:
        """Let tasks wait again that were taken, in this order and before all others."""
        for task in reversed([*tasks]):
            self._kinds.setdefault(task.kind, deque()).appendleft(task)
            self._weights[task.kind] += task.weight

    def _most(self, kinds: Iterable[str]) -> str | None:
        """The kind, of these, of which the most is left."""
        left = [kind for kind in kinds if kind in self._kinds]
        return max(left, key=lambda kind: (self._weights[kind], kind), default=None)
