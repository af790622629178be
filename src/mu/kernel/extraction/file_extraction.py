"""The work function of a worker: read a file, extract its facts, pack them.

Only packed facts cross between processes; the build unpacks them while the workers continue.
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
from mu.model.kinds import Category
from mu.source import SkippedSource, SourceText, SourceTree, read_source
from mu.syntax import encode_facts, load_manifests
from mu.syntax.documents import FORMATS
from mu.syntax.facts_cache import FactsCache

if TYPE_CHECKING:
    from mu.syntax import Extractor

_PACK = msgspec.msgpack.Encoder().encode

_SHAPES = "shapes"
"""The key in the facts cache of the shapes that workers learned of a language."""


class Request(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A file to extract; `path` is as the walk found it, or the name of a blob."""

    path: str
    language: str


class Result(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The result of one file: its packed `facts`, or the `reason` why it was skipped.

    A document has a packed `document` in place of facts. A file that was read and then skipped has
    its `digest` and `size`.

    `category` is empty if the text does not determine it; `problems` are those of reading.
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
    """The settings of a worker, sent once; `root` is absolute, in the bytes of the system.

    With a `tree`, that tree of git is read, by its hex name, and `root` is the folder of git.
    `cache` is the folder of cached facts, absolute as well; empty for none. With `is_known` most
    facts are expected there, and the extractor is loaded when some are missing: that takes longer
    than a small repository. Without, it is loaded while the build still walks. Unless
    `is_cache_read`, facts are only written there. With `has_blobs`, `root` is the folder of git,
    and paths are names of blobs. The grammars of `languages` are loaded at the start. With
    `has_few_files`, what a worker learns of a language is cached for the next one, since learning
    it takes longer than extracting a file.
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
    """Return the work function of a worker: a packed `Request` in, a packed `Result` out."""
    options = msgspec.msgpack.decode(configuration, type=Configuration)
    read = _Reading(options)
    decoder = msgspec.msgpack.Decoder(Request)
    encoder = msgspec.msgpack.Encoder()

    def work(payload: bytes) -> bytes:
        return encoder.encode(read.result(decoder.decode(payload)))

    return work


class _Reading:
    """A reader of files, with facts from the cache or extracted."""

    def __init__(self, options: Configuration) -> None:
        root = Path(os.fsdecode(options.root))
        self._root = _tree(root, options)
        self._max_file_size = options.max_file_size
        self._cache = Path(os.fsdecode(options.cache)) if options.cache else None
        self._is_cache_read = options.is_cache_read
        self._keeps_shapes = options.has_few_files
        self._caches: dict[str, FactsCache] = {}
        self._restored: set[str] = set()
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
        """Read one file; return its facts, or the reason why it was skipped."""
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
        category = _category(source, request.language)
        return Result(
            digest=source.digest,
            size=source.size,
            lines=source.lines,
            category=category or "",
            problems=source.problems,
            facts=facts,
            document=document,
        )

    def _document(self, source: SourceText, language: str) -> bytes:
        """Return the packed facts of a document; empty if it has none."""
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
            is_minified = _category(source, language) is Category.MINIFIED
            text = b"" if is_minified else source.text
            facts = encode_facts(with_words(self._extractor.extract(text, language)))
            cache.keep(source.digest, facts)
            if self._keeps_shapes and (shapes := self._extractor.encode_new_shapes(language)):
                cache.keep(_SHAPES, shapes)
        return facts

    def _recall_shapes(self, language: str) -> None:
        """Load what another worker learned of a language, once."""
        if self._keeps_shapes and language not in self._restored:
            self._restored.add(language)
            if shapes := self._facts_cache(language).find(_SHAPES):
                self._extractor.restore_shapes(language, shapes)

    def _facts_cache(self, language: str) -> FactsCache:
        cache = self._caches.get(language)
        if cache is None:
            cache = FactsCache(language, self._cache, is_read=self._is_cache_read)
            self._caches[language] = cache
        return cache


def _category(source: SourceText, language: str) -> Category | None:
    """Return the category that a text has; minified only where such text is not read."""
    if source.category is Category.MINIFIED:
        manifest = load_manifests().get(language)  # none of a document
        if manifest is None or manifest.reads_minified:
            return None
    return source.category


def _tree(root: Path, options: Configuration) -> Path | SourceTree:
    """Return what files are read from: a folder, or a tree or the blobs of git."""
    if not options.tree and not options.has_blobs:
        return root
    from mu.source.git.revisions import BlobTree, RevisionTree  # few workers need it

    return BlobTree(root) if options.has_blobs else RevisionTree(root, options.tree)


def document_cache(language: str, folder: Path | None, *, is_read: bool = True) -> FactsCache:
    """Return the cache of facts of documents in a format.

    It is versioned by the whole installation of MU, since any part may change these facts: examples
    in a document can be in any language.
    """
    return FactsCache(language, folder, is_read=is_read, version=engine_digest() if folder else "")


def with_words(facts: FileFacts) -> FileFacts:
    """Add the weights of words in definitions, and drop the prose that they come from."""
    return replace(facts, words=definition_words(facts), prose=unweighed_prose(facts))


def with_words_of_sections(page: DocumentFacts) -> DocumentFacts:
    """Add the weights of words in sections, and shorten the texts of these to excerpts."""
    sections = [row._replace(text=row.text[:LONGEST_EXCERPT]) for row in page.sections]
    return replace(page, words=section_words(page), sections=tuple(sections))
