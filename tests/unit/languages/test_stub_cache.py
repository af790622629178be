"""Facts of stubs are cached, and discarded if this version of MU would extract others."""

import os
from concurrent.futures import ThreadPoolExecutor
from hashlib import blake2b
from pathlib import Path

import pytest

from mu.languages.stub_cache import StubCache, stubs_cached_in
from mu.languages.stubs import Stubs, clear_stubs, python_stubs
from mu.model.facts import FileFacts
from mu.syntax import Extractor, encode_facts, extraction_digest

STUB = b"class Path:\n    def open(self) -> int: ...\n"
FACTS = Extractor().extract(STUB, "python")
OTHER = Extractor().extract(b"x = 1\n", "python")


def new_stubs() -> Stubs:
    return Stubs("python", ["stubs/python"], extension=".pyi", package_file="__init__")


def kept_files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


@pytest.mark.parametrize("module", ["builtins", "collections.abc", "os"])
def test_cached_facts_are_equal_to_extracted_ones(tmp_path: Path, module: str) -> None:
    made = new_stubs().facts(module)
    with stubs_cached_in(tmp_path / "cache"):
        first, second = new_stubs().facts(module), new_stubs().facts(module)

    assert made is not None
    assert made == first == second
    assert len(kept_files(tmp_path)) == 1


def test_cached_facts_are_not_extracted_again(tmp_path: Path) -> None:
    with stubs_cached_in(tmp_path):
        StubCache("python").keep(STUB, OTHER)

        assert StubCache("python").find(STUB) == OTHER
        assert StubCache("java").find(STUB) is None
        assert StubCache("python").find(STUB + b"\n") is None


def test_without_a_folder_nothing_is_cached(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    StubCache("python").keep(STUB, FACTS)
    with stubs_cached_in(None):
        StubCache("python").keep(STUB, FACTS)

        assert StubCache("python").find(STUB) is None
    assert kept_files(tmp_path) == []


def altered(data: bytes) -> bytes:
    facts = encode_facts(OTHER)
    return data[:16] + facts


def of_another_shape(_data: bytes) -> bytes:
    return blake2b(b"\x01", digest_size=16).digest() + b"\x01"


@pytest.mark.parametrize(
    "damage", [lambda data: b"", lambda data: data[:-1], altered, of_another_shape]
)
def test_a_damaged_file_is_made_anew(tmp_path: Path, damage) -> None:  # type: ignore[no-untyped-def]
    with stubs_cached_in(tmp_path):
        made = new_stubs().facts("abc")
        (path,) = kept_files(tmp_path)
        whole = path.read_bytes()
        path.write_bytes(damage(whole))

        assert new_stubs().facts("abc") == made
        assert path.read_bytes() == whole


def test_a_folder_that_cannot_be_written_is_done_without(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file stands here")

    with stubs_cached_in(tmp_path / "cache"):
        assert new_stubs().facts("abc") is not None


def test_builds_at_once_leave_one_whole_file(tmp_path: Path) -> None:
    def keep(_: int) -> FileFacts | None:
        with stubs_cached_in(tmp_path):  # each thread has a context of its own
            StubCache("python").keep(STUB, FACTS)
            return StubCache("python").find(STUB)

    with ThreadPoolExecutor(8) as pool:
        assert all(found == FACTS for found in pool.map(keep, range(40)))
    (path,) = kept_files(tmp_path)
    assert path.read_bytes()[16:] == encode_facts(FACTS)


def test_only_what_the_last_versions_left_stays(tmp_path: Path) -> None:
    for age in range(5):
        (tmp_path / f"python-{age}").mkdir()
        os.utime(tmp_path / f"python-{age}", (1_000 - age, 1_000 - age))
    (tmp_path / "java-0").mkdir()

    with stubs_cached_in(tmp_path):
        StubCache("python").keep(STUB, FACTS)

    present = f"python-{extraction_digest('python')}"
    assert {path.name for path in tmp_path.iterdir()} == {"java-0", "python-0", "python-1", present}


def test_forgotten_stubs_are_read_again() -> None:
    before = python_stubs().facts("os")
    clear_stubs()
    after = python_stubs().facts("os")

    assert before == after
    assert before is not after
