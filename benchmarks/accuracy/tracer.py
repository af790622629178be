"""Run a program and write down every call between two functions of one source tree.

    python tracer.py TREE OUTPUT (-m MODULE | SCRIPT) ARGUMENTS...

It runs in the traced package's own environment, so it needs nothing but Python 3.12. It listens to
two events of `sys.monitoring`: the start of a Python function, whose parent frame is the caller,
and the call instructions of functions in the tree, which tell what was called by name and what C
code or an operator called. A generator or coroutine starts where it is first resumed, which may be
far from the call that made it. So that call is what counts; the start counts only for methods such
as `__iter__`, which no call instruction calls.
"""

import dis
import gzip
import json
import os
import runpy
import sys
from collections import Counter
from functools import lru_cache
from threading import get_ident
from types import (
    BuiltinFunctionType,
    CodeType,
    FrameType,
    FunctionType,
    MethodDescriptorType,
    MethodType,
    WrapperDescriptorType,
)

_TOOL = sys.monitoring.PROFILER_ID
_OPTIMIZED, _SUSPENDS = 0x1, 0x20 | 0x80 | 0x200  # co_flags: a function; one that is resumed
_DEEPEST = 30  # frames of other code between two functions of the tree
_CACHED = type(lru_cache(str))
_BOUND_BY_C = (BuiltinFunctionType, MethodDescriptorType, WrapperDescriptorType)


