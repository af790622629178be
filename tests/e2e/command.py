"""Runs the real command line in a real process."""

import os
import pty
import subprocess
import sys
from pathlib import Path

PROGRAM = "import sys; from mu.cli import main; sys.exit(main())"


def mu(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run `mu` with `arguments` in the folder `cwd`; no setting of this machine reaches it."""
    return subprocess.run(
        [sys.executable, "-c", PROGRAM, *arguments],
        cwd=cwd,
        env=environment(cwd),
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


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
        output, _ = process.communicate(timeout=120)
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
