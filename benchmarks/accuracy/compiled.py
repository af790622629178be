"""Calls, inheritance and imports held against what a compiler's own analysis says of them.

    python -m benchmarks.accuracy.compiled typescript FOLDER [--missed]
    python -m benchmarks.accuracy.compiled go FOLDER [--missed]
    python -m benchmarks.accuracy.compiled madge FOLDER [--missed]

An adapter beside this file prints what the compiler resolves: for each call that is written out the
declarations it may lead to, or that it leads outside, or that only a variable is known. A graph of
a copy of the folder is built and compared line by line.

A call of MU is right where the compiler names one of its targets, or a method that the target
overrides: the receiver is known more closely than by its declaration. Where the compiler names only
a variable, lists no call (a getter, an element of markup), or has not read the file with the target
(another platform's), nothing is said; those are counted apart. A call of the compiler is found
where MU names a target of it. Left out are calls that may reach overrides (`virtual`), and
functions that are handed over (`callback`, `registered`).

Without the tools it says so and ends with status 0. `typescript` and `madge`, which knows imports
alone, need `node`, and the packages of these names where it runs; `go` needs `go`.
"""

import shutil
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.accuracy.shares import print_shares
from benchmarks.building import MU
from mu.model.relation import Relation
from mu.store import open_graph

ADAPTERS = Path(__file__).parent / "adapters"
COMMANDS = {
    "typescript": ["node", str(ADAPTERS / "typescript.mjs")],
    "madge": ["node", str(ADAPTERS / "madge.mjs")],
    "go": ["go", "run", str(ADAPTERS / "go_calls.go")],
}
_NOTED = {"here", "outside"}

_SITES = (
    "SELECT f.path, s.line, s.name, t.key, s.rule::VARCHAR FROM site s"
    " JOIN node n ON n.key = s.source JOIN file f ON f.key = n.file"
    " JOIN node t ON t.key = s.target WHERE s.kind = 'call' AND t.kind IN ('class', 'function')"
    " AND t.file IS NOT NULL AND s.rule NOT IN ('virtual', 'callback', 'registered')"
)
_NODES = (
    "SELECT n.key, coalesce(f.path, substr(n.id, 5)), n.start_line, n.kind::VARCHAR FROM node n"
    " LEFT JOIN file f ON f.key = n.file WHERE f.path IS NOT NULL OR n.id LIKE 'pkg:%'"
)
_EDGES = "SELECT source, target, role::VARCHAR FROM edge WHERE kind = '{}'"

Place = tuple[str, int]
Written = tuple[str, int, str]
"""Path, line and last name of a call."""


@dataclass(slots=True)
class Oracle:
    """What the compiler says; a target is told by all the places at which it may begin."""

    calls: dict[Written, list[list[frozenset[Place]]]] = field(default_factory=dict)
    outside: set[Written] = field(default_factory=set)
    bases: list[tuple[Place, list[frozenset[Place]]]] = field(default_factory=list)
    imports: set[tuple[str, str]] = field(default_factory=set)
    read: set[str] = field(default_factory=set)

    @classmethod
    def of(cls, text: str) -> "Oracle":
        """Read the output of an adapter."""
        found = cls()
        for line in text.splitlines():
            kind, path, *rest = line.split("\t")
            if kind == "call":
                written = path, int(rest[0]), rest[1]
                if rest[2] == "here":
                    found.calls.setdefault(written, []).append(_places(rest[3]))
                elif rest[2] == "outside":
                    found.outside.add(written)
            elif kind == "base":
                found.bases.append(((path, int(rest[0])), _places(rest[-1])))
            elif kind == "import":
                found.imports.add((path, rest[0]))
            elif kind == "file":
                found.read.add(path)
        return found


def _places(text: str) -> list[frozenset[Place]]:
    found = []
    for one in text.split():
        path, _, lines = one.rpartition(":")
        found.append(frozenset((path, int(line)) for line in lines.split(",")))
    return found


