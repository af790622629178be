"""Prints figures as Markdown tables, in the units that people compare."""

from collections.abc import Sequence

from benchmarks.building import BuildFigures
from benchmarks.querying import QueryFigures

_MB = 1_000_000


def print_build(figures: Sequence[BuildFigures]) -> None:
    """Print a row for each corpus, and where its time went."""
    header = (
        *("corpus", "files", "lines", "MB", "nodes", "edges", "floor s", "wall s", "times floor"),
        *("CPU s", "times floor", "peak MB", ".mubase MB", "times source"),
    )
    rows = [
        (
            figure.corpus,
            f"{figure.files:,}",
            f"{figure.lines:,}",
            f"{figure.source_bytes / _MB:.1f}",
            f"{figure.nodes:,}",
            f"{figure.edges:,}",
            f"{figure.floor.cpu:.2f}",
            f"{figure.build.wall:.2f}",
            f"{figure.wall_ratio:.2f}",
            f"{figure.build.cpu:.2f}",
            f"{figure.cpu_ratio:.2f}",
            f"{figure.peak_bytes / _MB:.0f}",
            f"{figure.graph_bytes / _MB:.1f}",
            f"{figure.size_ratio:.2f}",
        )
        for figure in figures
    ]
    print_table(header, rows)
    for figure in figures:
        stages = ", ".join(f"{name} {seconds:.2f}" for name, seconds in figure.stages.items())
        print(f"{figure.corpus}, wall seconds by stage: {stages}")
        again = (
            f"{figure.edited.wall:.2f} with a file changed, {figure.unchanged.wall:.2f} with none"
        )
        print(f"{figure.corpus}, wall seconds of the next build: {again}", flush=True)


def print_growth(figures: Sequence[BuildFigures]) -> None:
    """Print what a line costs as the corpus grows: level columns mean linear growth."""
    header = (
        "lines",
        "floor us/line",
        "wall us/line",
        "CPU us/line",
        "peak B/line",
        "graph B/line",
    )
    rows = [
        (
            f"{figure.lines:,}",
            f"{figure.floor.cpu / figure.lines * 1e6:.2f}",
            f"{figure.build.wall / figure.lines * 1e6:.2f}",
            f"{figure.build.cpu / figure.lines * 1e6:.2f}",
            f"{figure.peak_bytes / figure.lines:.0f}",
            f"{figure.graph_bytes / figure.lines:.1f}",
        )
        for figure in figures
    ]
    print_table(header, rows)


def print_queries(figures: Sequence[QueryFigures]) -> None:
    """Print a row for each question."""
    rows = [
        (
            figure.question,
            f"{figure.rows:,}" if figure.rows else "",
            f"{figure.seconds * 1000:.1f}",
            figure.against,
            f"{figure.ratio:.2f}",
        )
        for figure in figures
    ]
    print_table(("question", "rows", "ms", "against", "times"), rows)


def print_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a table whose columns line up."""
    print(format_table(header, rows), flush=True)


def format_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Write a table whose columns line up."""
    lines = [header, *rows]
    widths = [max(len(line[column]) for line in lines) for column in range(len(header))]
    written = []
    for line in (header, ["-" * width for width in widths], *rows):
        cells = [
            cell.ljust(width) if column == 0 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        ]
        written.append(f"| {' | '.join(cells)} |")
    return "\n".join(written)