class Tracer:
    """Collects calls while it is started; `written` gives them as plain data.

    Codes are told apart by identity: two functions of the same text on the same line of two files
    compare equal.
    """

    def __init__(self, tree: str) -> None:
        self._prefix = os.path.join(os.path.realpath(tree), "")  # noqa: PTH118 - hot enough
        self._numbers: dict[int, int] = {}  # by the identity of a code; -1: not of the tree
        self._kept: list[CodeType] = []  # so that no identity is used again
        self._codes: list[tuple[str, int, str]] = []
        self._pairs: Counter[tuple[int, int, int, str]] = Counter()
        self._calls: dict[tuple[int, int, int | str], None] = {}
        self._last: dict[int, tuple[int, int, int]] = {}  # by thread: caller, place, called
        self._unstarted: Counter[int] = Counter()
        self._operations: dict[int, dict[int, tuple[int, str]]] = {}
        self._lines: dict[tuple[int, int], int] = {}

    def start(self) -> None:
        monitoring = sys.monitoring
        events = monitoring.events
        monitoring.use_tool_id(_TOOL, "mu-accuracy")
        monitoring.register_callback(_TOOL, events.PY_START, self._on_start)
        monitoring.register_callback(_TOOL, events.CALL, self._on_call)
        monitoring.set_events(_TOOL, events.PY_START | events.CALL)

    def stop(self) -> None:
        sys.monitoring.set_events(_TOOL, 0)

    def written(self) -> dict[str, object]:
        """Give the codes as (path, first line, qualified name), the pairs and the calls."""
        return {
            "python": ".".join(map(str, sys.version_info[:3])),
            "codes": self._codes,
            "pairs": sorted((*pair, count) for pair, count in self._pairs.items()),
            "calls": sorted(self._calls, key=lambda call: (call[0], call[1], str(call[2]))),
        }

    def _on_start(self, code: CodeType, _offset: int) -> object:
        callee = self._number(code)
        if callee == -1 or not code.co_flags & _OPTIMIZED:  # the body of a module or a class
            return sys.monitoring.DISABLE
        if self._unstarted[callee] > 0:
            self._unstarted[callee] -= 1
            return None
        parent = sys._getframe(1).f_back
        if parent is None:
            return None
        caller = self._number(parent.f_code)
        if caller == -1:
            self._note_distant(parent, callee)
            return None
        how = self._how(parent, caller, code, callee)
        self._pairs[caller, parent.f_lineno or 0, callee, how] += 1
        return None

    def _on_call(self, code: CodeType, offset: int, called: object, _first: object) -> object:
        caller = self._number(code)
        if caller == -1:
            return sys.monitoring.DISABLE
        if type(called) is MethodType:
            called = called.__func__
        line = self._line(code, caller, offset)
        target = self._number(called.__code__) if type(called) is FunctionType else -1
        self._last[get_ident()] = caller, offset, target
        if target != -1 and called.__code__.co_flags & _SUSPENDS:
            self._unstarted[target] += 1
            self._pairs[caller, line, target, "direct"] += 1
        for note in self._notes(called):
            self._calls[caller, line, note] = None
        return None

    def _how(self, parent: FrameType, caller: int, code: CodeType, callee: int) -> str:
        if code.co_flags & _SUSPENDS and not code.co_name.startswith("__"):
            return "resumed"  # made by other code: who called it is not known
        offset, operation = self._operation(parent.f_code, caller, parent.f_lasti)
        if not operation.startswith("CALL"):
            return operation
        if self._last.get(get_ident()) == (caller, offset, callee):
            return "direct"
        if code.co_name in ("__init__", "__new__"):
            return "constructor"
        return "object" if code.co_name == "__call__" else "c"

    def _note_distant(self, frame: FrameType | None, callee: int) -> None:
        """Note the nearest function of the tree above, with only other code in between."""
        for _ in range(_DEEPEST):
            if frame is None:
                return
            caller = self._number(frame.f_code)
            if caller != -1:
                self._pairs[caller, frame.f_lineno or 0, callee, "library"] += 1
                return
            frame = frame.f_back

    def _number(self, code: CodeType) -> int:
        number = self._numbers.get(id(code))
        if number is None:
            number = self._numbers[id(code)] = self._add(code)
        return number

    def _add(self, code: CodeType) -> int:
        self._kept.append(code)
        path = code.co_filename
        if not path.startswith(self._prefix):
            return -1
        row = path[len(self._prefix) :].replace(os.sep, "/"), code.co_firstlineno, code.co_qualname
        self._codes.append(row)
        return len(self._codes) - 1

    def _line(self, code: CodeType, number: int, offset: int) -> int:
        line = self._lines.get((number, offset))
        if line is None:
            spans = (line for start, end, line in code.co_lines() if start <= offset < end)
            line = self._lines[number, offset] = next(spans, None) or 0
        return line

    def _operation(self, code: CodeType, number: int, offset: int) -> tuple[int, str]:
        """Give the instruction's place and name; 3.12 points at the cache behind a call."""
        operations = self._operations.get(number)
        if operations is None:
            operations = self._operations[number] = {}
            place, name, raw = 0, "", code.co_code
            for here in range(0, len(raw), 2):
                if dis.opname[raw[here]] != "CACHE":
                    place, name = here, dis.opname[raw[here]]
                operations[here] = place, name
        return operations.get(offset, (offset, ""))

    def _notes(self, called: object) -> list[int | str]:
        """Describe what is called; no attribute of a stranger's class is asked for."""
        notes: list[int | str] = []
        if type(called) is _CACHED:
            called = called.__wrapped__
        while type(called) is FunctionType and len(notes) < _DEEPEST:
            number = self._number(called.__code__)
            notes.append(number if number != -1 else f"function {called.__code__.co_qualname}")
            called = called.__dict__.get("__wrapped__")
        if notes:
            return notes
        if issubclass(type(called), type):
            module = type.__getattribute__(called, "__module__")
            return [f"class {module}.{type.__getattribute__(called, '__qualname__')}"]
        if type(called) in _BOUND_BY_C:
            return [f"c {called.__qualname__}"]
        return [f"object {type(called).__name__}"]


def main(arguments: list[str]) -> None:
    """Trace a program to its end and write what was seen; nothing when it ends by an exception."""
    tree, output, *program = arguments
    tracer, process = Tracer(tree), os.getpid()
    sys.path[0] = ""  # as `python -m` has it, and not the folder of this file
    status = None
    tracer.start()
    try:
        _run(program)
    except SystemExit as ending:
        status = ending.code
    finally:
        tracer.stop()
    if os.getpid() == process:  # and not a fork of it
        with gzip.open(output, "wt", encoding="utf-8") as stream:
            json.dump(tracer.written(), stream)
    sys.exit(status)


def _run(program: list[str]) -> None:
    if program[0] == "-m":
        sys.argv = program[1:]
        runpy.run_module(program[1], run_name="__main__", alter_sys=True)
    else:
        script = os.path.realpath(program[0])
        folder, _ = os.path.split(script)
        sys.argv = program
        sys.path.insert(0, folder)  # as `python SCRIPT` has it
        runpy.run_path(script, run_name="__main__")


if __name__ == "__main__":
    main(sys.argv[1:])
