"""Java's calls, inheritance and imports held against what `javac` makes of the same sources.

    python -m benchmarks.accuracy.bytecode FOLDER

compiles the `.java` files below `FOLDER` (no dependencies but the JDK's library), reads the class
files with `javap`, builds a graph of the folder, and compares edges inside it. A call in bytecode
names the class of the receiver's declared type and the signature; the method meant is looked up
from there. MU's edge counts as right, too, where it leads to an override of that method: the value
is known more closely than by its declaration. Left out on both sides: calls that may reach
overrides (`virtual`), functions handed to the library (`callback`), what the compiler adds.

Without a JDK it says so and ends with status 0. Source: the Java Virtual Machine Specification,
chapter 4; the output of `javap -c -l -p`.
"""

import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.accuracy.shares import print_found, print_shares
from benchmarks.building import MU
from mu.model.relation import Relation
from mu.store import open_graph

_CLASS = re.compile(
    r"^(?:[\w ]+ )?(?:class|interface|enum) (?P<name>[\w.$]+)"
    r"(?: extends (?P<extends>[\w.$, ]+?))?(?: implements (?P<implements>[\w.$, ]+?))? \{$"
)
_CALL = re.compile(
    r"^(\d+): invoke\w+ .*// (?:Interface)?Method (?:(\S+)\.)?(\"<init>\"|[\w$]+):(\S+)$"
)
_LINE = re.compile(r"^line (\d+): (\d+)$")
_IMPORT = re.compile(r"^import (?:static )?([\w.]+?)(\.\*)?;", re.MULTILINE)
_MADE = re.compile(r"\bnew\b|\bsuper\s*\(|\bthis\s*\(|::\s*new")
_BY_COMPILER = re.compile(r"(?:lambda|access)\$|\$values|\$\d")

Pair = tuple[str, str]


@dataclass(slots=True)
class Compiled:
    """A class file: methods by name and descriptor, calls as (line, class, name, descriptor)."""

    name: str
    source: str = ""
    bases: list[str] = field(default_factory=list)
    methods: set[Pair] = field(default_factory=set)
    calls: list[tuple[int, str, str, str]] = field(default_factory=list)


def compile_sources(folder: Path, out: Path) -> None:
    """Compile every source below `folder`. Raises CalledProcessError with what `javac` says."""
    files = [str(path) for path in sorted(folder.rglob("*.java")) if path.stem != "module-info"]
    arguments = ["javac", "-nowarn", "-g", "-encoding", "UTF-8", "-d", str(out), *files]
    subprocess.run(arguments, check=True, capture_output=True, text=True)


def read_classes(out: Path) -> dict[str, Compiled]:
    """The class files below a folder, by binary names with dots."""
    files = [str(path) for path in sorted(out.rglob("*.class"))]
    found: dict[str, Compiled] = {}
    for start in range(0, len(files), 200):
        arguments = ["javap", "-c", "-l", "-p", "-s", *files[start : start + 200]]
        text = subprocess.run(arguments, check=True, capture_output=True, text=True).stdout
        found |= {one.name: one for one in _parse(text)}
    return found


def _parse(text: str) -> Iterator[Compiled]:
    """Read the output of `javap`; a class ends where the next begins."""
    current, source, name = Compiled(""), "", ""
    pending: list[tuple[int, str, str, str]] = []
    lines: list[tuple[int, int]] = []

    def close() -> None:
        for offset, owner, called, descriptor in pending:
            at = [line for line, start in lines if start <= offset]
            current.calls.append((at[-1] if at else 0, owner, called, descriptor))
        pending.clear()
        lines.clear()

    for raw in text.splitlines():
        line = raw.strip()
        if raw.startswith("Compiled from"):
            source = raw.split('"')[1]
        elif header := _CLASS.match(_without_generics(raw)):
            close()
            if current.name:
                yield current
            bases = f"{header['extends'] or ''},{header['implements'] or ''}".split(",")
            current = Compiled(header["name"], source, [b.strip() for b in bases if b.strip()])
        elif line.startswith("descriptor:"):
            current.methods.add((name, line.removeprefix("descriptor: ")))
        elif raw.startswith("  ") and raw[2:3].strip() and line.endswith(";"):
            close()
            name = _without_generics(line).partition("(")[0].split(" ")[-1].rpartition(".")[2]
            name = "<init>" if name == current.name.rpartition(".")[2] else name
        elif call := _CALL.match(line):
            owner = (call[2] or current.name).replace("/", ".").strip('"')
            pending.append((int(call[1]), owner, call[3].strip('"'), call[4]))
        elif number := _LINE.match(line):
            lines.append((int(number[1]), int(number[2])))
    close()
    yield current


