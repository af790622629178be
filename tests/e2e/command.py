"""Runs the real command line: in this process, or where the process matters in one of its own."""

import io
import os
import pty
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path

from mu.cli import main

PROGRAM = "import sys; from mu.cli import main; sys.exit(main())"


def mu(*arguments: str, cwd: Path, **more: str) -> subprocess.CompletedProcess[str]:
    """Run `mu` with `arguments` in the folder `cwd`; no setting of this machine reaches it.

    `more` are variables of its environment.

    It runs in this process, which takes a fifth of the CPU time; what is written and the status
    are those of a process (`test_command.py` compares them). Builds use the facts that others kept.
    """
    shared = {"XDG_CACHE_HOME": os.environ["XDG_CACHE_HOME"]} if "kernel" in arguments else {}
    variables = {**environment(cwd), **shared, **more}
    output, errors = _stream(), _stream()
    with _inside(cwd, variables), redirect_stdout(output), redirect_stderr(errors):
        status = _status(arguments)
    written = [_text(stream) for stream in (output, errors)]
    return subprocess.CompletedProcess(["mu", *arguments], status, *written)


def mu_process(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """As `mu`, in a process that knows nothing yet and keeps its facts beside `cwd`."""
    return subprocess.run(
        [sys.executable, "-c", PROGRAM, *arguments],
        cwd=cwd,
        env=environment(cwd),
        capture_output=True,
        text=True,
        check=False,
    )


def _status(arguments: Sequence[str]) -> int:
    try:
        return main(arguments)
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)


@contextmanager
def _inside(cwd: Path, variables: dict[str, str]) -> Iterator[None]:
    """Be in the folder `cwd` with `variables` alone, and nothing to read on standard input."""
    before, folder, stdin = dict(os.environ), Path.cwd(), sys.stdin
    try:
        with Path(os.devnull).open() as nothing:
            os.chdir(cwd)
            _set_environment(variables)
            sys.stdin = nothing
            yield
    finally:
        sys.stdin = stdin
        _set_environment(before)
        os.chdir(folder)


def _set_environment(variables: dict[str, str]) -> None:
    for name in set(os.environ) - set(variables):
        del os.environ[name]
    os.environ.update(variables)


def _stream() -> io.TextIOWrapper:
    """A stream as a process has one whose output goes to a pipe."""
    return io.TextIOWrapper(io.BytesIO(), encoding="utf-8")


def _text(stream: io.TextIOWrapper) -> str:
    stream.flush()
    stream.seek(0)
    return stream.read()


def mu_on_terminal(*arguments: str, cwd: Path) -> tuple[int, str, str]:
    """Run `mu` with a terminal as its error stream; give status, output and what was shown."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM, *arguments],
        cwd=cwd,
        env={**environment(cwd), "TERM": "xterm", "COLUMNS": "100"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=theirs,
        text=True,
    ) as process:
        os.close(theirs)
        shown = b"".join(iter(lambda: _read_terminal(ours), b""))
        output, _ = process.communicate()
    os.close(ours)
    return process.returncode, output, shown.decode()


def _read_terminal(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, 4096)
    except OSError:  # how Linux says that nobody holds the other end any more
        return b""


def environment(cwd: Path) -> dict[str, str]:
    """The variables of this process without those of MU and keys; user's folders lie in `cwd`, and
    what may be deleted beside it.
    """
    ours = ("MU_", "ANTHROPIC_", "XDG_CACHE_HOME")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    folders = {"XDG_CONFIG_HOME": str(cwd / ".no-config"), "HOME": str(cwd)}
    return {**kept, **folders, "XDG_CACHE_HOME": str(cwd.with_name(f"{cwd.name}.cache"))}


def write_tree(root: Path, files: dict[str, str]) -> Path:
    """Write `files` (path: text) under `root`, and give `root`."""
    for path, text in files.items():
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    return root


SMALL = {
    "app/__init__.py": "",
    "app/auth.py": "def login(u):\n    return check(u)\n\ndef check(user):\n    return user\n",
    "app/views.py": "from app.auth import login\n\n\ndef page(user):\n    return login(user)\n",
    "tests/test_auth.py": "from app.auth import login\n\n\ndef test_login():\n    login('a')\n",
}
"""A small package whose parts use each other."""
