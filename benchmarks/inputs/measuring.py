"""What a worker spends on a text, in a process of its own: CPU, memory, and what becomes of it."""

import os
import resource
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import msgspec

from benchmarks.inputs import compiled, ecmascript, markup, python
from benchmarks.inputs.case import Case
from mu.kernel.extraction import file_extraction
from mu.syntax import load_manifests
from mu.syntax.documents import FORMATS

LONGEST = 60  # seconds of CPU for one text
MOST_MEMORY = 4 << 30  # bytes of address space


@dataclass(frozen=True, slots=True)
class Cost:
    """What a text of `size` bytes cost: seconds of CPU, bytes more than before, bytes of facts.

    `ended` says how it ended where there are no facts.
    """

    case: Case
    size: int
    cpu: float
    memory: int
    facts: int
    ended: str


def all_cases() -> tuple[Case, ...]:
    """Give every way for a text to grow that is known here."""
    return (*python.CASES, *ecmascript.CASES, *compiled.CASES, *markup.CASES)


def measure(cases: Iterable[Case], sizes: Iterable[int]) -> Iterator[Cost]:
    """Extract each case at each size, and give what that cost; no larger one once one ended."""
    languages = {end: name for name, one in load_manifests().items() for end in one.extensions}
    languages |= FORMATS
    with tempfile.TemporaryDirectory(prefix="mu-inputs-") as folder:
        root = Path(folder)
        configuration = file_extraction.Configuration(os.fsencode(root), max_file_size=1 << 30)
        work = file_extraction.set_up(msgspec.msgpack.encode(configuration))
        for case in cases:
            path = f"a{case.suffix}"
            request = msgspec.msgpack.encode(file_extraction.Request(path, languages[case.suffix]))
            (root / path).write_text("", encoding="utf-8")
            work(request)  # what is made ready once for a language
            for size in sizes:
                (root / path).write_text(case.text(size), encoding="utf-8")
                cost = _in_a_fork(case, (root / path).stat().st_size, work, request)
                yield cost
                if cost.ended:
                    break


def _in_a_fork(case: Case, size: int, work: Callable[[bytes], bytes], request: bytes) -> Cost:
    """Do a task in a copy of this process."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        _serve(work, request, write)
    os.close(write)
    with os.fdopen(read, "rb") as pipe:
        answer = pipe.read()
    _, status, usage = os.wait4(pid, 0)
    code = os.waitstatus_to_exitcode(status)
    ended = answer[1:].decode() if answer[:1] == b"!" else f"ended by {-code}" if code else ""
    memory = max(0, usage.ru_maxrss - before) * 1024
    facts = 0 if ended else int(answer)
    return Cost(case, size, usage.ru_utime + usage.ru_stime, memory, facts, ended)


def _serve(work: Callable[[bytes], bytes], request: bytes, answers: int) -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (LONGEST, LONGEST))
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    try:
        result = msgspec.msgpack.decode(work(request), type=file_extraction.Result)
        answer = f"!{result.reason}" if result.reason else str(len(result.facts + result.document))
    except BaseException as error:  # noqa: BLE001 - told
        answer = f"!{type(error).__name__}"
    os.write(answers, answer.encode())
    os._exit(0)
