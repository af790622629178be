"""What a `package.json` names: files that its scripts run, and commands that it installs.

Only what a command says by itself: a program that runs a file, its options, and the file. Sources:
npm's documentation of `scripts` and `bin`; the command lines of the programs.
"""

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence

from mu.languages.typescript.module_finder import PACKAGE, read_json
from mu.model.kinds import EntryRole
from mu.resolve import Declared

_RUNNERS = frozenset(
    ("node", "nodejs", "ts-node", "tsx", "nodemon", "bun", "python", "python3", "electron")
)
_BEFORE = frozenset(("npx", "cross-env", "env", "exec"))
_TAKING = frozenset(("-r", "--require", "--import", "--loader", "-C", "--conditions", "--exec"))
_OTHER = frozenset(("-e", "--eval", "-p", "--print", "-c", "-m", "--test"))  # runs no one file
_SEPARATOR = re.compile(r"&&|\|\||[;|&]")
_SETTING = re.compile(r"\w+=.*")
_FILE = re.compile(r"[\w@./-]+\.(?:[cm]?[jt]s|[jt]sx|py)")


def declared(path: str, text: str) -> Iterator[Declared]:
    """The files that the scripts of a `package.json` run, and those of its commands."""
    if path.rpartition("/")[2] != PACKAGE:
        return
    package = read_json(text)
    lines = text.splitlines()
    for label, file in (*_commands(package), *_scripts(package)):
        name = label.rpartition(" ")[2]
        line = next((n for n, row in enumerate(lines, 1) if f'"{name}"' in row and file in row), 1)
        module = f"./{file.removeprefix('./')}"
        yield Declared("javascript", PACKAGE, path, line, EntryRole.SCRIPT, label, module, "")


def _commands(package: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    named = package.get("bin")
    if isinstance(named, str):
        yield str(package.get("name", "")).rpartition("/")[2], named
    elif isinstance(named, Mapping):
        yield from ((str(name), file) for name, file in named.items() if isinstance(file, str))


def _scripts(package: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    scripts = package.get("scripts")
    for name, command in scripts.items() if isinstance(scripts, Mapping) else ():
        for part in _SEPARATOR.split(command) if isinstance(command, str) else ():
            try:
                file = _run(shlex.split(part))
            except ValueError:  # a quote that is not closed
                continue
            if file:
                yield f"npm run {name}", file


def _run(words: Sequence[str]) -> str:
    """The file that a command runs; empty where it does not say so by itself."""
    rest = list(words)
    while rest and (rest[0] in _BEFORE or _SETTING.fullmatch(rest[0])):
        rest.pop(0)
    if not rest or rest.pop(0) not in _RUNNERS:
        return ""
    while rest:
        word = rest.pop(0)
        if word in _OTHER:
            return ""
        if word in _TAKING:
            rest = rest[1:]
        elif not word.startswith("-") and word not in ("run", "watch"):
            return word if _FILE.fullmatch(word) else ""
    return ""
