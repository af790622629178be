"""The process that others are forked from; see `forked_processes`.

It has no threads, and loads one more of what they load whenever nobody waits for a process.
"""

import atexit
import gc
import json
import os
import selectors
import signal
import socket
import sys
import threading
from collections.abc import Sequence
from importlib import import_module

GRAMMAR = "grammar of "


def serve(descriptor: str, *loaded: str) -> None:
    """Fork a process for each request on a socket, and tell how each ends, until it is closed.

    What is `loaded` are modules, and grammars of languages.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    asked = socket.socket(fileno=int(descriptor))
    ahead = [*loaded]
    selector = selectors.DefaultSelector()
    selector.register(asked, selectors.EVENT_READ)
    while True:
        events = selector.select(0 if ahead else None)
        if not events:
            _load(ahead.pop(0))
        for key, _ in events:
            if key.fileobj is not asked:
                selector.unregister(key.fileobj)
                _tell_end(key.fd, *key.data)
            elif (begun := _begin(asked)) is None:
                return
            else:
                pid, tell = begun
                selector.register(os.pidfd_open(pid), selectors.EVENT_READ, (pid, tell))


def _load(name: str) -> None:
    if name.startswith(GRAMMAR):
        from mu.syntax.grammars.grammar import load_grammar

        load_grammar(name.removeprefix(GRAMMAR))
    else:
        import_module(name)
    gc.freeze()


def _begin(asked: socket.socket) -> tuple[int, int] | None:
    """Fork a process; its number and where its end is told, or None at the end of requests."""
    length, descriptors, _, _ = socket.recv_fds(asked, 4, 4)
    if not length:
        return None
    request = json.loads(asked.recv(int.from_bytes(length, "little"), socket.MSG_WAITALL))
    *streams, tell = descriptors
    pid = os.fork()
    if not pid:
        asked.close()
        os.close(tell)
        _run(request, streams)
    for descriptor in streams:
        os.close(descriptor)
    asked.sendall(pid.to_bytes(4, "little"))
    return pid, tell


def _run(request: dict[str, object], streams: Sequence[int]) -> None:
    """Be what `python -c PROGRAM ARGUMENT...` is, with these three streams."""
    status: object = 1
    try:
        for number, descriptor in enumerate(streams):
            os.dup2(descriptor, number)
            os.close(descriptor)
        _open_streams()
        os.chdir(request["folder"])
        os.environ.clear()
        os.environ.update(request["variables"])
        signal.signal(signal.SIGINT, signal.default_int_handler)
        sys.argv = ["-c", *request["arguments"]]
        exec(request["program"], {"__name__": "__main__"})  # noqa: S102 - a test's own program
        status = 0
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:  # noqa: BLE001 - as the interpreter ends with what nobody catches
        sys.excepthook(*sys.exc_info())
    finally:
        threading._shutdown()
        atexit._run_exitfuncs()
        for stream in (sys.stdout, sys.stderr):
            try:
                stream.flush()
            except OSError:  # its reader is gone
                status = status or 120
        os._exit(int(status))


def _open_streams() -> None:
    """Give Python streams on the descriptors, as an interpreter that starts does."""
    sys.stdin = os.fdopen(0, encoding="utf-8", closefd=False)
    sys.stdout = os.fdopen(1, "w", encoding="utf-8", closefd=False)
    sys.stderr = os.fdopen(2, "w", 1, encoding="utf-8", errors="backslashreplace", closefd=False)


def _tell_end(ended: int, pid: int, tell: int) -> None:
    _, status, usage = os.wait4(pid, 0)
    os.close(ended)
    spent = usage.ru_utime + usage.ru_stime
    with os.fdopen(tell, "wb") as told:
        told.write(json.dumps([os.waitstatus_to_exitcode(status), spent]).encode())
