"""Other tools on the same trees: which of the calls that happened they have, what they claim.

All are held against the pairs that count for MU. A function is told by its file and its dotted name
inside it, so that no tool's way of counting lines matters; of several definitions of one name in
one place, any will do, for every tool. What a tool says of a class counts for its constructor.
"""

import ast
import json
import re
import subprocess
import sys
import tomllib
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks.accuracy.graph import Node, TracedGraph
from benchmarks.accuracy.packages import Package, PreparationError
from benchmarks.accuracy.recall import Recall
from mu.model.relation import Relation
from mu.store import open_graph

_HERE = Path(__file__).parent
_ADAPTERS, _LIST, RESULTS = _HERE / "adapters", _HERE / "peers.toml", _HERE / "peers.json"
_LONGEST = 1800  # seconds a tool may take for a tree
_NUMBER = re.compile(r"~\d+")
_CONSTRUCTORS = ("__init__", "__new__")
_IMPORTS = (
    "SELECT source.module, target.qualified_name, target.kind = 'module', site.text, site.line"
    " FROM site JOIN node source ON source.key = site.source"
    " JOIN node target ON target.key = site.target WHERE site.kind = 'import'"
)
_SKIPPED = (".git", "build", "dist", "node_modules")

Name = tuple[str, str]
"""(file, dotted name inside it; empty: the module itself)."""
Call = tuple[Name, Name]
Import = tuple[str, str]
"""(importing module, imported module), by dotted names."""


@dataclass(frozen=True, slots=True)
class Peer:
    """A tool; `packages` are those it is run on, all when empty."""

    name: str
    requirement: str
    adapter: str
    gives: str
    note: str = ""
    packages: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CallFigures:
    """Of `pairs` that happened a tool has `found`, and it claims `claimed` inside the repository.

    `ran` of these lead from a function that called something to one that was called by something,
    and `seen` of those are pairs: no run takes every way, so that is a lower bound of precision.
    """

    pairs: int
    found: int
    claimed: int
    ran: int
    seen: int


@dataclass(frozen=True, slots=True)
class Failure:
    """A tool that gave nothing: why."""

    failed: str


@dataclass(frozen=True, slots=True)
class ImportFigures:
    """Pairs of modules that both have, and those that only one has."""

    both: int
    only_mu: int
    only_peer: int


Figures = CallFigures | ImportFigures | Failure


def load_peers(listing: Path = _LIST) -> list[Peer]:
    """Read the list of tools."""
    rows = tomllib.loads(listing.read_text(encoding="utf-8"))
    return [Peer(name, **row) for name, row in rows.items()]


def install(peer: Peer, folder: Path) -> Path | None:
    """Make the environment of a tool, once; None where it cannot be had."""
    place = folder / "peers" / peer.name
    python = place / "bin" / "python"
    if (place / "finished").exists():
        return python
    commands = (
        [sys.executable, "-m", "venv", "--clear", "--without-pip", str(place)],
        [
            sys.executable,
            "-m",
            "pip",
            "--python",
            str(python),
            "install",
            "--quiet",
            peer.requirement,
        ],
    )
    for command in commands:
        if subprocess.run(command, check=False, capture_output=True).returncode:
            return None
    (place / "finished").touch()
    return python


def run(peer: Peer, python: Path, tree: Path) -> list[tuple[str | int, ...]]:
    """Run a tool on a tree; gives the rows that its adapter writes."""
    output = python.parents[1] / "output.json"
    output.unlink(missing_ok=True)
    command = [str(python), str(_ADAPTERS / peer.adapter), str(tree), str(output), *files(tree)]
    done = subprocess.run(
        command, check=False, capture_output=True, text=True, timeout=_LONGEST, cwd=tree
    )
    if done.returncode or not output.exists():
        last = (done.stderr or done.stdout).strip().rpartition("\n")[2]
        raise PreparationError(last or f"ended with {done.returncode}")
    return [tuple(row) for row in json.loads(output.read_text(encoding="utf-8"))]


def files(tree: Path) -> list[str]:
    """The sources of a tree, as all tools get them."""
    found = (path.relative_to(tree) for path in tree.rglob("*.py"))
    return sorted(
        str(path)
        for path in found
        if not any(part in _SKIPPED or part.startswith(".") for part in path.parts)
        and _parses(tree / path)
    )


