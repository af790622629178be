"""Profiles of cProfile and speedscope, and files that are damaged or made to harm."""

import cProfile
import json
import marshal
from pathlib import Path

import pytest

from mu.reports.errors import ReportError
from mu.reports.marshalled import MarshalError, read_marshalled
from mu.reports.profiles import Profile, Times, read_profile

FRAMES = [
    {"name": "main", "file": "a.py", "line": 1},
    {"name": "work", "file": "a.py", "line": 5},
    {"name": "native"},
]
SAMPLED = {
    "type": "sampled",
    "unit": "milliseconds",
    "samples": [[0], [0, 1], [0, 1, 0, 1], [0, 2]],
    "weights": [1, 2, 4, 8],
}
EVENTED = {
    "type": "evented",
    "unit": "seconds",
    "events": [
        {"type": "O", "frame": 0, "at": 1},
        {"type": "O", "frame": 1, "at": 2},
        {"type": "O", "frame": 1, "at": 4},
        {"type": "C", "frame": 1, "at": 5},
        {"type": "C", "frame": 1, "at": 8},
        {"type": "C", "frame": 0, "at": 10},
    ],
}


def speedscope(folder: Path, **profile: object) -> Path:
    """A file of speedscope with one profile."""
    path = folder / "profile.json"
    path.write_text(json.dumps({"shared": {"frames": FRAMES}, "profiles": [profile]}))
    return path


def times_of(profile: Profile) -> Times:
    return profile.times([frame.name if frame.path else "" for frame in profile.frames])


def test_a_sample_is_the_time_of_its_last_function_and_once_of_each_above(tmp_path: Path) -> None:
    times = times_of(read_profile(speedscope(tmp_path, **SAMPLED)))

    assert times.own == pytest.approx({"main": 0.001, "work": 0.006})
    assert times.whole == pytest.approx({"main": 0.015, "work": 0.006})


def test_events_open_and_close_functions_and_recursion_counts_once(tmp_path: Path) -> None:
    times = times_of(read_profile(speedscope(tmp_path, **EVENTED)))

    assert times.own == {"main": 3, "work": 6}
    assert times.whole == {"main": 9, "work": 6}


def test_a_profile_of_cprofile_has_calls_and_seconds(tmp_path: Path) -> None:
    profiler = cProfile.Profile()
    profiler.runcall(lambda: [json.dumps(n) for n in range(7)])
    profiler.dump_stats(str(tmp_path / "p"))

    profile = read_profile(tmp_path / "p")
    frames = {frame.name: frame for frame in profile.frames}
    assert frames["dumps"].path == json.__file__
    times = times_of(profile)
    assert times.calls["dumps"] == 7
    assert 0 < times.own["dumps"] <= times.whole["dumps"]


@pytest.mark.parametrize("version", [2, 3, 4])
def test_what_marshal_writes_of_a_profile_is_read_as_marshal_does(version: int) -> None:
    name = "fun" + "ction"
    row = (1, 2**40, -3, 0.25, {(name, -1, "é" * 300): (1, 2, 0.5, 1e-9)})
    value = {("a.py", 3, name): row, ("b" * 300, 3, name): row, ("~", 0, ""): ()}

    assert read_marshalled(marshal.dumps(value, version)) == value


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b"{(\xff\xff\xff\x7f",
        b"(" * 1000,
        b"r\x05\x00\x00\x00",
        b"i\x00",
        b"l\xff\xff\xff\x7f",
        marshal.dumps(compile("1", "x", "eval")),
        marshal.dumps({(("a", 1), "b"): {1: 2}})[:-3],
    ],
)
def test_other_bytes_are_no_value(data: bytes) -> None:
    with pytest.raises(MarshalError):
        read_marshalled(data)


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (marshal.dumps({("a", 1, "b"): (1, 2)}), "is no profile of cProfile"),
        (marshal.dumps({("a", "x", "b"): (1, 1, 0.1, 0.1, {})}), "is no profile of cProfile"),
        (b'{"shared": 3}', "is no profile of speedscope"),
        (b"hello", "is no profile"),
        (b"", "is no profile"),
    ],
)
def test_what_is_no_profile_is_refused(tmp_path: Path, data: bytes, what: str) -> None:
    (tmp_path / "p").write_bytes(data)

    with pytest.raises(ReportError, match=what):
        read_profile(tmp_path / "p")


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"unit": "bytes"}, "counts in bytes, not in time"),
        ({"samples": [[3]], "weights": [1]}, "refers to a frame that it does not have"),
        ({"samples": [[-1]], "weights": [1]}, "refers to a frame that it does not have"),
        ({"weights": [1]}, "has samples without weights"),
    ],
)
def test_a_profile_of_speedscope_that_does_not_add_up_is_refused(
    tmp_path: Path, change: dict[str, object], what: str
) -> None:
    with pytest.raises(ReportError, match=what):
        read_profile(speedscope(tmp_path, **{**SAMPLED, **change}))
