"""Damaged graphs and damaged entries of the cache: told or mended, and never believed."""

import os
import pickle
import random
import shutil
import signal
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks.soak.repository import Outcome, build_both, make_repository
from mu.errors import ExitCode, MuError
from mu.operations.architecture.cycles import cycles
from mu.operations.graph_file.build import stats
from mu.operations.navigation.dependencies import callers, impact
from mu.operations.navigation.search import search
from mu.operations.queries.query import query
from mu.operations.workspace import Workspace
from mu.store import DamagedGraphError

SEED = 18
_HEADERS, _BLOCK, _PAGE = 3 * 4096, 16_384, 4096
_SECONDS = 120

_ASKED: tuple[Callable[[Workspace], object], ...] = (
    lambda w: callers(w, "aream3").answer.rows,
    lambda w: impact(w, "aream3").answer.rows,
    lambda w: query(w, "SELECT * FROM nodes ORDER BY ALL").answer.rows,
    lambda w: query(w, "SELECT source_name, target_name FROM calls ORDER BY ALL").answer.rows,
    lambda w: query(w, "SELECT * FROM sites ORDER BY ALL").answer.rows,
    lambda w: search(w, "shape scale").answer.rows,
    lambda w: cycles(w).answer.rows,
    lambda w: stats(w).nodes,
)

_RIGHT, _TOLD = "right", "told"


def damage_graphs(scratch: Path, count: int) -> Outcome:
    """Ask several questions of each of `count` damaged files, in a process for each file."""
    repository = make_repository(scratch / "damaged")
    build_both(repository)
    sound = (repository.root / ".mubase").read_bytes()
    right = _in_process(repository.root, ())
    if not isinstance(right, list) or any(isinstance(rows, str) for rows in right):
        raise RuntimeError(f"the sound graph does not answer: {right}")
    chance = random.Random(SEED)
    seen: Counter[str] = Counter()
    failures = []
    for number in range(count):
        kind = DAMAGES[number % len(DAMAGES)]
        (repository.root / ".mubase").write_bytes(kind(bytearray(sound), chance))
        told = _in_process(repository.root, right)
        if not isinstance(told, list):
            failures.append(f"file {number}, {kind.__name__}: the process {told}")
            continue
        seen.update(str(each) if each in (_RIGHT, _TOLD) else "wrong" for each in told)
        failures += [
            f"file {number}, {kind.__name__}, question {place}: {each}"
            for place, each in enumerate(told)
            if each not in (_RIGHT, _TOLD)
        ]
    figures = {"seed": SEED, "questions": sum(seen.values()), **dict(sorted(seen.items()))}
    return Outcome("damages", count, tuple(failures), figures)


def _flip(data: bytearray, chance: random.Random) -> bytes:
    data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    return bytes(data)


def _scatter(data: bytearray, chance: random.Random) -> bytes:
    for _ in range(20):
        data[chance.randrange(len(data))] = chance.randrange(256)
    return bytes(data)


def _cut(data: bytearray, chance: random.Random) -> bytes:
    return bytes(data[: chance.randrange(len(data))])


