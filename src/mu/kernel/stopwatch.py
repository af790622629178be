"""Wall time by stage."""

import time

from mu.kernel.report import Stage


class Stopwatch:
    """A timer of consecutive stages; `stages` holds those that ended."""

    def __init__(self) -> None:
        self.stages: list[Stage] = []
        self._since = time.perf_counter()

    def lap(self, name: str) -> None:
        """End the running stage and call it `name`; the next begins."""
        now = time.perf_counter()
        self.stages.append(Stage(name, now - self._since))
        self._since = now

    @property
    def total(self) -> float:
        """The seconds of all stages that ended."""
        return sum(stage.seconds for stage in self.stages)