def named_calls(rows: Iterable[Sequence[str | int]], tree: Path) -> set[Call]:
    """Turn (file, line of the definition, file, line) into names; what is no definition goes."""
    known: dict[str, dict[int, str]] = {}

    def name(path: str, line: int) -> Name | None:
        if not line:
            return path, ""
        if path not in known:
            known[path] = dict(_definitions(ast.parse((tree / path).read_text("utf-8")), ""))
        found = known[path].get(line)
        return None if found is None else (path, found)

    calls = ((name(str(a), int(b)), name(str(c), int(d))) for a, b, c, d in rows)
    return {(one, other) for one, other in calls if one and other and one != other}


def graph_calls(graph: TracedGraph) -> set[Call]:
    """The calls that MU claims inside the repository."""
    found = set()
    for kind, source, target in graph.rules:
        one, other = graph.nodes[source], graph.nodes[target]
        if kind == "calls" and one.path and other.path and source != target:
            found.add((_name(one), _name(other)))
    return found


def call_figures(recall: Recall, claimed: set[Call]) -> CallFigures:
    """Hold what a tool claims against what happened."""
    happened = {(_name(row.caller), _name(row.callee)) for row in recall.rows}
    happened = {pair for pair in happened if pair[0] != pair[1]}
    callers = {caller for caller, _ in happened}
    called = {callee for _, callee in happened}
    found = sum(any(one in claimed for one in _alternatives(pair)) for pair in happened)
    ran = {pair for pair in claimed if pair[0] in callers and pair[1] in called}
    return CallFigures(
        pairs=len(happened),
        found=found,
        claimed=len(claimed),
        ran=len(ran),
        seen=len(ran & happened),
    )


def graph_imports(path: Path, packages: Collection[str]) -> set[Import]:
    """The modules that each module imports by MU's graph, as other tools count them.

    Of the modules that one line names only the innermost counts, and those that a name is taken out
    of: the packages above run too, which is an edge of MU's and nothing that the line names.
    """
    with open_graph(path) as opened:
        rows = opened.run(Relation(_IMPORTS), limit=None).rows
    lines: dict[tuple[str, int], set[str]] = defaultdict(set)
    taken: dict[tuple[str, int], set[str]] = defaultdict(set)
    for importer, imported, is_module, text, line in rows:
        place = str(importer), int(str(line))
        if is_module:
            lines[place].add(str(imported))
        else:
            taken[place].add(str(text).rpartition(".")[0].strip("."))
    return {
        (place[0], imported)
        for place, found in lines.items()
        for imported in found
        if not any(other.startswith(f"{imported}.") for other in found)
        or any(f".{imported}".endswith(f".{name}" if name else "") for name in taken[place])
        if {place[0].partition(".")[0], imported.partition(".")[0]} <= set(packages)
        and place[0] != imported
    }


def compare_imports(mine: set[Import], theirs: set[Import]) -> ImportFigures:
    """Count what both have, and what only one of them has."""
    return ImportFigures(len(mine & theirs), len(mine - theirs), len(theirs - mine))


def write_figures(figures: Mapping[str, Mapping[str, Figures]], path: Path = RESULTS) -> None:
    """Write figures by tool and package; those that are not among them stay."""
    rows = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    for tool, packages in figures.items():
        kept = rows.setdefault(tool, {})
        kept.update({name: asdict(each) for name, each in packages.items()})
    path.write_text(json.dumps(rows, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def is_run_on(peer: Peer, package: Package) -> bool:
    """Whether a tool is run on a package."""
    return not peer.packages or package.name in peer.packages


def _alternatives(pair: Call) -> Iterator[Call]:
    """The pair, and for a constructor the pair with its class."""
    yield pair
    caller, (path, name) = pair
    above, _, last = name.rpartition(".")
    if last in _CONSTRUCTORS:
        yield caller, (path, above)


def _name(node: Node) -> Name:
    _, _, inside = node.id.partition(":")
    path, _, dotted = inside.partition(":")
    return path, _NUMBER.sub("", dotted)


def _definitions(node: ast.AST, around: str) -> Iterator[tuple[int, str]]:
    """(line, dotted name) of each definition; a decorated one by the lines of both."""
    for child in ast.iter_child_nodes(node):
        inside = around
        if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            inside = f"{around}.{child.name}" if around else child.name
            yield child.lineno, inside
            for decorator in child.decorator_list[:1]:
                yield decorator.lineno, inside
        yield from _definitions(child, inside)


def _parses(path: Path) -> bool:
    try:
        ast.parse(path.read_text(encoding="utf-8"))
    except (SyntaxError, ValueError, RecursionError):
        return False
    return True
