"""Runs the real command line in a real process."""

import os
import subprocess
import sys
from pathlib import Path

PROGRAM = "import sys; from mu.cli import main; sys.exit(main())"


def mu(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run `mu` with `arguments` in the folder `cwd`; no setting of this machine reaches it."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("MU_")}
    environment = {**kept, "XDG_CONFIG_HOME": str(cwd / ".no-config"), "HOME": str(cwd)}
    return subprocess.run(
        [sys.executable, "-c", PROGRAM, *arguments],
        cwd=cwd,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


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
