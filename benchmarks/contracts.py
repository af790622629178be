"""Hold `mu check` against import-linter: the same contracts, chosen at random, on the same sources.

Contracts are drawn from the children of a package, seeded by a number: layers, independence and one
forbidden pair each time. Compared are which module may not import which, all direct imports that
break a contract, and for forbidden ones the modules that start a chain. Modules that import-linter
does not see, in folders without `__init__.py`, are left out on both sides. Both check the graph in
memory; the whole commands are timed on one contract, with import-linter's cache off.
"""

import argparse
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import grimp

from mu.analysis.rules.breaches import breaches
from mu.analysis.rules.contract import Contract, ContractKind
from mu.analysis.rules.module_imports import ModuleImports, read_module_imports
from mu.store import open_graph

Found = tuple[set[tuple[str, str]], set[tuple[str, str]]]
"""Which may not import which, and the direct imports that break it."""

Result = TypeVar("Result")


def main() -> None:
    """Print a row of the table for each PACKAGE=FOLDER, the folder that holds the package."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("packages", nargs="+", metavar="PACKAGE=FOLDER")
    parser.add_argument("--draws", type=int, default=40)
    given = parser.parse_args()
    print("| package | contracts | same | broken | import-linter, s | mu build, s | mu check, s |")
    print("|---|---|---|---|---|---|---|")
    for text in given.packages:
        package, _, folder = text.partition("=")
        print(_row(package, Path(folder).resolve(), given.draws), flush=True)


def _row(package: str, folder: Path, draws: int) -> str:
    sys.path.insert(0, str(folder))
    graph = grimp.build_graph(package, cache_dir=None)
    _, build = _timed(lambda: _run(folder, "mu", "kernel", "build", ".", "--full"))
    with open_graph(folder / ".mubase") as file:
        imports = _seen(read_module_imports(file), graph.modules)
    same = total = broken = 0
    for seed in range(draws):
        for theirs, ours in _compared(random.Random(seed), graph, imports, package):
            total += 1
            same += theirs == ours
            broken += bool(theirs[0])
    linter, check = _commands(package, folder, sorted(graph.find_children(package)))
    return f"| {package} | {total} | {same} | {broken} | {linter:.2f} | {build:.2f} | {check:.2f} |"


def _seen(imports: ModuleImports, modules: set[str]) -> ModuleImports:
    names = {path: name for path, name in imports.names.items() if name in modules}
    lines = {
        pair: line for pair, line in imports.lines.items() if names.keys() >= {pair[0], pair[1]}
    }
    return replace(imports, names=names, lines=lines)


def _compared(
    draw: random.Random, graph: grimp.ImportGraph, imports: ModuleImports, package: str
) -> Iterator[tuple[Found, Found]]:
    children = sorted(graph.find_children(package))
    chosen = draw.sample(children, min(len(children), draw.randint(3, 8)))
    for kind in (ContractKind.LAYERS, ContractKind.INDEPENDENCE):
        is_layers = kind is ContractKind.LAYERS
        layers = [grimp.Layer(one) for one in chosen] if is_layers else [grimp.Layer(*chosen)]
        yield (
            _theirs(graph.find_illegal_dependencies_for_layers(layers=layers)),
            _ours(kind, imports, layers=chosen if is_layers else [], modules=chosen),
        )
    source, target = draw.sample(children, 2)
    chains = graph.find_shortest_chains(importer=source, imported=target, as_packages=True)
    direct = {(chain[0], chain[1]) for chain in chains if len(chain) == 2}
    heads = {(chain[0], target) for chain in chains}
    contract = Contract(
        "pair", ContractKind.FORBIDDEN, source=(source,), target=(target,), type_only=True
    )
    found = list(breaches(contract, imports))
    names = imports.names
    ours = {(names[one.steps[0].path], target) for one in found}
    near = {
        (names[one.steps[0].path], names[one.steps[0].target])
        for one in found
        if len(one.steps) == 1
    }
    yield (heads, direct), (ours, near)


def _theirs(dependencies: set[grimp.PackageDependency]) -> Found:
    pairs = {(one.importer, one.imported) for one in dependencies}
    direct = {
        (head, tail)
        for one in dependencies
        for route in one.routes
        if not route.middle
        for head in route.heads
        for tail in route.tails
    }
    return pairs, direct


def _ours(
    kind: ContractKind, imports: ModuleImports, *, layers: list[str], modules: list[str]
) -> Found:
    contract = Contract("drawn", kind, layers=tuple(layers), modules=tuple(modules), type_only=True)
    pairs, direct = set(), set()
    for breach in breaches(contract, imports):
        near, _, far = breach.message.partition(",")[0].partition(" may not import ")
        pairs.add((near, far))
        if len(breach.steps) == 1:
            step = breach.steps[0]
            direct.add((imports.names[step.path], imports.names[step.target]))
    return pairs, direct


def _commands(package: str, folder: Path, layers: list[str]) -> tuple[float, float]:
    """Time both commands on one contract of layers: the children in alphabetical order."""
    with tempfile.TemporaryDirectory() as scratch:
        config = Path(scratch) / "linter.ini"
        config.write_text(
            f"[importlinter]\nroot_package = {package}\n[importlinter:contract:1]\n"
            "name = layers\ntype = layers\nlayers =\n" + "".join(f"    {one}\n" for one in layers)
        )
        linter = ["lint-imports", "--no-cache", "--config", str(config)]
        rules = folder / "mu.toml"
        rules.write_text(
            '[[check.contract]]\nname = "layers"\ntype = "layers"\ntype_only = true\n'
            f"layers = {layers}\n"
        )
        try:
            theirs = min(_timed(lambda: _run(folder, *linter))[1] for _ in range(3))
            ours = min(_timed(lambda: _run(folder, "mu", "check"))[1] for _ in range(3))
        finally:
            rules.unlink()
    return theirs, ours


def _run(folder: Path, *command: str) -> int:
    done = subprocess.run(command, cwd=folder, capture_output=True, check=False)
    assert done.returncode in (0, 1), done.stderr.decode()  # 1: a contract is broken
    return done.returncode


def _timed(work: Callable[[], Result]) -> tuple[Result, float]:
    started = time.perf_counter()
    return work(), time.perf_counter() - started


if __name__ == "__main__":
    main()
