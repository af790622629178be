"""A build's progress on a terminal: one bar with counts, rate and what is being done.

Off a terminal nothing is shown and `rich`, whose import is dear, is not loaded.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from mu.kernel.report import (
    Discovered,
    Event,
    Extracted,
    Linking,
    OnEvent,
    Published,
    Waiting,
    Writing,
)


@contextmanager
def build_progress() -> Iterator[OnEvent]:
    """Show a bar on standard error while the block runs; give what takes the build's events."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.fields[detail]}"),
        TimeElapsedColumn(),
    )
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, refresh_per_second=5) as progress:
        bar = progress.add_task("looking for sources", total=None, detail="")
        started = progress.get_time()

        def show(event: Event) -> None:
            seconds = progress.get_time() - started
            done, total = _amount(event)
            progress.update(
                bar,
                description=_description(event),
                completed=done,
                total=total,
                detail=_detail(event, seconds),
            )

        yield show


def _description(event: Event) -> str:
    match event:
        case Waiting(seconds):
            return f"waiting up to {seconds:g} s for another build"
        case Discovered() | Extracted():
            return "reading"
        case Linking(files):
            return f"resolving names of {files:,} files"
        case Writing(nodes, edges):
            return f"writing {nodes:,} nodes and {edges:,} edges"
        case Published():
            return "done"


def _amount(event: Event) -> tuple[int, int | None]:
    match event:
        case Discovered(files):
            return 0, files
        case Extracted(done, files):
            return done, files
        case _:
            return 0, None  # a bar without a total moves to and fro


def _detail(event: Event, seconds: float) -> str:
    match event:
        case Extracted(done, files, size):
            rate = size / 1e6 / max(seconds, 0.001)
            return f"{done:,} of {files:,} files, {rate:.1f} MB/s"
        case _:
            return ""