def _without_generics(text: str) -> str:
    while "<" in text:
        shorter = re.sub(r"<[^<>]*>", "", text)
        if shorter == text:
            return text
        text = shorter
    return text


@dataclass(slots=True)
class Oracle:
    """What the class files say, in the words of the graph: qualified names with dots."""

    classes: dict[str, Compiled]

    @property
    def made(self) -> frozenset[str]:
        """The names of classes with `$` for every dot, by which a call of a constructor is told."""
        return frozenset(name.replace(".", "$") for name in self.classes)

    def declaring(self, owner: str, name: str, descriptor: str) -> str:
        """The class that has a method seen from another; empty: none of the repository."""
        found = self.classes.get(owner)
        if found is None:
            return ""
        if (name, descriptor) in found.methods:
            return owner
        for base in found.bases:
            above = self.declaring(base, name, descriptor)
            if above:
                return above
        return ""

    def calls(self) -> Iterator[tuple[str, int, str]]:
        """(package and file, line, qualified name called) of every call inside the repository."""
        for one in self.classes.values():
            package = one.name.rpartition(".")[0]
            for line, owner, name, descriptor in one.calls:
                target = self.declaring(owner, name, descriptor)
                if target and not _BY_COMPILER.search(f"{target}.{name}"):
                    spelled = target.replace("$", ".")
                    called = spelled if name == "<init>" else f"{spelled}.{name}"
                    yield f"{package}/{one.source}", line, called

    def bases(self) -> set[Pair]:
        """(class, base) inside the repository."""
        return {
            (one.name.replace("$", "."), base.replace("$", "."))
            for one in self.classes.values()
            for base in one.bases
            if base in self.classes and not _BY_COMPILER.search(one.name)
        }


_NODES = (
    "SELECT n.key, n.qualified_name, n.kind::VARCHAR, n.subkind, f.path, n.start_line, n.end_line,"
    " n.module FROM node n JOIN file f ON f.key = n.file"
    " WHERE n.kind IN ('module', 'class', 'function') AND f.language = 'java'"
)
_SITES = (
    "SELECT DISTINCT source, target, rule::VARCHAR FROM site WHERE kind = 'call'"
    " AND target IS NOT NULL AND rule NOT IN ('virtual', 'callback', 'registered')"
)
_EDGES = "SELECT source, target FROM edge WHERE kind = '{}'"


@dataclass(frozen=True, slots=True)
class Node:
    """A node by the name that Java gives it, which has that of its file no second time."""

    key: int
    name: str
    kind: str
    subkind: str
    path: str
    start: int
    end: int
    module: str

    def java_name(self) -> str:
        """Its name by package and class; the class of a constructor."""
        if self.kind == "module":
            return self.module
        package, inside = self.module.rpartition(".")[0], self.name[len(self.module) + 1 :]
        name = f"{package}.{inside}".strip(".")
        return name.rpartition(".")[0] if self.subkind == "constructor" else name


