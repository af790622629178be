"""Go directives: symbols exported to C, symbols imported through cgo, and `go generate` commands.

Sources: `cmd/cgo` (`//export`, `#cgo LDFLAGS`, the package `C`) and `go help generate`.
"""

import re
import shlex
from collections.abc import Iterator

from mu.model.facts import FileFacts
from mu.model.kinds import EntryRole
from mu.resolve import Declared, Linkage, Provided, Wanted

_C = "C"
_EXPORT = "//export "
_GENERATE = "//go:generate "
_CGO = re.compile(r"(?://\s*)?#cgo\b[^:]*\bLDFLAGS:(.*)")
_LIBRARY = re.compile(r"-l([\w-]+)$|(?:^|/)lib([\w-]+)\.(?:a|so|dylib)$")
_ASSIGNMENT = re.compile(r"\w+=.*")
_INTERPRETERS = frozenset(("python", "python3", "node", "bash", "sh", "ruby"))
_FILE = re.compile(r"[\w@./-]+\.\w+")
_FOLDER = re.compile(r"\.{1,2}/[\w@./-]*")


def exported_symbols(facts: FileFacts, key: int, *, path: str) -> Iterator[Provided]:
    """Yield the functions of a file that `//export` makes linker symbols.

    A library with them may be named after the folder or the file.
    """
    if not any(row.module == _C for row in facts.imports):
        return
    folder, _, file = path.rpartition("/")
    libraries = frozenset((folder.rpartition("/")[2], file.partition(".")[0])) - {""}
    for line, text in facts.directives:
        name = text.removeprefix(_EXPORT).strip() if text.startswith(_EXPORT) else ""
        for number, row in enumerate(facts.definitions) if name else ():
            if row.name == name and row.start_line > line and not row.scope:
                yield Provided(key, number, Linkage.SYMBOL, name, libraries)


def cgo_symbol(dotted: str, facts: FileFacts) -> Wanted | None:
    """Return the symbol that a name of the package `C` refers to.

    Return None for names of other packages, and in files that do not name the libraries they link.
    """
    package, _, name = dotted.partition(".")
    if package != _C or not name.isidentifier():
        return None
    flags = [match[1] for _, text in facts.directives if (match := _CGO.fullmatch(text))]
    found = [match for flag in flags for word in flag.split() if (match := _LIBRARY.search(word))]
    libraries = frozenset(match[1] or match[2] for match in found)
    return Wanted(Linkage.SYMBOL, name, libraries) if libraries else None


def generate_commands(path: str, facts: FileFacts) -> Iterator[Declared]:
    """Yield the files and packages that the `//go:generate` directives of a file run."""
    for line, text in facts.directives:
        target = _command_target(text.removeprefix(_GENERATE)) if text.startswith(_GENERATE) else ""
        if target:
            module = f"./{target.removeprefix('./')}"
            role = EntryRole.SCRIPT
            yield Declared("go", "go:generate", path, line, role, "go generate", module, "")


def _command_target(command: str) -> str:
    """Return the file or folder that a shell command runs; empty if its text does not name one."""
    try:
        words = shlex.split(command)
    except ValueError:  # an unclosed quote
        return ""
    while words and (words[0] == "env" or _ASSIGNMENT.fullmatch(words[0])):
        words = words[1:]
    if words[:2] == ["go", "run"]:
        words = words[2:]
        while words and words[0].startswith("-"):
            words = words[1 if "=" in words[0] or words[0] not in _OPTIONS_WITH_VALUE else 2 :]
        is_package = bool(words) and _FOLDER.fullmatch(words[0]) is not None
        return words[0] if words and (is_package or words[0].endswith(".go")) else ""
    is_run = len(words) > 1 and words[0] in _INTERPRETERS
    return words[1] if is_run and _FILE.fullmatch(words[1]) else ""


_OPTIONS_WITH_VALUE = frozenset(
    ("-tags", "-mod", "-modfile", "-ldflags", "-gcflags", "-exec", "-C", "-p", "-o")
)
