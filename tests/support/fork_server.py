"""The process that workers of builds are forked from; see `forked_workers`.

It has no threads, and loads one more language whenever nobody waits for a worker.
"""

import gc
import json
import os
import selectors
import signal
import socket
import sys

from mu.kernel import extraction, worker  # noqa: F401 - what a worker loads
from mu.syntax import load_manifests
from mu.syntax.grammar import load_grammar


def serve(descriptor: str) -> None:
    """Fork a worker for each request on a socket, and tell how each ends, until it is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    asked = socket.socket(fileno=int(descriptor))
    ahead = ["python", *sorted(set(load_manifests()) - {"python", "markdown"})][::-1]
    selector = selectors.DefaultSelector()
    selector.register(asked, selectors.EVENT_READ)
    while True:
        events = selector.select(0 if ahead else None)
        if not events:
            load_grammar(ahead.pop())
            gc.freeze()
        for key, _ in events:
            if key.fileobj is not asked:
                selector.unregister(key.fileobj)
                _tell_end(key.fd, *key.data)
            elif (begun := _begin(asked)) is None:
                return
            else:
                pid, tell = begun
                selector.register(os.pidfd_open(pid), selectors.EVENT_READ, (pid, tell))


def _begin(asked: socket.socket) -> tuple[int, int] | None:
    """Fork a worker; gives its number and where its end is told, or None at the end of requests."""
    length, streams, _, _ = socket.recv_fds(asked, 4, 4)
    if not length:
        return None
    request = json.loads(asked.recv(int.from_bytes(length, "little"), socket.MSG_WAITALL))
    *streams, tell = streams
    pid = os.fork()
    if not pid:
        asked.close()
        os.close(tell)
        _work(request, streams)
    for descriptor in streams:
        os.close(descriptor)
    asked.sendall(pid.to_bytes(4, "little"))
    return pid, tell


def _work(request: dict[str, object], streams: list[int]) -> None:
    """Be a worker: what `mu.kernel.process` has a new interpreter do."""
    status = 1
    try:
        for number, descriptor in enumerate(streams):
            os.dup2(descriptor, number)
            os.close(descriptor)
        os.chdir(request["folder"])
        os.environ.clear()
        os.environ.update(request["variables"])
        signal.signal(signal.SIGINT, signal.default_int_handler)
        entry, cpu, wall, memory = request["arguments"]
        worker.main(entry, cpu=float(cpu), wall=float(wall), memory=int(memory))
        status = 0
    except BaseException:  # noqa: BLE001 - as the interpreter ends with what nobody catches
        sys.excepthook(*sys.exc_info())
    finally:
        sys.stderr.flush()
        os._exit(status)


def _tell_end(ended: int, pid: int, tell: int) -> None:
    _, status, usage = os.wait4(pid, 0)
    os.close(ended)
    spent = usage.ru_utime + usage.ru_stime
    with os.fdopen(tell, "wb") as told:
        told.write(json.dumps([os.waitstatus_to_exitcode(status), spent]).encode())
