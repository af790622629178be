"""`python -m benchmarks daemon NAME=FOLDER...`: load, latency, memory, deaths and freshness.

The folders are copied first, and the daemon has a state folder of its own. Status 1 when an answer
differs, an error comes, or a daemon too many is left. Times are seen by one client, in one process
with what it takes to send and read the answer.
"""

import argparse
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec
import psutil

from benchmarks.daemon.running import State, resident, wait_until_built
from mu.client import DaemonClient, DaemonError
from mu.errors import MuError
from mu.model.relation import Answer
from mu.operations.navigation.dependencies import callers, impact
from mu.operations.navigation.search import search
from mu.operations.queries.query import query
from mu.operations.workspace import Workspace

CLIENTS, EACH = 32, 200
REQUESTS = 10_000
STARTS = DEATHS = 20
EDITS = 5
APART = 4
_MB = 1_000_000
_NAMES = """
SELECT id FROM functions WHERE NOT is_test AND visibility = 'public' ORDER BY digest, id LIMIT 200
"""
_LOOK_UP = "SELECT id, path, start_line, signature FROM nodes WHERE id = '{}'"

Ask = Callable[[DaemonClient, Path, str], Answer]

ASK: dict[str, Ask] = {
    "lookup": lambda client, root, node: client.ask(root, query, _LOOK_UP.format(node)).answer,
    "callers": lambda client, root, node: client.ask(root, callers, node).answer,
    "impact": lambda client, root, node: client.ask(root, impact, node).answer,
    "search": lambda client, root, node: client.ask(root, search, _words(node)).answer,
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Take repositories, and how long clients, builds and edits go on together."""
    parser.add_argument("repositories", nargs="+", metavar="NAME=FOLDER")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--part", action="append", choices=list(_PARTS), help="all by default")


def run(options: argparse.Namespace) -> None:
    """Run the parts on each repository and print a line for each figure."""
    failed = 0
    for given in options.repositories:
        name, _, folder = given.partition("=")
        with tempfile.TemporaryDirectory(prefix="mu-daemon-") as scratch:
            root = Path(scratch) / name
            shutil.copytree(folder, root, ignore=shutil.ignore_patterns(".git", ".mubase*"))
            state = State(Path(scratch) / "state")
            subprocess.run(state.mu(root, "kernel", "build", "."), check=True, capture_output=True)
            for part in options.part or _PARTS:
                failed += _PARTS[part](state, root, options.seconds)
                sys.stdout.flush()
    if failed:
        sys.exit(1)


def _same_rows(state: State, root: Path, _: float) -> int:
    """Have many clients ask at once what one asks alone, of the file."""
    with Workspace(root) as workspace:
        ids = [str(row[0]) for row in query(workspace, _NAMES, limit=EACH).answer.rows]
        expected = {node: _rows(callers(workspace, node).answer) for node in ids}

    def ask(shift: int) -> int:
        wrong = 0
        with state.client() as client:
            for place in range(EACH):
                node = ids[(place + shift) % len(ids)]
                wrong += _rows(ASK["callers"](client, root, node)) != expected[node]
        return wrong

    with state.daemon(root):
        started = time.perf_counter()
        with ThreadPoolExecutor(CLIENTS) as pool:
            wrong = sum(pool.map(ask, range(CLIENTS)))
        took = time.perf_counter() - started
    asked = CLIENTS * EACH
    _tell(root, f"{CLIENTS} clients x {EACH} queries", f"{wrong} of {asked:,} answers differ, "
          f"{asked / took:,.0f} a second")  # fmt: skip
    return wrong


def _latency(state: State, root: Path, _: float) -> int:
    """Ask warm questions one after the other."""
    with state.daemon(root), state.client() as client:
        ids = [str(row[0]) for row in client.ask(root, query, _NAMES, limit=EACH).answer.rows]
        for title, ask in ASK.items():
            for node in ids[:20]:
                ask(client, root, node)
            times = sorted(_timed(ask, client, root, node) for node in ids)
            p50, p99 = statistics.median(times), times[int(len(times) * 0.99)]
            _tell(root, f"{title}, warm", f"p50 {p50 * 1_000:.1f} ms, p99 {p99 * 1_000:.1f} ms")
    return 0


def _growth(state: State, root: Path, _: float) -> int:
    """Ask very often, and see what the daemon then holds."""
    with state.daemon(root) as process, state.client() as client:
        idle = resident(process)
        ids = [str(row[0]) for row in client.ask(root, query, _NAMES, limit=EACH).answer.rows]
        asks = list(ASK.values())

        def ask(count: int) -> None:
            for place in range(count):
                asks[place % len(asks)](client, root, ids[place % len(ids)])

        ask(REQUESTS // 10)
        before = resident(process)
        ask(REQUESTS)
        after = resident(process)
    growth = after / before - 1
    _tell(root, "memory, opened and idle", f"{idle / _MB:.0f} MB")
    _tell(root, f"memory after {REQUESTS // 10:,} and {REQUESTS // 10 + REQUESTS:,} requests",
          f"{before / _MB:.0f} and {after / _MB:.0f} MB, growth {growth:.1%}")  # fmt: skip
    return int(growth >= 0.1)


def _starts(state: State, root: Path, _: float) -> int:
    """Start many at once; one daemon may be left."""
    before = _daemons(root)
    starting = [
        subprocess.Popen(
            state.mu(root, "daemon", "start"), env=state.environment, stdout=subprocess.DEVNULL
        )
        for _ in range(STARTS)
    ]
    statuses = [each.wait() for each in starting]
    with state.client() as client:
        wait_until_built(client)
    left = _daemons(root) - before
    subprocess.run(
        state.mu(root, "daemon", "stop"), env=state.environment, check=True, capture_output=True
    )
    orphans = _daemons(root) - before
    _tell(root, f"{STARTS} starts at once", f"{statuses.count(0)} succeed, {len(left)} daemon, "
          f"{len(orphans)} left after its stop")  # fmt: skip
    return int(any(statuses) or len(left) != 1 or bool(orphans))


def _deaths(state: State, root: Path, _: float) -> int:
    """Kill the daemon, see that questions are still answered, and start it again."""
    wrong = 0
    times = []
    start = state.mu(root, "daemon", "start")
    for _ in range(DEATHS):
        started = time.perf_counter()
        done = subprocess.run(start, env=state.environment, capture_output=True, check=False)
        with state.client() as client:
            client.ask(root, query, "SELECT 1")
        times.append(time.perf_counter() - started)
        process = state.process()
        if done.returncode or process is None:
            wrong += 1
            continue
        process.kill()
        process.wait(10)
        try:
            DaemonClient.connect(state.folder)
            wrong += 1
        except DaemonError:
            pass
    _tell(root, f"{DEATHS} kills and starts", f"{wrong} failed, {statistics.median(times):.2f} s "
          "from start to answer")  # fmt: skip
    return wrong


def _freshness(state: State, root: Path, _: float) -> int:
    """Save edits in a row and some seconds apart, and ask until the answer has each."""
    with Workspace(root) as workspace:
        rows = query(workspace, _NAMES, limit=EDITS).answer.rows
    paths = [root / str(node).partition(":")[2].partition(":")[0] for (node,) in rows]
    with state.daemon(root), state.client() as client:
        for seconds in (0, APART):
            times = []
            for number, path in enumerate(paths):
                times.append(_until_fresh(client, root, path, f"fresh_{seconds}_{number}"))
                wait_until_built(client)
                time.sleep(seconds)
            how = f"edits {seconds} s apart" if seconds else "edits in a row"
            middle, longest = statistics.median(times), max(times)
            figure = f"median {middle:.2f} s, longest {longest:.2f} s of {EDITS}"
            _tell(root, f"from save to fresh, {how}", figure)
    return 0


def _until_fresh(client: DaemonClient, root: Path, path: Path, name: str) -> float:
    """Add a function to a file, and return the seconds until it is found by its name."""
    with path.open("a", encoding="utf-8") as file:
        file.write(_definition(path, name))
    started = time.perf_counter()
    wanted = f"SELECT 1 FROM functions WHERE name = '{name}'"
    while not client.ask(root, query, wanted).answer.total:
        time.sleep(0.02)
    return time.perf_counter() - started


def _together(state: State, root: Path, seconds: float) -> int:
    """Have clients, builds and edits go on at once."""
    errors: list[str] = []
    asked = [0]
    end = time.monotonic() + seconds

    def ask() -> None:
        with state.client() as client:
            while time.monotonic() < end:
                try:
                    client.ask(root, query, "SELECT count(*) AS n FROM functions")
                    asked[0] += 1
                except MuError as error:
                    errors.append(str(error))

    def build() -> None:
        while time.monotonic() < end:
            command = state.mu(root, "kernel", "build", ".")
            done = subprocess.run(command, env=state.environment, capture_output=True, check=False)
            if done.returncode not in {0, 5, 6}:
                errors.append(done.stderr.decode("utf-8", "replace"))

    with state.daemon(root):
        threads = [threading.Thread(target=each) for each in (ask, ask, build)]
        for thread in threads:
            thread.start()
        edits = 0
        path = next(iter(sorted(root.rglob("*.py"))), root / "edited.py")
        while time.monotonic() < end:
            with path.open("a", encoding="utf-8") as file:
                file.write(_definition(path, f"edited_{edits}"))
            edits += 1
            time.sleep(0.5)
        for thread in threads:
            thread.join()
    _tell(root, f"2 clients, builds, a watcher, {edits} edits for {seconds:.0f} s",
          f"{asked[0]:,} answers, {len(errors)} errors {errors[:1] or ''}")  # fmt: skip
    return len(errors)


_PARTS: dict[str, Callable[[State, Path, float], int]] = {
    "same": _same_rows,
    "latency": _latency,
    "growth": _growth,
    "starts": _starts,
    "deaths": _deaths,
    "fresh": _freshness,
    "together": _together,
}


def _rows(answer: Answer) -> bytes:
    """Write rows as JSON: values in lists and in tuples are the same there."""
    return msgspec.json.encode(answer.rows)


def _timed(ask: Ask, client: DaemonClient, root: Path, node: str) -> float:
    started = time.perf_counter()
    ask(client, root, node)
    return time.perf_counter() - started


def _daemons(root: Path) -> set[int]:
    """Find the processes that are daemons of a repository."""
    found = set()
    for process in psutil.process_iter(["cmdline"]):
        line: Sequence[str] = process.info["cmdline"] or ()
        if str(root) in line and list(line[-2:]) == ["daemon", "run"]:
            found.add(process.pid)
    return found


def _definition(path: Path, name: str) -> str:
    if path.suffix == ".py":
        return f"\n\ndef {name}():\n    return 1\n"
    return f"\nfunction {name}() {{ return 1 }}\n"


def _words(node: str) -> str:
    return node.rpartition(":")[2].replace("_", " ").replace(".", " ")


def _tell(root: Path, what: str, figure: str) -> None:
    print(f"| {root.name} | {what} | {figure} |")
