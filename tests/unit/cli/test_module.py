"""`python -m mu` is the command."""

import subprocess
import sys

from mu import __version__


def test_the_package_runs_as_the_command() -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "mu", "--version"], capture_output=True, text=True, check=False
    )

    assert (ran.returncode, ran.stdout) == (0, f"mu {__version__}\n")
