"""Wall time stage by stage."""

import time

from mu.kernel.report import Stage


class Stopwatch:
    """Times stages that follow one another; `stages` holds those that ended."""

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
        """Seconds of all stages that ended."""
        return sum(stage.seconds for stage in self.stages)
