"""Runs a command of MU, and writes each program that was started for it into a file.

Python tells of each (audit events, PEP 578): `watched.py FILE COMMAND...`.
"""

import sys
from pathlib import Path

STARTS = ("subprocess.Popen", "os.exec", "os.system", "os.posix_spawn", "os.fork", "pty.spawn")


def main() -> int:
    report = Path(sys.argv[1]).absolute()
    started: list[str] = []

    def watch(event: str, given: tuple[object, ...]) -> None:
        if event.startswith(STARTS):
            started.append(f"{event} {given!r}")

    sys.addaudithook(watch)
    from mu.cli import main as run

    try:
        return int(run(sys.argv[2:]))
    finally:
        report.write_text("\n".join(started), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
