"""A build's progress on a terminal: one bar with counts, rate and what is being done.

The bar goes by bytes, because the largest files come first.

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
            match event:
                case Discovered(bytes=size):
                    progress.update(bar, total=size)
                case Extracted(bytes=size):
                    progress.update(bar, completed=size)
                case _:
                    progress.update(bar, total=None)  # a bar without a total moves to and fro
            detail = _detail(event, progress.get_time() - started)
            progress.update(bar, description=_description(event), detail=detail)

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


def _detail(event: Event, seconds: float) -> str:
    match event:
        case Extracted(done, files, size):
            rate = size / 1e6 / max(seconds, 0.001)
            return f"{done:,} of {files:,} files, {rate:.1f} MB/s"
        case _:
            return ""