class Graph:
    """MU's graph of a folder, by places."""

    def __init__(self, folder: Path) -> None:
        subprocess.run([MU, "kernel", "build", str(folder)], check=True, capture_output=True)
        with open_graph(folder / ".mubase") as opened:

            def rows(sql: str) -> list[tuple[Any, ...]]:  # cells as the statement selects them
                return list(opened.run(Relation(sql), limit=None).rows)

            self._kinds = {key: kind for key, _, _, kind in rows(_NODES)}
            self._places = {key: (path, line) for key, path, line, _ in rows(_NODES)}
            self.calls: dict[Written, set[int]] = defaultdict(set)
            for path, line, name, target, _ in rows(_SITES):
                self.calls[path, line, name.removesuffix("[]")].add(target)
            edges = {kind: rows(_EDGES.format(kind)) for kind in ("inherits", "imports")}
            overrides = rows(_EDGES.format("overrides"))
        self._above: dict[int, set[int]] = defaultdict(set)
        for own, above, _ in overrides:
            self._above[own].add(above)
        known = self._places
        self.bases = [(known[a], known[b]) for a, b, _ in edges["inherits"] if b in known]
        self.imports = {
            (known[a][0], known[b][0])
            for a, b, _ in edges["imports"]
            if b in known and self._kinds[b] == "module"
        }

    def places(self, key: int) -> Iterator[Place]:
        """Where a node stands, and those that it overrides."""
        seen, waiting = {key}, [key]
        while waiting:
            one = waiting.pop()
            if one in self._places:
                yield self._places[one]
            fresh = self._above.get(one, set()) - seen
            seen |= fresh
            waiting += fresh

    def place(self, key: int) -> Place:
        """Where a node stands."""
        return self._places[key]


def _is_in(places: Iterable[Place], targets: Iterable[frozenset[Place]]) -> bool:
    return any(place in target for place in places for target in targets)


def compare(oracle: Oracle, graph: Graph, *, is_telling: bool) -> None:
    """Print shares; with `is_telling` each row that differs, too."""
    right, wrong, silent = 0, [], 0
    for written, targets in graph.calls.items():
        named = [target for call in oracle.calls.get(written, ()) for target in call]
        for target in targets:
            if _is_in(graph.places(target), named):
                right += 1
            elif (named or written in oracle.outside) and graph.place(target)[0] in oracle.read:
                wrong.append((written, graph.place(target)))
            else:
                silent += 1
    found, missed = 0, []
    for written, calls in oracle.calls.items():
        places = [place for key in graph.calls.get(written, ()) for place in graph.places(key)]
        for targets_of in calls:
            if _is_in(places, targets_of):
                found += 1
            else:
                missed.append((written, sorted(targets_of[0])[0]))
    if oracle.calls:
        print_shares(
            "calls",
            right=right,
            claimed=right + len(wrong),
            found=found,
            expected=found + len(missed),
        )
        print(f"{'':16} and {silent} of which nothing is said")
    bases = [(a, b) for a, b in graph.bases if {a[0], b[0]} <= oracle.read]
    seen = [any(a == own and _is_in((b,), t) for own, b in bases) for a, t in oracle.bases]
    kept = [p for p in bases if any(p[0] == a and _is_in((p[1],), t) for a, t in oracle.bases)]
    if oracle.bases:
        print_shares(
            "inheritance",
            right=len(kept),
            claimed=len(bases),
            found=sum(seen),
            expected=len(oracle.bases),
        )
    own = {pair for pair in graph.imports if pair[0] in oracle.read}
    both = own & oracle.imports
    print_shares(
        "imports",
        right=len(both),
        claimed=len(own),
        found=len(both),
        expected=len(oracle.imports),
    )
    if is_telling:
        for title, rows in (("not there", wrong), ("not seen", missed)):
            for written, place in sorted(rows):
                print(title, *written, *place, sep="\t")
        for pair in sorted(set(bases) - set(kept)):
            print("base not there", *pair, sep="\t")
        for is_seen, (place, targets_of) in zip(seen, oracle.bases, strict=True):
            if not is_seen:
                print("base not seen", place, [sorted(one) for one in targets_of], sep="\t")
        for pair in sorted(own ^ oracle.imports):
            print("import not there" if pair in own else "import not seen", *pair, sep="\t")


def main(arguments: Sequence[str]) -> int:
    """Compare one folder; print shares, and with `--missed` what differs."""
    language, source, *rest = arguments
    command = COMMANDS[language]
    if shutil.which(command[0]) is None:
        print(f"no {command[0]} here: nothing to compare with")
        return 0
    with tempfile.TemporaryDirectory(prefix="mu-compiled-") as scratch:
        folder = Path(scratch) / "source"
        shutil.copytree(source, folder, ignore=shutil.ignore_patterns(".git", "node_modules"))
        asked = subprocess.run([*command, str(folder)], capture_output=True, text=True, check=False)
        if asked.returncode:
            print(asked.stderr.strip() or f"{command[0]} ended with {asked.returncode}")
            return 0 if "Cannot find module" in asked.stderr else 1
        compare(Oracle.of(asked.stdout), Graph(folder), is_telling="--missed" in rest)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
