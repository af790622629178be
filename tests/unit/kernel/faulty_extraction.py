"""Real file_extraction, but for files whose names say what goes wrong; runs in worker processes."""

import os
import signal
from collections.abc import Callable

import msgspec

from mu.kernel.extraction import file_extraction


def set_up(configuration: bytes) -> Callable[[bytes], bytes]:
    """Wrap the work function of a build's workers."""
    work = file_extraction.set_up(configuration)

    def faulty(payload: bytes) -> bytes:
        path = msgspec.msgpack.decode(payload, type=file_extraction.Request).path
        if path.endswith("kills.py"):
            os.kill(os.getpid(), signal.SIGKILL)
        if path.endswith("hangs.py"):
            signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM])
            signal.pause()
        if path.endswith("grows.py"):
            bytearray(2_000_000_000)
        if path.endswith("raises.py"):
            raise RuntimeError("a bug in the extractor")
        return work(payload)

    return faulty
