"""Reads profiles: those of cProfile as `pstats` keeps them, and those of speedscope.

py-spy, rbspy, pprof's and V8's converters and others write speedscope's format, whose schema is
https://www.speedscope.app/file-format-schema.json.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol, cast

import msgspec

from mu.reports.errors import ReportError
from mu.reports.marshalled import MarshalError, read_marshalled
from mu.reports.reading import read_report

_HINT = "known are files of cProfile (pstats) and of speedscope"
_SECONDS = {"nanoseconds": 1e-9, "microseconds": 1e-6, "milliseconds": 1e-3, "seconds": 1.0}


@dataclass(frozen=True, slots=True)
class Frame:
    """A function as a profiler names it; `line` is its first one, or one in it, 0 if unknown."""

    path: str
    line: int
    name: str


@dataclass(slots=True)
class Times:
    """Seconds in functions themselves and with what they call, and calls, by the caller's keys."""

    own: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    whole: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    calls: Counter[str] = field(default_factory=Counter)


class Profile(Protocol):
    """A profile; `has_calls` says that it counts calls."""

    frames: Sequence[Frame]
    has_calls: bool

    def times(self, keys: Sequence[str]) -> Times:
        """Add up the times by the keys of the frames; those with an empty key are left out."""
        ...


def read_profile(path: Path) -> Profile:
    """Read a profile; its beginning says which format it has. Raises ReportError."""
    data = read_report(path)
    if data[:1] in (b"{", b"\xfb") and data[1:2] in (b"(", b")", b"\xa8", b"\xa9"):
        return _read_pstats(data, path.name)
    if data.lstrip()[:1] == b"{":
        return _read_speedscope(data, path.name)
    raise ReportError(f"{path.name} is no profile", _HINT)


@dataclass(slots=True)
class _Pstats:
    frames: Sequence[Frame]
    rows: list[tuple[int, float, float]]
    has_calls: bool = True

    def times(self, keys: Sequence[str]) -> Times:
        times = Times()
        for key, frame, (calls, own, whole) in zip(keys, self.frames, self.rows, strict=True):
            if not key:
                continue
            times.own[key] += own
            if not frame.name.startswith("<") or frame.name == "<module>":
                times.calls[key] += calls
                times.whole[key] += whole
        return times


_Key = tuple[str, int, str]
_Row = tuple[int, int, float, float, object]


def _read_pstats(data: bytes, name: str) -> Profile:
    """Read `{(file, line, function): (calls, all calls, own, whole, callers)}`."""
    frames, rows = [], []
    try:
        read = read_marshalled(data)
        entries = dict(cast("Mapping[_Key, _Row]", read)).items()
        for (path, line, function), (_, calls, own, whole, _callers) in entries:
            frames.append(Frame(str(path), int(line), str(function)))
            rows.append((int(calls), float(own), float(whole)))
    except (MarshalError, TypeError, ValueError) as error:
        what = f"{name} is no profile of cProfile, or not whole"
        raise ReportError(what, "`python -m cProfile -o FILE` writes one") from error
    return _Pstats(frames, rows)


class _Event(msgspec.Struct):
    type: str
    frame: int
    at: float


class _FrameJson(msgspec.Struct):
    name: str
    file: str | None = None
    line: float | None = None


class _Shared(msgspec.Struct):
    frames: list[_FrameJson]


class _ProfileJson(msgspec.Struct):
    type: str
    unit: str
    samples: list[list[int]] = []
    weights: list[float] = []
    events: list[_Event] = []


class _File(msgspec.Struct):
    shared: _Shared
    profiles: list[_ProfileJson]


@dataclass(slots=True)
class _Speedscope:
    frames: Sequence[Frame]
    profiles: list[_ProfileJson]
    has_calls: bool = False

    def times(self, keys: Sequence[str]) -> Times:
        times = Times()
        for profile in self.profiles:
            scale = _SECONDS[profile.unit]
            for stack, weight in zip(profile.samples, profile.weights, strict=False):
                _add(times, [keys[frame] for frame in stack], weight * scale)
            _add_events(times, profile.events, keys, scale=scale)
        return times


def _add(times: Times, stack: Sequence[str], seconds: float) -> None:
    """Add a sample: its time is that of the last function itself, and of each of the stack once."""
    if stack and stack[-1]:
        times.own[stack[-1]] += seconds
    for key in set(stack) - {""}:
        times.whole[key] += seconds


def _add_events(
    times: Times, events: Sequence[_Event], keys: Sequence[str], *, scale: float
) -> None:
    """Add the times between opening and closing events; recursion counts once."""
    stack: list[str] = []
    opened: Counter[str] = Counter()
    since: dict[str, float] = {}
    last = events[0].at if events else 0.0
    for event in events:
        if stack and stack[-1]:
            times.own[stack[-1]] += (event.at - last) * scale
        last = event.at
        if event.type == "O":
            key = keys[event.frame]
            stack.append(key)
            opened[key] += 1
            since.setdefault(key, event.at)
        elif stack:
            key = stack.pop()
            opened[key] -= 1
            if not opened[key]:
                begun = since.pop(key)
                if key:
                    times.whole[key] += (event.at - begun) * scale


def _read_speedscope(data: bytes, name: str) -> Profile:
    try:
        read = msgspec.json.decode(data, type=_File)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
        raise ReportError(f"{name} is no profile of speedscope, or not whole", _HINT) from error
    for profile in read.profiles:
        if profile.unit not in _SECONDS:
            what = f"{name} counts in {profile.unit}, not in time"
            raise ReportError(what, f"times are in {', '.join(_SECONDS)}")
        used = [frame for stack in profile.samples for frame in stack]
        used += [event.frame for event in profile.events]
        if used and not 0 <= min(used) <= max(used) < len(read.shared.frames):
            raise ReportError(f"{name} refers to a frame that it does not have", "is it whole?")
        if len(profile.samples) != len(profile.weights):
            raise ReportError(f"{name} has samples without weights", "is it whole?")
    frames = [Frame(f.file or "", int(f.line or 0), f.name) for f in read.shared.frames]
    return _Speedscope(frames, read.profiles)
