"""`python -m benchmarks accuracy trace|recall|precision|measure|peers|table`, by package."""

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import copytree, ignore_patterns

from benchmarks.accuracy.graph import TracedGraph, build_graph
from benchmarks.accuracy.packages import (
    Package,
    PreparationError,
    find_interpreter,
    load_packages,
    make_environment,
    make_tree,
)
from benchmarks.accuracy.peers import (
    Failure,
    Figures,
    Peer,
    call_figures,
    compare_imports,
    graph_calls,
    graph_imports,
    install,
    is_run_on,
    load_peers,
    named_calls,
    write_figures,
)
from benchmarks.accuracy.peers import run as run_peer
from benchmarks.accuracy.precision import check_targets
from benchmarks.accuracy.recall import Recall, measure_recall
from benchmarks.accuracy.report import print_missed, print_recall, print_suspects, write_rows
from benchmarks.accuracy.results import (
    figures_of,
    judged_by_rule,
    read_results,
    write_measured,
    write_results,
)
from benchmarks.accuracy.table import write_page
from benchmarks.accuracy.tracing import Trace, TraceError, read_trace, trace_program

TRACES = Path(__file__).with_name("traces")
_NO_SOURCE = ignore_patterns(".git", ".mubase", "__pycache__", "*.egg-info")


def add_commands(parser: argparse.ArgumentParser) -> None:
    """Add the sub-commands of `accuracy`."""
    shared = argparse.ArgumentParser(add_help=False)
    shared.add_argument("packages", nargs="*", help="names in packages.toml; else all")
    shared.add_argument("--folder", type=Path, required=True, help="where sources are kept")
    sources = {"action": "append", "default": [], "metavar": "NAME=TREE"}
    shared.add_argument("--source", **sources, help="a tree with tests, for want of a release")
    commands = parser.add_subparsers(dest="step", required=True)
    trace = commands.add_parser("trace", parents=[shared], help="run the tests of packages")
    trace.add_argument("--python", help="an interpreter, 3.12 or newer; else one is looked for")
    recall = commands.add_parser("recall", parents=[shared], help="which calls are edges")
    recall.add_argument("--missed", type=int, default=0, metavar="N", help="N examples a cause")
    recall.add_argument("--rows", type=Path, metavar="FILE", help="write every pair, to compare")
    precision = commands.add_parser("precision", parents=[shared], help="which edges did not run")
    precision.add_argument("--suspects", type=int, default=20, metavar="N", help="N a finding")
    commands.add_parser("measure", parents=[shared], help="write both to results.json")
    peers = commands.add_parser("peers", parents=[shared], help="run other tools on the same")
    peers.add_argument("--only", action="append", default=[], metavar="TOOL", help="else all")
    imports = {"action": "append", "default": [], "metavar": "NAME=TREE"}
    peers.add_argument("--imports", **imports, help="a tree whose imports alone are compared")
    peers.add_argument("--show", type=int, default=0, metavar="N", help="N imports that differ")
    commands.add_parser("table", help="write the page's tables from results.json")


def run_command(options: argparse.Namespace) -> None:
    """Run one sub-command; ends the process with a message when something cannot be had."""
    try:
        _STEPS[options.step](options)
    except (PreparationError, TraceError) as error:
        sys.exit(str(error))


def _trace(options: argparse.Namespace) -> None:
    interpreter = options.python or find_interpreter()
    if interpreter is None:
        raise PreparationError("no Python >= 3.12 found; name one with --python")
    for package in load_packages(options.packages):
        tree = _tree(package, options)
        python = make_environment(package, tree, options.folder, interpreter=interpreter)
        trace = trace_program(str(python), tree, TRACES / f"{package.label}.json.gz", package.run)
        print(f"{package.label}: {len(trace.pairs):,} pairs; {trace.closing}", flush=True)


def _recall(options: argparse.Namespace) -> None:
    figures, trees = {}, {}
    for package, tree, graph, trace in _measured(options):
        trees[package.label] = tree
        figures[package.label] = measure_recall(trace, graph)
    if options.rows:
        options.rows.write_text(write_rows(figures), encoding="utf-8")
    print_recall(figures)
    if options.missed:
        for name, recall in figures.items():
            print_missed(name, recall, trees[name], examples=options.missed)


def _precision(options: argparse.Namespace) -> None:
    for package, tree, graph, trace in _measured(options):
        print_suspects(package.label, check_targets(trace, graph), tree, most=options.suspects)


