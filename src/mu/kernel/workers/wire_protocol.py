"""Messages between the build and its workers: length-prefixed frames over pipes.

A frame is an 8-byte header (payload length and key, little-endian), one byte of kind, and the
payload. Nothing is ever unpickled: a payload is bytes in a format that both ends agree on.
"""

import struct
from collections.abc import Iterator
from enum import IntEnum
from typing import BinaryIO, NamedTuple

_HEADER = struct.Struct("<IIB")


class FrameKind(IntEnum):
    """The kind of a message."""

    TASK = 0  # to the worker: do this
    DONE = 1  # from the worker: the result
    FAILED = 2  # from the worker: the task raised; the payload is the reason as UTF-8
    READY = 3  # from the worker: set up, and waiting
    BROKEN = 4  # from the worker: it could not be set up; the payload is the reason as UTF-8
    EXHAUSTED = 5  # from the worker: the task ran out of memory, and the process ends


class Frame(NamedTuple):
    """One message; `key` names the task it belongs to (0 where it belongs to none)."""

    key: int
    kind: FrameKind
    payload: bytes


def pack(key: int, kind: FrameKind, *, payload: bytes = b"") -> bytes:
    """Return the bytes of one frame."""
    return _HEADER.pack(len(payload), key, kind) + payload


def read_frame(stream: BinaryIO) -> Frame | None:
    """Read one frame from a blocking, buffered stream; return None if it ends before that."""
    header = stream.read(_HEADER.size)
    if len(header) < _HEADER.size:
        return None
    length, key, kind = _HEADER.unpack(header)
    payload = stream.read(length)
    return Frame(key, FrameKind(kind), payload) if len(payload) == length else None


def take_frames(buffer: bytearray) -> Iterator[Frame]:
    """Remove the complete frames at the start of `buffer`, and return them in order."""
    start = 0
    frames = []
    while len(buffer) - start >= _HEADER.size:
        length, key, kind = _HEADER.unpack_from(buffer, start)
        end = start + _HEADER.size + length
        if len(buffer) < end:
            break
        frames.append(Frame(key, FrameKind(kind), bytes(buffer[start + _HEADER.size : end])))
        start = end
    del buffer[:start]
    return iter(frames)
