"""`python -m benchmarks [build|growth|query|sample|accuracy|exact|ledger|survival|assistant|...]`.

Without a word it runs the first three. Prints what it ran on and tables of figures; `--json FILE`
writes all of it. Without paths it takes trees that every environment of MU holds: networkx and the
standard library.
"""

import argparse
import json
import os
import platform
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path

from benchmarks import edits, exactness, history, kills, sampling, survival, tables
from benchmarks.accuracy.command import add_commands, run_command
from benchmarks.assistant import command as assistant
from benchmarks.building import BuildFigures, measure_build
from benchmarks.corpora import installed, multiply, stage
from benchmarks.daemon import command as daemon
from benchmarks.inputs import command as inputs
from benchmarks.ledger import command as ledger
from benchmarks.mutations import command as mutations
from benchmarks.querying import QueryFigures, measure_shell, measure_warm, write_synthetic
from benchmarks.retrieval import asking
from benchmarks.selection import command as selection
from benchmarks.soak import command as soak

_PACKAGES = ("mubase", "duckdb", "tree-sitter", "tree-sitter-python")

Measurement = Callable[[argparse.Namespace, Path], Sequence[BuildFigures | QueryFigures]]


def main(arguments: Sequence[str]) -> None:
    """Run what the command line asks for."""
    options = _parser().parse_args(arguments or ["all"])
    if options.what in _OTHERS:
        _OTHERS[options.what](options)
        return
    environment = _environment()
    print(", ".join(f"{name} {value}" for name, value in environment.items()))
    results: dict[str, object] = {"environment": environment}
    for name, measure in _MEASUREMENTS.items():
        if options.what in (name, "all"):
            print(f"\n{name}, medians of {options.runs} runs\n", flush=True)
            with tempfile.TemporaryDirectory(prefix="mu-bench-") as scratch:
                results[name] = [asdict(figures) for figures in measure(options, Path(scratch))]
    if options.json:
        options.json.write_text(json.dumps(results, indent=2) + "\n", encoding="utf-8")


def _build(options: argparse.Namespace, scratch: Path) -> list[BuildFigures]:
    sources = [(path, tuple(options.exclude)) for path in options.paths]
    figures = []
    for place, (path, exclude) in enumerate(sources or installed().values()):
        corpus = stage(path, scratch / str(place), exclude=exclude)
        figures.append(measure_build(corpus, runs=options.runs, jobs=options.jobs))
    tables.print_build(figures)
    return figures


def _growth(options: argparse.Namespace, scratch: Path) -> list[BuildFigures]:
    source, exclude = installed()["networkx"]
    if options.paths:
        source, exclude = options.paths[0], tuple(options.exclude)
    whole = stage(source, scratch / "whole", exclude=exclude)
    corpora = [
        stage(source, scratch / "quarter", exclude=exclude, step=4),
        stage(source, scratch / "half", exclude=exclude, step=2),
        whole,
        multiply(whole, scratch / "double", 2),
        multiply(whole, scratch / "fourfold", 4),
    ]
    figures = [measure_build(each, runs=options.runs, jobs=options.jobs) for each in corpora]
    tables.print_growth(figures)
    return figures


def _query(options: argparse.Namespace, scratch: Path) -> list[QueryFigures]:
    synthetic = scratch / "synthetic" / ".mubase"
    synthetic.parent.mkdir()
    nodes, edges = write_synthetic(synthetic, nodes=options.nodes, edges=options.edges)
    print(f"synthetic graph: {nodes:,} nodes, {edges:,} edges, {synthetic.stat().st_size:,} bytes")
    figures = measure_warm(synthetic, runs=options.runs)
    asked = options.paths[0] if options.what == "query" and options.paths else synthetic
    figures += measure_shell(asked.resolve(), runs=options.runs)
    tables.print_queries(figures)
    return figures


_MEASUREMENTS: dict[str, Measurement] = {"build": _build, "growth": _growth, "query": _query}


def _sample(options: argparse.Namespace) -> None:
    root = options.source or options.graph.resolve().parent
    text = sampling.draw(options.graph, root, options.kind, count=options.count, rules=options.rule)
    if options.output:
        options.output.write_text(text, encoding="utf-8")
    else:
        sys.stdout.write(text)


def _questions(options: argparse.Namespace) -> None:
    parts: dict[str, Callable[[asking.Project], asking.Questions]] = {
        "questions": lambda project: project.questions,
        "held out": lambda project: project.held_out,
        "what uses a name": lambda project: project.changed,
    }
    for title, of in parts.items():
        print(f"{title}\n\n{asking.report(asking.ask_all(options.sources, of))}\n")


