"""Facts that are kept: whole or not at all, and no more of them than was said."""

import os
import time
from pathlib import Path

import pytest

from mu.syntax.facts_cache import FactsCache, text_digest, tidy_facts

DAY = 86_400
TEXT = text_digest(b"x = 1\n")


def kept_files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.glob("*/*/*"))


def test_what_is_kept_is_found_by_language_and_digest(tmp_path: Path) -> None:
    FactsCache("python", tmp_path).keep(TEXT, b"facts")

    assert FactsCache("python", tmp_path).find(TEXT) == b"facts"
    assert FactsCache("go", tmp_path).find(TEXT) is None
    assert FactsCache("python", tmp_path).find(text_digest(b"")) is None


def test_it_is_for_its_user_alone(tmp_path: Path) -> None:
    FactsCache("python", tmp_path / "cache").keep(TEXT, b"facts")

    (file,) = kept_files(tmp_path / "cache")
    assert file.stat().st_mode & 0o077 == 0
    assert file.parent.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("damage", [b"", b"facts", b"\0" * 21])
def test_what_is_damaged_is_not_found_and_is_kept_anew(tmp_path: Path, damage: bytes) -> None:
    cache = FactsCache("python", tmp_path)
    cache.keep(TEXT, b"facts")
    kept_files(tmp_path)[0].write_bytes(damage)

    assert cache.find(TEXT) is None
    cache.keep(TEXT, b"facts")
    assert cache.find(TEXT) == b"facts"
    assert len(kept_files(tmp_path)) == 1


def test_entries_that_change_places_are_not_found(tmp_path: Path) -> None:
    cache, other = FactsCache("python", tmp_path), text_digest(b"y = 2\n")
    cache.keep(TEXT, b"facts of x")
    cache.keep(other, b"facts of y")
    one, two = kept_files(tmp_path)
    one.rename(tmp_path / "spare")
    two.rename(one)
    (tmp_path / "spare").rename(two)

    assert cache.find(TEXT) is None
    assert cache.find(other) is None


def test_an_entry_of_another_language_is_not_found(tmp_path: Path) -> None:
    FactsCache("python", tmp_path).keep(TEXT, b"facts")
    FactsCache("go", tmp_path).keep(TEXT, b"other facts")
    (python,) = tmp_path.glob("python-*/*/*")
    (go,) = tmp_path.glob("go-*/*/*")
    go.replace(python)

    assert FactsCache("python", tmp_path).find(TEXT) is None


@pytest.mark.parametrize("sort", ["link", "pipe", "folder", "large"])
def test_what_is_no_plain_file_of_fit_size_is_refused_and_replaced(
    tmp_path: Path, sort: str
) -> None:
    cache = FactsCache("python", tmp_path)
    cache.keep(TEXT, b"facts")
    (entry,) = kept_files(tmp_path)
    moved = entry.rename(tmp_path / "moved")
    match sort:
        case "link":
            entry.symlink_to(moved)
        case "pipe":
            os.mkfifo(entry)  # to open one would wait for ever
        case "folder":
            entry.mkdir()
        case "large":
            entry.write_bytes(moved.read_bytes())
            os.truncate(entry, 2**40)

    assert cache.find(TEXT) is None
    cache.keep(TEXT, b"facts")
    assert cache.find(TEXT) == (None if sort == "folder" else b"facts")


def test_a_cache_that_is_not_read_is_written(tmp_path: Path) -> None:
    FactsCache("python", tmp_path).keep(TEXT, b"old")
    cache = FactsCache("python", tmp_path, is_read=False)

    assert cache.find(TEXT) is None
    cache.keep(TEXT, b"new")
    assert FactsCache("python", tmp_path).find(TEXT) == b"new"


def test_a_folder_that_cannot_be_written_keeps_nothing(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file stands here")
    cache = FactsCache("python", tmp_path / "cache")
    cache.keep(TEXT, b"facts")

    assert cache.find(TEXT) is None
    tidy_facts(tmp_path / "cache")
    tidy_facts(tmp_path / "nowhere")
    tidy_facts(None)


def test_what_was_not_used_for_the_longest_time_goes_first(tmp_path: Path) -> None:
    cache = FactsCache("python", tmp_path)
    digests = [text_digest(str(number).encode()) for number in range(10)]
    for age, digest in enumerate(digests):
        cache.keep(digest, b"f" * 84)  # and 16 of a checksum
        (file,) = (path for path in kept_files(tmp_path) if path.name == digest[2:])
        os.utime(file, (time.time() - (age + 2) * DAY,) * 2)
    assert cache.find(digests[9]) is not None  # which is now in use

    tidy_facts(tmp_path, max_bytes=600)

    left = [number for number, digest in enumerate(digests) if cache.find(digest) is not None]
    assert left == [0, 1, 2, 9]


def test_it_is_looked_for_once_a_day(tmp_path: Path) -> None:
    cache = FactsCache("python", tmp_path)
    cache.keep(TEXT, b"facts")
    tidy_facts(tmp_path)
    tidy_facts(tmp_path, max_bytes=0)
    assert cache.find(TEXT) == b"facts"

    os.utime(tmp_path / "tidied", (time.time() - 2 * DAY,) * 2)
    tidy_facts(tmp_path, max_bytes=0)
    assert cache.find(TEXT) is None


def test_the_oldest_goes_where_more_is_kept_than_may_be(tmp_path: Path) -> None:
    cache = FactsCache("python", tmp_path / "cache", version="1")
    names = [text_digest(bytes([number])) for number in range(4)]
    for name in names:
        cache.keep(name, b"x" * 10_000)

    cache.forget_oldest(max_bytes=100_000)
    assert all(map(cache.find, names))
    for number, name in enumerate(names):  # the clock of a file system may tick in milliseconds
        (place,) = (tmp_path / "cache").glob(f"*/*/{name[2:]}")
        os.utime(place, (number, number))
    cache.forget_oldest(max_bytes=25_000)

    assert [cache.find(name) is not None for name in names] == [False, False, True, True]


def test_a_small_entry_counts_for_what_it_takes_of_a_disk(tmp_path: Path) -> None:
    cache = FactsCache("python", tmp_path / "cache", version="1")
    for number in range(4):
        cache.keep(text_digest(bytes([number])), b"x")

    cache.forget_oldest(max_bytes=9_000)

    assert len(kept_files(tmp_path / "cache")) == 2
