"""Reads the part of Python's marshal format that a profile of cProfile is written in.

`marshal.loads` may crash the interpreter on bytes that were made to harm, and makes code objects;
this reader knows dictionaries, tuples, strings and numbers, and refuses everything else. Source:
CPython, `Python/marshal.c`, versions 2 to 5 of the format.
"""

import struct

MOST_DEPTH = 20

_FLAG = 0x80  # the value is kept, and may be referred to by its number
_END = object()


class MarshalError(ValueError):
    """The bytes are no such value."""


def read_marshalled(data: bytes) -> object:
    """Give the value that some bytes stand for; raises MarshalError."""
    try:
        return _Reader(data).value(0)
    except (struct.error, IndexError, UnicodeDecodeError, TypeError, ValueError) as error:
        raise MarshalError(str(error)) from error


class _Reader:
    """The bytes, the place in them, and the values that may be referred to."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._place = 0
        self._kept: list[object] = []

    def value(self, depth: int) -> object:
        """Read the next value; `_END` where a dictionary ends."""
        if depth > MOST_DEPTH:
            raise MarshalError("nested too deeply")
        byte = self._take(1)[0]
        kind = chr(byte & ~_FLAG)
        if kind == "r":
            return self._kept[self._number("<I", 4)]
        number = len(self._kept)
        if byte & _FLAG:
            self._kept.append(None)
        value = self._of(kind, depth)
        if byte & _FLAG:
            self._kept[number] = value
        return value

    def _of(self, kind: str, depth: int) -> object:
        match kind:
            case "{":
                return self._dictionary(depth)
            case "(" | ")":
                length = self._number("<I", 4) if kind == "(" else self._take(1)[0]
                if length > len(self._data):
                    raise MarshalError("cut off")
                return tuple(self.value(depth + 1) for _ in range(length))
            case "u" | "t" | "a" | "A" | "s":
                return self._take(self._number("<I", 4)).decode("utf-8", "surrogatepass")
            case "z" | "Z":
                return self._take(self._take(1)[0]).decode("latin-1")
            case "i":
                return self._number("<i", 4)
            case "l":
                return self._long()
            case "g":
                return float(struct.unpack("<d", self._take(8))[0])
            case "f":
                return float(self._take(self._take(1)[0]))
            case "0":
                return _END
            case "N":
                return None
        raise MarshalError(f"a value of the type {kind!r}")

    def _dictionary(self, depth: int) -> dict[object, object]:
        found: dict[object, object] = {}
        while (key := self.value(depth + 1)) is not _END:
            found[key] = self.value(depth + 1)
        return found

    def _long(self) -> int:
        """Read digits of 15 bits, whose number has the sign."""
        size = self._number("<i", 4)
        digits = struct.unpack(f"<{abs(size)}H", self._take(2 * abs(size)))
        value = sum(int(digit) << (15 * place) for place, digit in enumerate(digits[:20]))
        return -value if size < 0 else value

    def _number(self, form: str, size: int) -> int:
        return int(struct.unpack(form, self._take(size))[0])

    def _take(self, size: int) -> bytes:
        start, self._place = self._place, self._place + size
        if self._place > len(self._data):
            raise MarshalError("cut off")
        return self._data[start : self._place]