class Graph:
    """MU's graph of a folder, in the words of the class files."""

    def __init__(self, folder: Path) -> None:
        subprocess.run([MU, "kernel", "build", str(folder)], check=True, capture_output=True)
        with open_graph(folder / ".mubase") as opened:

            def rows(sql: str) -> list[tuple[Any, ...]]:  # cells as the statement selects them
                return list(opened.run(Relation(sql), limit=None).rows)

            self._nodes = {row[0]: Node(*row) for row in rows(_NODES)}
            sites = rows(_SITES)
            pairs = {
                kind: rows(_EDGES.format(kind)) for kind in ("inherits", "overrides", "imports")
            }
        self.calls = {
            (source, self._nodes[target].java_name())
            for source, target, _ in sites
            if source in self._nodes and target in self._nodes
        }
        named = {kind: self._named(found) for kind, found in pairs.items()}
        self.bases, self.imports = named["inherits"], named["imports"]
        self._above: dict[str, set[str]] = {}
        for own, above in named["overrides"]:
            self._above.setdefault(own, set()).add(above)
        self._holders: dict[str, list[Node]] = {}
        for node in self._nodes.values():
            place = f"{node.module.rpartition('.')[0]}/{node.path.rpartition('/')[2]}"
            self._holders.setdefault(place, []).append(node)

    def holder(self, place: str, line: int) -> int:
        """The node around a line of a file, by package and name; -1 where there is none."""
        around = [n for n in self._holders.get(place, ()) if n.start <= line <= n.end]
        return max(around, key=lambda node: (node.start, -node.end)).key if around else -1

    def path(self, place: str) -> str:
        """The path of a file by package and name."""
        nodes = self._holders.get(place)
        return nodes[0].path if nodes else ""

    def meant(self, name: str) -> set[str]:
        """A method, and all that it overrides."""
        found, waiting = {name}, [name]
        while waiting:
            fresh = self._above.get(waiting.pop(), set()) - found
            found |= fresh
            waiting += fresh
        return found

    def shown(self, key: int) -> str:
        """The name of a node."""
        return self._nodes[key].java_name()

    def _named(self, pairs: Sequence[tuple[int, int]]) -> set[Pair]:
        known = self._nodes
        both = [(known[a], known[b]) for a, b in pairs if a in known and b in known]
        return {(a.java_name(), b.java_name()) for a, b in both}


def called_by_class_files(oracle: Oracle, graph: Graph, folder: Path) -> set[tuple[int, str]]:
    """(node, qualified name called): the calls of the class files that are written in the text."""
    texts: dict[str, list[str]] = {}
    found: set[tuple[int, str]] = set()
    for place, line, called in oracle.calls():
        holder = graph.holder(place, line)
        if holder < 0:
            continue
        if place not in texts:
            texts[place] = (folder / graph.path(place)).read_text("utf-8", "replace").splitlines()
        written = " ".join(texts[place][max(line - 2, 0) : line + 1])
        is_made = called.replace(".", "$") in oracle.made
        if _MADE.search(written) if is_made else called.rpartition(".")[2] in written:
            found.add((holder, called))
    return found


def imports_of_text(oracle: Oracle, folder: Path) -> set[Pair]:
    """(module, class) of what sources import by name and the class files have."""
    known = {name.replace("$", ".") for name in oracle.classes}
    found: set[Pair] = set()
    for path in sorted(folder.rglob("*.java")):
        text = path.read_text("utf-8", "replace")
        package = re.search(r"^package ([\w.]+);", text, re.MULTILINE)
        module = f"{package[1]}.{path.stem}" if package else path.stem
        for dotted, star in _IMPORT.findall(text):
            if dotted in known and not star:
                found.add((module, dotted))
    return found


def main(arguments: Sequence[str]) -> int:
    """Compare one folder; print shares, and with `--missed` what differs."""
    if not (shutil.which("javac") and shutil.which("javap")):
        print("no JDK here: nothing to compare with")
        return 0
    with tempfile.TemporaryDirectory(prefix="mu-bytecode-") as scratch:
        folder, out = Path(scratch) / "source", Path(scratch) / "classes"
        shutil.copytree(arguments[0], folder)
        compile_sources(folder, out)
        oracle, graph = Oracle(read_classes(out)), Graph(folder)
        expected = called_by_class_files(oracle, graph, folder)
        claimed = {one for one in graph.calls if not _BY_COMPILER.search(one[1])}
        meant = {name: graph.meant(name) for _, name in claimed}
        right = {one for one in claimed if any((one[0], n) in expected for n in meant[one[1]])}
        reached = {(source, n) for source, name in claimed for n in meant[name]}
        print_shares(
            "calls",
            right=len(right),
            claimed=len(claimed),
            found=len(expected & reached),
            expected=len(expected),
        )
        bases, own = oracle.bases(), graph.bases
        both = len(bases & own)
        print_shares("inheritance", right=both, claimed=len(own), found=both, expected=len(bases))
        imports = imports_of_text(oracle, folder)
        named = {one for one in graph.imports if one in imports}
        print_found("imports by name", found=len(named), expected=len(imports))
        if "--missed" in arguments:
            for title, rows in (("not seen", expected - reached), ("not there", claimed - right)):
                for source, name in sorted((graph.shown(s), n) for s, n in rows):
                    print(f"{title}\t{source}\t{name}")
            for pair in sorted(bases ^ own):
                print("base", *pair, sep="\t")
            for pair in sorted(imports - named):
                print("import", *pair, sep="\t")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