def _blank_block(data: bytearray, chance: random.Random) -> bytes:
    start = _HEADERS + chance.randrange((len(data) - _HEADERS) // _BLOCK) * _BLOCK
    data[start : start + _BLOCK] = bytes(_BLOCK)
    return bytes(data)


def _blank_page(data: bytearray, chance: random.Random) -> bytes:
    start = chance.randrange(len(data) // _PAGE) * _PAGE
    data[start : start + _PAGE] = bytes(_PAGE)
    return bytes(data)


def _foreign_header(data: bytearray, chance: random.Random) -> bytes:
    start, length = chance.randrange(_HEADERS), chance.randrange(1, 200)
    data[start : start + length] = chance.randbytes(length)
    return bytes(data)


DAMAGES = (_flip, _scatter, _cut, _blank_block, _blank_page, _foreign_header)


def _in_process(root: Path, right: Sequence[object]) -> list[object] | str:
    """Ask in a process of its own; gives the answers, or judges them, or says how it ended."""
    inlet, outlet = os.pipe()
    child = os.fork()
    if child == 0:
        signal.alarm(_SECONDS)
        told = pickle.dumps(_answers(root, right))
        with os.fdopen(outlet, "wb") as stream:
            stream.write(told)
        os._exit(0)
    os.close(outlet)
    with os.fdopen(inlet, "rb") as stream:
        told = stream.read()
    _, status = os.waitpid(child, 0)
    if status:
        hung = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGALRM
        return "never ended" if hung else f"ended with {os.waitstatus_to_exitcode(status)}"
    answers: list[object] = pickle.loads(told)
    return answers


def _answers(root: Path, right: Sequence[object]) -> list[object]:
    told: list[object] = []
    for place, ask in enumerate(_ASKED):
        try:
            with Workspace(root) as workspace:
                rows = ask(workspace)
        except DamagedGraphError as error:
            is_told = ".mubase" in error.message and "mu kernel build --full" in error.hint
            is_told = is_told and error.code is ExitCode.NO_GRAPH
            told.append(_TOLD if is_told else f"{error.message} ({error.hint})")
        except MuError as error:
            told.append(f"status {error.code}: {error.message}")
        except Exception as error:  # noqa: BLE001 - any other is a failure
            told.append(f"{type(error).__name__}: {error}")
        else:
            told.append(rows if not right else _RIGHT if rows == right[place] else "other rows")
    return told


def damage_cache(scratch: Path, count: int) -> Outcome:
    """Build from a cache with each of `count` damages; the graph is the one without a cache."""
    repository = make_repository(scratch / "cached")
    digest, _ = build_both(repository)
    facts = next(path for path in repository.root.with_name("cached.home").rglob("facts"))
    failures = []
    slowest = 0.0
    for name, harm in list(_CACHE_DAMAGES.items())[:count]:
        entries = sorted(path for path in facts.glob("*/*/*") if path.is_file())
        for entry, other in zip(entries[::2], entries[1::2], strict=False):
            harm(entry, other)
        (repository.root / ".mubase").unlink()
        began = time.monotonic()
        done = repository.run("kernel", "build")
        slowest = max(slowest, time.monotonic() - began)
        if done.returncode:
            failures.append(f"{name}: {done.stderr}")
        elif repository.digest() != digest:
            failures.append(f"{name}: another graph")
        shutil.rmtree(facts)
        repository.run("kernel", "build", "--full")
    return Outcome("cache", count, tuple(failures), {"slowest build": f"{slowest:.1f} s"})


def _swap(entry: Path, other: Path) -> None:
    ours, theirs = entry.read_bytes(), other.read_bytes()
    entry.write_bytes(theirs)
    other.write_bytes(ours)


def _flip_entry(entry: Path, _: Path) -> None:
    data = bytearray(entry.read_bytes())
    data[len(data) // 2] ^= 0xFF
    entry.write_bytes(data)


def _link(entry: Path, other: Path) -> None:
    entry.unlink()
    entry.symlink_to(other)


def _pipe(entry: Path, _: Path) -> None:
    entry.unlink()
    os.mkfifo(entry)


def _folder(entry: Path, _: Path) -> None:
    entry.unlink()
    entry.mkdir()


def _swell(entry: Path, _: Path) -> None:
    os.truncate(entry, 2**40)


_CACHE_DAMAGES: dict[str, Callable[[Path, Path], object]] = {
    "swapped": _swap,
    "pipe": _pipe,
    "link": _link,
    "flipped": _flip_entry,
    "cut": lambda entry, _: os.truncate(entry, entry.stat().st_size // 2),
    "empty": lambda entry, _: os.truncate(entry, 0),
    "zeroes": lambda entry, _: entry.write_bytes(bytes(entry.stat().st_size)),
    "swollen": _swell,
    "folder": _folder,
}
