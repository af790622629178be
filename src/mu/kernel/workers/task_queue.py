"""The tasks that wait for a worker, by kind: what a worker has to load to do them.

Loading a language costs a worker as much as parsing 300 kB, and workers do not share what they
learn of one. So a worker first takes tasks of the kinds it has done, then those of kinds that no
worker has done, and shares another worker's kind only while much of it is left.
"""

from collections import Counter, deque
from collections.abc import Collection, Iterable

from mu.kernel.workers.worker_process import Task


class TaskQueue:
    """Tasks by kind, the heaviest of each kind first, so that workers finish together.

    A kind of which less than `worth_sharing` is left stays with the workers that have done it.
    """

    def __init__(self, tasks: Iterable[Task], *, worth_sharing: int) -> None:
        self._worth_sharing = worth_sharing
        self._kinds: dict[str, deque[Task]] = {}
        self._weights: Counter[str] = Counter()  # of the tasks left, by kind
        for task in sorted(tasks, key=lambda task: (-task.weight, task.key)):
            self._kinds.setdefault(task.kind, deque()).append(task)
            self._weights[task.kind] += task.weight

    def __len__(self) -> int:
        return sum(map(len, self._kinds.values()))

    def __bool__(self) -> bool:
        return bool(self._kinds)

    @property
    def weight(self) -> int:
        """The total weight of the tasks that are left."""
        return self._weights.total()

    def take(self, known: Collection[str], *, elsewhere: Collection[str]) -> Task | None:
        """Remove and return the next task for a worker; None if the rest is better done by others.

        `known` are the kinds that it has done, `elsewhere` those that others have. A worker that
        has done nothing yet always gets a task: it was started to be used.
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
        """Put tasks that were taken back into the queue, in this order and before all others."""
        for task in reversed([*tasks]):
            self._kinds.setdefault(task.kind, deque()).appendleft(task)
            self._weights[task.kind] += task.weight

    def _most(self, kinds: Iterable[str]) -> str | None:
        """Return the one of some kinds with the greatest weight left; None if none has tasks."""
        left = [kind for kind in kinds if kind in self._kinds]
        return max(left, key=lambda kind: (self._weights[kind], kind), default=None)