def _exact(options: argparse.Namespace) -> None:
    results, all_checked = [], list[exactness.Checked]()
    for folder in options.folders:
        drawn, checked = exactness.check(folder.resolve(), count=options.count)
        results.append((folder.resolve().name, drawn, checked))
        all_checked += checked
    print(exactness.summary(results))
    text = exactness.table(all_checked)
    if options.output:
        options.output.write_text(text, encoding="utf-8")
    else:
        print(text)


_OTHERS = {
    "sample": _sample,
    "accuracy": run_command,
    "questions": _questions,
    "ledger": ledger.run_command,
    "inputs": inputs.run_command,
    "survival": survival.run_command,
    "edits": edits.run_command,
    "history": history.run_command,
    "kills": kills.run_command,
    "mutations": mutations.run_command,
    "exact": _exact,
    "soak": soak.run_command,
    "assistant": assistant.run,
    "daemon": daemon.run,
    "selection": selection.run_command,
}


def _environment() -> dict[str, str]:
    return {
        "python": platform.python_version(),
        **{name: version(name) for name in _PACKAGES},
        "system": f"{platform.system()} {platform.machine()}",
        "processors": str(os.cpu_count()),
    }


def _parser() -> argparse.ArgumentParser:
    shared = argparse.ArgumentParser(add_help=False)
    shared.add_argument("paths", nargs="*", type=Path, help="source trees; for query, a .mubase")
    shared.add_argument("--exclude", action="append", default=[], metavar="GLOB")
    shared.add_argument("--runs", type=int, default=5)
    shared.add_argument("--jobs", type=int)
    shared.add_argument("--nodes", type=int, default=100_000, help="of the synthetic graph")
    shared.add_argument("--edges", type=int, default=1_000_000, help="of the synthetic graph")
    shared.add_argument("--json", type=Path, metavar="FILE")
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    commands = parser.add_subparsers(dest="what", required=True)
    for name in (*_MEASUREMENTS, "all"):
        commands.add_parser(name, parents=[shared])
    sample = commands.add_parser("sample")
    sample.add_argument("graph", type=Path)
    sample.add_argument("--kind", choices=list(sampling.KINDS), required=True)
    sample.add_argument("--rule", action="append", default=[], help="only calls of these rules")
    sample.add_argument("--count", type=int, default=50)
    sample.add_argument("--source", type=Path, help="the tree it was built of, if elsewhere")
    sample.add_argument("--output", type=Path, metavar="FILE")
    questions = commands.add_parser("questions", help="ask search where things are")
    questions.add_argument("sources", type=Path, help="holds NAME-VERSION folders, with graphs")
    exact = commands.add_parser("exact", help="hold `exact` answers against the text")
    exact.add_argument("folders", nargs="+", type=Path, help="hold graphs, and what they are of")
    exact.add_argument("--count", type=int, default=30, help="nodes drawn of each graph")
    exact.add_argument("--output", type=Path, metavar="FILE", help="for the rows to be judged")
    add_commands(commands.add_parser("accuracy"))
    soak.add_arguments(commands.add_parser("soak", help="what MU has to survive"))
    names = commands.add_parser("ledger", help="names without a row in the ledger on their line")
    ledger.add_arguments(names)
    inputs.add_arguments(commands.add_parser("inputs", help="what texts cost that grow one way"))
    built = commands.add_parser("survival", help="build trees, and say what each build lost")
    survival.add_arguments(built)
    edited = commands.add_parser("edits", help="hold updated graphs against builds from scratch")
    edits.add_arguments(edited)
    followed = commands.add_parser("history", help="have graphs follow the commits of clones")
    history.add_arguments(followed)
    killed = commands.add_parser("kills", help="kill builds, and look at what they leave")
    kills.add_arguments(killed)
    mutations.add_command(commands)
    daemon.add_arguments(commands.add_parser("daemon", help="what the daemon stands and costs"))
    tested = commands.add_parser("selection", help="tests selected against those that fail")
    selection.add_arguments(tested)
    asked = commands.add_parser("assistant", help="what answers cost an assistant's window")
    asked.add_argument("repositories", nargs="+", metavar="NAME=FOLDER", help="built graphs")
    return parser


if __name__ == "__main__":
    main(sys.argv[1:])
