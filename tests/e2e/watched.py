"""Runs commands of MU one after another, and reports what each of them started.

The commands are a JSON list of lists of words on standard input, and the report is one in the file
`watched.py FILE`: of each command the words, the status and the programs that were started, of
which Python tells by audit events (PEP 578). Builds and comparisons keep what they make in a cache
of their own, so that none is spared what another did; all others share one.
"""

import json
import os
import sys
from pathlib import Path

STARTS = ("subprocess.Popen", "os.exec", "os.system", "os.posix_spawn", "os.fork", "pty.spawn")
BUILDING = ("kernel", "diff")


def main() -> int:
    started: list[str] = []

    def watch(event: str, given: tuple[object, ...]) -> None:
        if event.startswith(STARTS):
            started.append(f"{event} {given!r}")

    sys.addaudithook(watch)
    from mu.cli import main as run

    report = []
    caches = os.environ["XDG_CACHE_HOME"]
    for number, command in enumerate(json.load(sys.stdin)):
        place = number if command[0] in BUILDING else "shared"
        os.environ["XDG_CACHE_HOME"] = f"{caches}/{place}"
        status = int(run(command))
        report.append({"command": command, "status": status, "started": [*started]})
        started.clear()
    Path(sys.argv[1]).write_text(json.dumps(report), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
