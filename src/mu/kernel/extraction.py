"""What a worker does with one file: read it, extract its facts, pack them.

Only packed facts cross between processes; the build unpacks them while the workers go on.
"""

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from mu.source import SkippedSource, read_source
from mu.syntax import encode_facts
from mu.syntax.documents import FORMATS, read_document

if TYPE_CHECKING:
    from mu.syntax import Extractor

_PACK = msgspec.msgpack.Encoder().encode

ENTRY = "mu.kernel.extraction:set_up"
"""What a worker process runs, as `module:attribute`."""


class Request(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One file to do; `path` is as the walk gave it."""

    path: str
    language: str


class Result(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """What reading and extracting one file gave: packed `facts`, or the `reason` it was skipped.

    A page has a packed `document` in the place of facts.

    `category` is empty when the text does not tell; `problems` are those of reading.
    """

    reason: str = ""
    digest: str = ""
    size: int = 0
    lines: int = 0
    category: str = ""
    problems: tuple[str, ...] = ()
    facts: bytes = b""
    document: bytes = b""


class Configuration(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """What a worker is told once; `root` is absolute, as the system's bytes."""

    root: bytes
    max_file_size: int


def set_up(configuration: bytes) -> Callable[[bytes], bytes]:
    """Make the work function of a worker: a packed `Request` in, a packed `Result` out."""
    from mu.syntax import Extractor  # here alone: the build itself imports this module too

    options = msgspec.msgpack.decode(configuration, type=Configuration)
    root = Path(os.fsdecode(options.root))
    extractor = Extractor()
    decoder = msgspec.msgpack.Decoder(Request)
    encoder = msgspec.msgpack.Encoder()

    def work(payload: bytes) -> bytes:
        request = decoder.decode(payload)
        return encoder.encode(_extract(extractor, root, request, options.max_file_size))

    return work


def _extract(extractor: "Extractor", root: Path, request: Request, max_file_size: int) -> Result:
    try:
        source = read_source(root, request.path, max_file_size=max_file_size)
    except SkippedSource as skipped:
        return Result(reason=skipped.message)
    facts = document = b""
    if request.language in FORMATS.values():
        page = read_document(source.text, request.language, extractor=extractor)
        if page is None:
            return Result(reason="without a heading")
        document = _PACK(page)
    else:
        facts = encode_facts(extractor.extract(source.text, request.language))
    return Result(
        digest=source.digest,
        size=source.size,
        lines=source.lines,
        category=source.category or "",
        problems=source.problems,
        facts=facts,
        document=document,
    )