def _measure(options: argparse.Namespace) -> None:
    write_results(
        {
            package.name: figures_of(
                package, trace, measure_recall(trace, graph), check_targets(trace, graph)
            )
            for package, _, graph, trace in _measured(options)
        }
    )


def _peers(options: argparse.Namespace) -> None:
    tools: list[tuple[Peer, Path]] = []
    for peer in load_peers():
        if not options.only or peer.name in options.only:
            python = install(peer, options.folder)
            if python is None:
                print(f"{peer.name} cannot be installed here and is left out", flush=True)
            else:
                tools.append((peer, python))
    packages = [] if options.imports else load_packages(options.packages)
    for package in packages:
        tree = _tree(package, options)
        trace = read_trace(TRACES / f"{package.label}.json.gz")
        _check(package, trace, tree)
        with _built(tree) as (copy, graph):
            recall = measure_recall(trace, graph)
            mine = call_figures(recall, graph_calls(graph))
            write_figures({"mu": {package.name: mine}})
            print(f"mu {package.name}: {mine}", flush=True)
            for peer, python in tools:
                if is_run_on(peer, package):
                    _run_peer(peer, python, package.name, copy, recall, options.show)
    for name, source in (entry.split("=", 1) for entry in options.imports):
        with _built(Path(source)) as (copy, _):
            for peer, python in tools:
                if peer.gives == "imports":
                    _run_peer(peer, python, name, copy, None, options.show)


def _run_peer(
    peer: Peer, python: Path, name: str, tree: Path, recall: Recall | None, shown: int
) -> None:
    try:
        rows = run_peer(peer, python, tree)
    except (PreparationError, subprocess.TimeoutExpired) as error:
        write_figures({peer.name: {name: Failure(str(error))}})
        print(f"{peer.name} {name}: {error}", flush=True)
        return
    figures: Figures
    if peer.gives == "calls" and recall is not None:
        figures = call_figures(recall, named_calls(rows, tree))
    else:
        theirs = {(str(one), str(other)) for one, other, _ in rows}
        packages = {one.partition(".")[0] for one, _ in theirs}
        mine = graph_imports(tree / ".mubase", packages)
        figures = compare_imports(mine, theirs)
        for title, found in (("only mu", mine - theirs), (f"only {peer.name}", theirs - mine)):
            for one, other in sorted(found)[:shown]:
                print(f"  {title}: {one} -> {other}")
    write_figures({peer.name: {name: figures}})
    print(f"{peer.name} {name}: {figures}", flush=True)


@contextmanager
def _built(tree: Path) -> Iterator[tuple[Path, TracedGraph]]:
    """Build the graph of a copy of a tree: two builds can run, and nothing is left behind."""
    with tempfile.TemporaryDirectory(prefix="mu-accuracy-") as scratch:
        copy = copytree(tree, Path(scratch).resolve() / tree.name, ignore=_NO_SOURCE)
        yield copy, build_graph(copy)


def _table(_options: argparse.Namespace) -> None:
    judged = judged_by_rule()
    write_page(read_results(), judged)
    write_measured(judged)


def _measured(
    options: argparse.Namespace,
) -> Iterator[tuple[Package, Path, TracedGraph, Trace]]:
    """The packages, each with its tree, graph and trace."""
    for package in load_packages(options.packages):
        tree = _tree(package, options)
        trace = read_trace(TRACES / f"{package.label}.json.gz")
        _check(package, trace, tree)
        with _built(tree) as (_, graph):
            pass
        yield package, tree, graph, trace


def _check(package: Package, trace: Trace, tree: Path) -> None:
    """Refuse a tree that is not the one that was traced, which would look like bad recall."""
    traced = {code.path for pair in trace.pairs for code in (pair.caller, pair.callee)}
    lacking = sorted(path for path in traced if not (tree / path).is_file())
    if lacking:
        raise PreparationError(
            f"{tree} lacks {len(lacking)} traced files of {package.label}, such as {lacking[0]}:"
            f" remove it and give a tree with --source {package.name}=TREE"
        )


def _tree(package: Package, options: argparse.Namespace) -> Path:
    given = dict(entry.split("=", 1) for entry in options.source)
    source = Path(given[package.name]) if package.name in given else None
    return make_tree(package, options.folder, source=source)


_STEPS: dict[str, Callable[[argparse.Namespace], None]] = {
    "trace": _trace,
    "recall": _recall,
    "precision": _precision,
    "measure": _measure,
    "peers": _peers,
    "table": _table,
}
