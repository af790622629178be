"""Write a table as a Parquet file, column by column, for the engine to read with its own reader.

Only what columns of numbers and of repeated texts need is here: one group of rows, no compression,
no missing values. A text is written once, in the dictionary of its column, and named in the rows by
a number of 1, 2 or 4 bytes, which is what bit-packed numbers of these widths are. So nothing is
done value by value here.

Format: https://parquet.apache.org/docs/file-format/; its headers are Thrift's compact protocol.
"""

import sys
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import BinaryIO

_MAGIC = b"PAR1"
_INT32, _BYTE_ARRAY = 1, 6
_PLAIN, _RLE, _RLE_DICTIONARY = 0, 3, 8
_DATA_PAGE, _DICTIONARY_PAGE = 0, 2
_UTF8 = 0
_GROUP = 8  # values are bit-packed by so many
_MOST_SHORT = 14  # elements of a list whose length goes into its first byte


@dataclass(frozen=True, slots=True)
class Numbers:
    """A column of whole numbers: an array of 4 bytes each."""

    values: "array[int]"


@dataclass(frozen=True, slots=True)
class Texts:
    """A column of texts, and for each row the place of its own among them."""

    texts: Sequence[str]
    places: "array[int]"


Column = Numbers | Texts


def write_parquet(file: BinaryIO, columns: Mapping[str, Column]) -> None:
    """Write columns of equal length, at least one. Raises OSError."""
    file.write(_MAGIC)
    offset, chunks, rows = len(_MAGIC), [], 0
    for name, column in columns.items():
        pages = _number_pages(column) if isinstance(column, Numbers) else _text_pages(column)
        starts, size = [], 0
        for page in pages:
            starts.append(offset + size)
            for part in page:
                file.write(part)
                size += len(part)
        is_text = isinstance(column, Texts)
        rows = len(column.places) if isinstance(column, Texts) else len(column.values)
        chunks.append(_chunk(name, rows, starts, size, is_text=is_text))
        offset += size
    group = _struct({1: _list(_STRUCT, chunks), 2: _long(offset), 3: _long(rows)})[1]
    footer = _struct(
        {
            1: _int(1),
            2: _list(_STRUCT, _schema(columns)),
            3: _long(rows),
            4: _list(_STRUCT, [group] if rows else []),
        }
    )[1]
    file.write(footer)
    file.write(len(footer).to_bytes(4, "little") + _MAGIC)
    file.seek(0)


_Page = Sequence["bytes | array[int]"]


def _number_pages(column: Numbers) -> Iterator[_Page]:
    data = _little(column.values)
    yield _data_header(len(column.values), len(data), _PLAIN), data


def _text_pages(column: Texts) -> Iterator[_Page]:
    words = [text.encode() for text in column.texts]
    data = b"".join([part for word in words for part in (len(word).to_bytes(4, "little"), word)])
    kind = {1: _int(len(words)), 2: _int(_PLAIN)}
    yield _page_header(_DICTIONARY_PAGE, len(data), {7: _struct(kind)}), data
    count = len(column.places)
    groups = -(-count // _GROUP)
    width = column.places.itemsize
    places = _little(column.places)
    head = bytes([8 * width]) + _varint(groups << 1 | 1)
    tail = bytes((groups * _GROUP - count) * width)
    size = len(head) + len(places) + len(tail)
    yield _data_header(count, size, _RLE_DICTIONARY), head, places, tail


def place_code(count: int) -> str:
    """Give the code of the narrowest array that holds places among so many texts."""
    return next(code for code in "BHIL" if count <= 1 << 8 * array(code).itemsize)


def _little(values: "array[int]") -> bytes:
    """The bytes of whole numbers, the lowest of each first."""
    if sys.byteorder == "big":
        values = values[:]
        values.byteswap()
    return values.tobytes()


def _data_header(count: int, size: int, encoding: int) -> bytes:
    kind = {1: _int(count), 2: _int(encoding), 3: _int(_RLE), 4: _int(_RLE)}
    return _page_header(_DATA_PAGE, size, {5: _struct(kind)})


def _page_header(kind: int, size: int, rest: Mapping[int, "_Value"]) -> bytes:
    return _struct({1: _int(kind), 2: _int(size), 3: _int(size), **rest})[1]


def _schema(columns: Mapping[str, Column]) -> Iterator[bytes]:
    yield _struct({4: _binary("rows"), 5: _int(len(columns))})[1]
    for name, column in columns.items():
        if isinstance(column, Numbers):
            yield _struct({1: _int(_INT32), 3: _int(0), 4: _binary(name)})[1]
        else:
            yield _struct({1: _int(_BYTE_ARRAY), 3: _int(0), 4: _binary(name), 6: _int(_UTF8)})[1]


def _chunk(name: str, rows: int, starts: Sequence[int], size: int, *, is_text: bool) -> bytes:
    encodings = (_PLAIN, _RLE, _RLE_DICTIONARY) if is_text else (_PLAIN,)
    about = {
        1: _int(_BYTE_ARRAY if is_text else _INT32),
        2: _list(_I32, [_int(one)[1] for one in encodings]),
        3: _list(_BINARY, [_binary(name)[1]]),
        4: _int(0),
        5: _long(rows),
        6: _long(size),
        7: _long(size),
        9: _long(starts[-1]),
    }
    if is_text:
        about[11] = _long(starts[0])
    return _struct({2: _long(starts[0]), 3: _struct(about)})[1]


_I32, _I64, _BINARY, _LIST, _STRUCT = 5, 6, 8, 9, 12

_Value = tuple[int, bytes]
"""The type of a value in Thrift's compact protocol, and the value as it is written."""


def _int(value: int) -> _Value:
    return _I32, _varint(value << 1)


def _long(value: int) -> _Value:
    return _I64, _varint(value << 1)


def _binary(text: str) -> _Value:
    data = text.encode()
    return _BINARY, _varint(len(data)) + data


def _list(kind: int, values: Iterable[bytes]) -> _Value:
    held = [*values]
    if len(held) <= _MOST_SHORT:
        return _LIST, bytes([len(held) << 4 | kind]) + b"".join(held)
    return _LIST, bytes([0xF0 | kind]) + _varint(len(held)) + b"".join(held)


def _struct(fields: Mapping[int, _Value]) -> _Value:
    data, last = b"", 0
    for number, (kind, value) in sorted(fields.items()):
        data += bytes([(number - last) << 4 | kind]) + value
        last = number
    return _STRUCT, data + b"\0"


def _varint(value: int) -> bytes:
    data = b""
    while value > 0x7F:
        data += bytes([value & 0x7F | 0x80])
        value >>= 7
    return data + bytes([value])
