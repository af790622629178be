"""Entry points in `package.json`: files that its scripts run, and commands that it installs.

In a script, only commands of the form "interpreter, options, file" count. Sources: npm's
documentation of `scripts` and `bin`, and that of the command line of each interpreter.
"""

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence

from mu.languages.typescript.module_finder import PACKAGE, read_json
from mu.model.kinds import EntryRole
from mu.resolve import Declared

_INTERPRETERS = frozenset(
    ("node", "nodejs", "ts-node", "tsx", "nodemon", "bun", "python", "python3", "electron")
)
_PREFIX_COMMANDS = frozenset(("npx", "cross-env", "env", "exec"))
_OPTIONS_WITH_VALUE = frozenset(
    ("-r", "--require", "--import", "--loader", "-C", "--conditions", "--exec")
)
_INLINE_OPTIONS = frozenset(("-e", "--eval", "-p", "--print", "-c", "-m", "--test"))  # run no file
_SEPARATOR = re.compile(r"&&|\|\||[;|&]")
_ASSIGNMENT = re.compile(r"\w+=.*")
_FILE = re.compile(r"[\w@./-]+\.(?:[cm]?[jt]s|[jt]sx|py)")


def entry_points(path: str, text: str) -> Iterator[Declared]:
    """Yield the files that the scripts of a `package.json` run, and those of its commands."""
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
    """Yield the name and the file of each installed command."""
    bin_field = package.get("bin")
    if isinstance(bin_field, str):
        yield str(package.get("name", "")).rpartition("/")[2], bin_field
    elif isinstance(bin_field, Mapping):
        yield from ((str(name), file) for name, file in bin_field.items() if isinstance(file, str))


def _scripts(package: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    """Yield the label and the file of each command in a script that runs one."""
    scripts = package.get("scripts")
    for name, command in scripts.items() if isinstance(scripts, Mapping) else ():
        for part in _SEPARATOR.split(command) if isinstance(command, str) else ():
            try:
                file = _command_file(shlex.split(part))
            except ValueError:  # an unclosed quote
                continue
            if file:
                yield f"npm run {name}", file


def _command_file(words: Sequence[str]) -> str:
    """Return the file that a command runs; empty if its words do not name one."""
    rest = list(words)
    while rest and (rest[0] in _PREFIX_COMMANDS or _ASSIGNMENT.fullmatch(rest[0])):
        rest.pop(0)
    if not rest or rest.pop(0) not in _INTERPRETERS:
        return ""
    while rest:
        word = rest.pop(0)
        if word in _INLINE_OPTIONS:
            return ""
        if word in _OPTIONS_WITH_VALUE:
            rest = rest[1:]
        elif not word.startswith("-") and word not in ("run", "watch"):
            return word if _FILE.fullmatch(word) else ""
    return ""
