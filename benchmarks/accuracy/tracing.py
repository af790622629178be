"""Makes a trace of a package's tests, and reads what was made."""

import gzip
import json
import os
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

_TRACER = Path(__file__).with_name("tracer.py")
_LONGEST = 900  # seconds a suite may take
_ENDED = (0, 1)  # 1: some tests failed
_NOT_PASSED = ("PYTHON", "PYTEST", "COVERAGE")
_TAIL = 15  # lines


class TraceError(Exception):
    """A program could not be traced; the text has its last lines."""


@dataclass(frozen=True, slots=True)
class Code:
    """A function, class body or module that ran: where it starts, its decorators included."""

    path: str
    line: int
    qualified_name: str

    @property
    def name(self) -> str:
        return self.qualified_name.rpartition(".")[2]


@dataclass(frozen=True, slots=True)
class Pair:
    """One function called another from a line: how, and how often."""

    caller: Code
    line: int
    callee: Code
    how: str
    count: int


@dataclass(frozen=True, slots=True)
class Call:
    """What was called by name from a line: code of the tree, or a description."""

    caller: Code
    line: int
    called: Code | str


@dataclass(frozen=True, slots=True)
class Trace:
    """What ran; `closing` is the suite's own last line."""

    python: str
    closing: str
    pairs: tuple[Pair, ...]
    calls: tuple[Call, ...]


def trace_program(interpreter: str, tree: Path, output: Path, program: Sequence[str]) -> Trace:
    """Run a program from the top of a tree and write the trace of the tree's functions."""
    output.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="mu-trace-") as scratch:
        seen = Path(scratch) / "seen.gz"
        done = subprocess.run(
            [interpreter, str(_TRACER), str(tree.resolve()), str(seen), *program],
            check=False,
            cwd=tree,
            env=_environment(),
            capture_output=True,
            text=True,
            timeout=_LONGEST,
            stdin=subprocess.DEVNULL,
        )
        lines = f"{done.stderr}\n{done.stdout}".strip().splitlines()
        if not seen.exists() or done.returncode not in _ENDED:
            raise TraceError("\n".join([f"ended with {done.returncode}", *lines[-_TAIL:]]))
        written = json.loads(gzip.decompress(seen.read_bytes()))
    written["closing"] = lines[-1].strip("= ") if lines else ""
    packed = json.dumps(written, separators=(",", ":")).encode()
    output.write_bytes(gzip.compress(packed, mtime=0))
    return read_trace(output)


def _environment() -> dict[str, str]:
    """Leave out what would load other code or options into the run, and fix the order of sets."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(_NOT_PASSED)}
    return {**kept, "PYTHONHASHSEED": "0"}


def read_trace(path: Path) -> Trace:
    """Read what `trace_program` wrote."""
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        written = json.load(stream)
    codes = [Code(*row) for row in written["codes"]]
    pairs = (Pair(codes[a], line, codes[b], how, n) for a, line, b, how, n in written["pairs"])
    calls = (
        Call(codes[caller], line, codes[called] if isinstance(called, int) else called)
        for caller, line, called in written["calls"]
    )
    return Trace(written["python"], written["closing"], tuple(pairs), tuple(calls))
