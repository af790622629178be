"""A program on a pseudo-terminal: what a person types, and what then stands on the screen."""

import fcntl
import os
import pty
import select
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType

import pyte

from e2e.command import PROGRAM, environment

TAB, ENTER, UP, LEFT = "\t", "\r", "\x1b[A", "\x1b[D"
CONTROL_C, CONTROL_D = "\x03", "\x04"

_COLUMNS, _ROWS = 100, 120  # rows enough that nothing is scrolled away
_PATIENCE = 300.0  # seconds until a test gives up; nothing waits that long
_EACH = 1.0  # seconds between the same keys


class Terminal:
    """Runs `mu` on a terminal of its own, after the code `first`.

    Leaving the block ends what still runs.
    """

    def __init__(
        self, *arguments: str, cwd: Path, more: Mapping[str, str] | None = None, first: str = ""
    ) -> None:
        self._ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", _ROWS, _COLUMNS, 0, 0))
        self.process = subprocess.Popen(
            [sys.executable, "-c", _LEADER + first + PROGRAM, *arguments],
            cwd=cwd,
            env={**environment(cwd), "TERM": "xterm", **(more or {})},
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
        )
        os.close(theirs)
        self._screen = pyte.Screen(_COLUMNS, _ROWS)
        self._screen.write_process_input = self.type  # such as where the cursor is
        self._stream = pyte.ByteStream(self._screen)

    def __enter__(self) -> "Terminal":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self._ours)

    def type(self, keys: str) -> None:
        """Press keys, one after the other."""
        os.write(self._ours, keys.encode())

    @property
    def screen(self) -> str:
        """What stands on the screen, without the space at the ends of lines and below them."""
        return "\n".join(line.rstrip() for line in self._screen.display).rstrip()

    def expect(self, text: str, *, times: int = 1) -> str:
        """Wait until `text` stands on the screen so many times, and give all that does."""
        self._wait(lambda: self.screen.count(text) >= times, text)
        return self.screen

    def press_until(self, keys: str, text: str) -> str:
        """Press keys once a second until `text` stands on the screen, and give all that does.

        As a person would: a Ctrl-C in the moment in which the reader of a line leaves is still its.
        """
        pressed = -_EACH

        def is_there() -> bool:
            nonlocal pressed
            if text not in self.screen and time.monotonic() - pressed >= _EACH:
                self.type(keys)
                pressed = time.monotonic()
            return text in self.screen

        self._wait(is_there, text)
        return self.screen

    def expect_prompt(self, prompt: str) -> str:
        """Wait until nothing but the prompt stands in the last line, and give the screen."""
        self._wait(lambda: self.screen.rpartition("\n")[2] == prompt, prompt)
        return self.screen

    def expect_signals(self) -> None:
        """Wait until Ctrl-C is a signal and no key: until the program works and does not read."""
        self._wait(lambda: bool(termios.tcgetattr(self._ours)[3] & termios.ISIG), "work")

    def status(self) -> int:
        """Wait for the end and give the exit status."""
        end = time.monotonic() + _PATIENCE
        while self._read():
            assert time.monotonic() < end, f"did not end:\n{self.screen}"
        return self.process.wait(_PATIENCE)

    def _wait(self, is_there: Callable[[], bool], what: str) -> None:
        end = time.monotonic() + _PATIENCE
        while not is_there():
            assert time.monotonic() < end, f"{what!r} was not shown:\n{self.screen}"
            assert self._read(), f"ended before {what!r} was shown:\n{self.screen}"

    def _read(self) -> bool:
        """Take in what was written; False when nobody writes any more."""
        if not select.select([self._ours], [], [], 0.1)[0]:
            return True
        try:
            data = os.read(self._ours, 65_536)
        except OSError:  # how Linux says that nobody holds the other end any more
            return False
        self._stream.feed(data)
        return bool(data)


_LEADER = "import fcntl, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0)\n"
"""Makes the terminal the one of the process, so that Ctrl-C reaches it as a signal."""
