"""What a worker does with one file: read it, extract its facts, pack them.

Only packed facts cross between processes; the build unpacks them while the workers go on.
"""

import os
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from mu.kernel.engine_digest import engine_digest
from mu.lexical import definition_words, section_words, unweighed_prose
from mu.model.documents import LONGEST_EXCERPT, DocumentFacts
from mu.model.facts import FileFacts
from mu.source import SkippedSource, SourceText, SourceTree, read_source
from mu.syntax import encode_facts
from mu.syntax.documents import FORMATS
from mu.syntax.facts_cache import FactsCache

if TYPE_CHECKING:
    from mu.syntax import Extractor

_PACK = msgspec.msgpack.Encoder().encode

_SHAPES = "shapes"
"""The name in the facts cache of the shapes that workers learned of a language."""


class Request(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One file to do; `path` is as the walk gave it."""

    path: str
    language: str


class Result(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """What reading and extracting one file gave: packed `facts`, or the `reason` it was skipped.

    A page has a packed `document` in the place of facts. What was read and then left out has its
    `digest` and `size`.

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
    """What a worker is told once; `root` is absolute, as the system's bytes.

    With a `tree`, that tree of git is read, by its hex name, and `root` is the folder of git.
    `cache` is the folder in which facts are kept, likewise; empty where they are not. With
    `is_known` most files are expected there, and what extracts is loaded when one is not: that
    takes longer than a small repository. Otherwise it is loaded while the build still walks. Unless
    `is_cache_read`, facts are only written there. With `has_blobs`, `root` is the folder of git,
    and paths are names of blobs. The grammars of `languages` are loaded at once. With
    `has_few_files`, what is learned of languages is kept for the next worker, which is slower to
    learn it than to extract a file.
    """

    root: bytes
    max_file_size: int
    cache: bytes = b""
    is_known: bool = False
    is_cache_read: bool = True
    tree: str = ""
    has_blobs: bool = False
    languages: tuple[str, ...] = ()
    has_few_files: bool = False


def set_up(configuration: bytes) -> Callable[[bytes], bytes]:
    """Make the work function of a worker: a packed `Request` in, a packed `Result` out."""
    options = msgspec.msgpack.decode(configuration, type=Configuration)
    read = _Reading(options)
    decoder = msgspec.msgpack.Decoder(Request)
    encoder = msgspec.msgpack.Encoder()

    def work(payload: bytes) -> bytes:
        return encoder.encode(read.result(decoder.decode(payload)))

    return work


class _Reading:
    """Gives the result of a file, with facts from the cache or extracted."""

    def __init__(self, options: Configuration) -> None:
        root = Path(os.fsdecode(options.root))
        self._root = _tree(root, options)
        self._max_file_size = options.max_file_size
        self._cache = Path(os.fsdecode(options.cache)) if options.cache else None
        self._is_cache_read = options.is_cache_read
        self._keeps_shapes = options.has_few_files
        self._caches: dict[str, FactsCache] = {}
        self._recalled: set[str] = set()
        if not options.is_known:
            for language in options.languages:
                if language not in FORMATS.values():
                    self._recall_shapes(language)
            self._extractor.load(options.languages)

    @cached_property
    def _extractor(self) -> "Extractor":
        from mu.syntax import Extractor

        return Extractor()

    def result(self, request: Request) -> Result:
        """Read one file and give what is in it, or the reason why it was skipped."""
        try:
            source = read_source(self._root, request.path, max_file_size=self._max_file_size)
        except SkippedSource as skipped:
            return Result(reason=skipped.message)
        facts = document = b""
        if request.language in FORMATS.values():
            document = self._document(source, request.language)
            if not document:
                return Result("without a heading", source.digest, source.size)
        else:
            facts = self._facts(source, request.language)
        return Result(
            digest=source.digest,
            size=source.size,
            lines=source.lines,
            category=source.category or "",
            problems=source.problems,
            facts=facts,
            document=document,
        )

    def _document(self, source: SourceText, language: str) -> bytes:
        """The facts of a page; empty where it has none."""
        cache = self._caches.get(language)
        if cache is None:
            cache = document_cache(language, self._cache, is_read=self._is_cache_read)
            self._caches[language] = cache
        document = cache.find(source.digest)
        if document is None:
            from mu.syntax.documents import read_document

            page = read_document(source.text, language, extractor=self._extractor)
            if page is None:
                return b""
            document = _PACK(with_words_of_sections(page))
            cache.keep(source.digest, document)
        return document

    def _facts(self, source: SourceText, language: str) -> bytes:
        cache = self._facts_cache(language)
        facts = cache.find(source.digest)
        if facts is None:
            self._recall_shapes(language)
            facts = encode_facts(with_words(self._extractor.extract(source.text, language)))
            cache.keep(source.digest, facts)
            if self._keeps_shapes and (shapes := self._extractor.learned(language)):
                cache.keep(_SHAPES, shapes)
        return facts

    def _recall_shapes(self, language: str) -> None:
        """Take over what was learned of a language before, once."""
        if self._keeps_shapes and language not in self._recalled:
            self._recalled.add(language)
            if shapes := self._facts_cache(language).find(_SHAPES):
                self._extractor.recall(language, shapes)

    def _facts_cache(self, language: str) -> FactsCache:
        cache = self._caches.get(language)
        if cache is None:
            cache = FactsCache(language, self._cache, is_read=self._is_cache_read)
            self._caches[language] = cache
        return cache


def _tree(root: Path, options: Configuration) -> Path | SourceTree:
    """What the files of a build are read from."""
    if not options.tree and not options.has_blobs:
        return root
    from mu.source.git.revisions import BlobTree, RevisionTree  # which few workers read

    return BlobTree(root) if options.has_blobs else RevisionTree(root, options.tree)


def document_cache(language: str, folder: Path | None, *, is_read: bool = True) -> FactsCache:
    """The facts that are kept of pages in a format.

    Any part of MU may change them: examples on a page are read in all languages.
    """
    return FactsCache(language, folder, is_read=is_read, version=engine_digest() if folder else "")


def with_words(facts: FileFacts) -> FileFacts:
    """Weigh the words of definitions, in place of the prose that they are of."""
    return replace(facts, words=definition_words(facts), prose=unweighed_prose(facts))


def with_words_of_sections(page: DocumentFacts) -> DocumentFacts:
    """Weigh the words of sections, and leave excerpts of their texts."""
    sections = [row._replace(text=row.text[:LONGEST_EXCERPT]) for row in page.sections]
    return replace(page, words=section_words(page), sections=tuple(sections))
