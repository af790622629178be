"""What the pool's tests let workers do, in place of parsing; run inside real worker processes."""

import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path


def set_up(configuration: bytes) -> Callable[[bytes], bytes]:
    """Give a work function that does what its payload says; `configuration` is a folder."""
    folder = Path(os.fsdecode(configuration))

    def work(payload: bytes) -> bytes:
        word, _, rest = payload.decode().partition(" ")
        return _ACTS[word](folder, rest)

    return work


def broken(configuration: bytes) -> Callable[[bytes], bytes]:
    """Fail as an extractor does whose grammar is missing."""
    raise LookupError(configuration.decode())


def dies_at_start(configuration: bytes) -> Callable[[bytes], bytes]:
    """End the process before it is ready."""
    sys.stderr.write("no room for a parser\n")
    sys.stderr.flush()
    os._exit(7)


def starts_slowly(configuration: bytes) -> Callable[[bytes], bytes]:
    """Be ready after a second of work."""
    _work_for(1.0)
    return set_up(configuration)


def _echo(folder: Path, rest: str) -> bytes:
    return rest.encode()


def _large(folder: Path, rest: str) -> bytes:
    return b"x" * int(rest)


def _process(folder: Path, rest: str) -> bytes:
    return str(os.getpid()).encode()


def _kill(folder: Path, rest: str) -> bytes:
    os.kill(os.getpid(), signal.SIGKILL)
    return b""


def _kill_once(folder: Path, rest: str) -> bytes:
    mark = folder / rest
    if mark.exists():
        return b"second time"
    mark.touch()
    os._exit(9)


def _exit(folder: Path, rest: str) -> bytes:
    os._exit(int(rest))


def _hang(folder: Path, rest: str) -> bytes:
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM])
    while True:
        signal.pause()


def _stall(folder: Path, rest: str) -> bytes:
    while True:  # the alarm that was set before the task ends this, and nothing else
        signal.pause()


def _spin(folder: Path, rest: str) -> bytes:
    _work_for(float(rest))
    return b"done"


def _work_for(seconds: float) -> None:
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


def _wait(folder: Path, rest: str) -> bytes:
    time.sleep(float(rest))
    return b"done"


def _grow(folder: Path, rest: str) -> bytes:
    return b"%d" % len(bytearray(int(rest)))


def _grow_for_good(folder: Path, rest: str) -> bytes:
    _KEPT.append(bytearray(int(rest)))
    return _process(folder, rest)


_KEPT: list[bytearray] = []


def _raise(folder: Path, rest: str) -> bytes:
    raise ValueError(rest)


def _print(folder: Path, rest: str) -> bytes:
    sys.stdout.write(rest * 100)
    sys.stdout.flush()
    os.write(1, b"straight to the descriptor")
    return sys.stdin.read().encode() + b"printed"


def _path(folder: Path, rest: str) -> bytes:
    return "\n".join(sys.path).encode()


def _json(folder: Path, rest: str) -> bytes:
    import json

    return str(json.__file__).encode()


def _modules(folder: Path, rest: str) -> bytes:
    return " ".join(sys.modules).encode()


_ACTS: dict[str, Callable[[Path, str], bytes]] = {
    "echo": _echo,
    "large": _large,
    "process": _process,
    "kill": _kill,
    "kill-once": _kill_once,
    "exit": _exit,
    "hang": _hang,
    "stall": _stall,
    "spin": _spin,
    "wait": _wait,
    "grow": _grow,
    "grow-for-good": _grow_for_good,
    "raise": _raise,
    "print": _print,
    "path": _path,
    "json": _json,
    "modules": _modules,
}
