"""The facts of files from the cache of an earlier build, decoded on demand."""

from collections.abc import Iterable, Iterator, Mapping, Set
from pathlib import Path

from mu.model.facts import FileFacts
from mu.model.graph import File
from mu.resolve import NeedsBuildError
from mu.syntax import decode_facts, load_manifests
from mu.syntax.facts_cache import FactsCache


class CachedFacts(Mapping[int, FileFacts]):
    """The facts of the indexed files that are not documents, by key.

    Access raises NeedsBuildError if the facts of a file are not cached.
    """

    def __init__(self, files: Iterable[File], folder: Path | None) -> None:
        languages = load_manifests()
        self._folder = folder
        self._caches: dict[str, FactsCache] = {}
        self._files = {
            file.key: file
            for file in files
            if file.status == "indexed" and file.language in languages
        }
        self._decoded: dict[int, FileFacts] = {}

    def __getitem__(self, key: int) -> FileFacts:
        facts = self._decoded.get(key)
        if facts is None:
            facts = self._decoded[key] = decode_facts(self._encoded(self._files[key]))
        return facts

    def __contains__(self, key: object) -> bool:
        return key in self._files

    def __iter__(self) -> Iterator[int]:
        return iter(self._files)

    def __len__(self) -> int:
        return len(self._files)

    def _encoded(self, file: File) -> bytes:
        cache = self._caches.get(file.language)
        if cache is None:
            cache = self._caches[file.language] = FactsCache(file.language, self._folder)
        data = cache.find(file.digest)
        if data is None:
            raise NeedsBuildError(f"the facts of {file.path} are not kept")
        return data


class EditedFacts(Mapping[int, FileFacts]):
    """Facts after an edit, by key: those `before` without the files `gone`, and the `new` ones."""

    def __init__(
        self, before: CachedFacts, *, gone: Set[int], new: Mapping[int, FileFacts]
    ) -> None:
        self._before = before
        self._new = new
        self._keys = dict.fromkeys([*(key for key in before if key not in gone), *new])

    def __getitem__(self, key: int) -> FileFacts:
        if key not in self._keys:
            raise KeyError(key)
        return self._new[key] if key in self._new else self._before[key]

    def __contains__(self, key: object) -> bool:
        return key in self._keys

    def __iter__(self) -> Iterator[int]:
        return iter(self._keys)

    def __len__(self) -> int:
        return len(self._keys)
