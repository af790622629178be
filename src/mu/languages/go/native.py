"""What Go and native code give each other, and what `go generate` runs: all said in directives.

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
_SETTING = re.compile(r"\w+=.*")
_RUNNERS = frozenset(("python", "python3", "node", "bash", "sh", "ruby"))
_FILE = re.compile(r"[\w@./-]+\.\w+")
_FOLDER = re.compile(r"\.{1,2}/[\w@./-]*")


def exports(facts: FileFacts, key: int, *, path: str) -> Iterator[Provided]:
    """The functions of a file that linkers know, by the names that a library with them may have."""
    if not any(row.module == _C for row in facts.imports):
        return
    folder, _, file = path.rpartition("/")
    libraries = frozenset((folder.rpartition("/")[2], file.partition(".")[0])) - {""}
    for line, text in facts.directives:
        name = text.removeprefix(_EXPORT).strip() if text.startswith(_EXPORT) else ""
        for number, row in enumerate(facts.definitions) if name else ():
            if row.name == name and row.start_line > line and not row.scope:
                yield Provided(key, number, Linkage.SYMBOL, name, libraries)


def wanted(dotted: str, facts: FileFacts) -> Wanted | None:
    """What a name of the package `C` is, where the file says which libraries it links with."""
    package, _, name = dotted.partition(".")
    if package != _C or not name.isidentifier():
        return None
    flags = [match[1] for _, text in facts.directives if (match := _CGO.fullmatch(text))]
    found = [match for flag in flags for word in flag.split() if (match := _LIBRARY.search(word))]
    libraries = frozenset(match[1] or match[2] for match in found)
    return Wanted(Linkage.SYMBOL, name, libraries) if libraries else None


def generated(path: str, facts: FileFacts) -> Iterator[Declared]:
    """The files and packages that the directives of a file run."""
    for line, text in facts.directives:
        target = _run(text.removeprefix(_GENERATE)) if text.startswith(_GENERATE) else ""
        if target:
            module = f"./{target.removeprefix('./')}"
            role = EntryRole.SCRIPT
            yield Declared("go", "go:generate", path, line, role, "go generate", module, "")


def _run(command: str) -> str:
    """The file or folder that a command runs; empty where it does not say so by itself."""
    try:
        words = shlex.split(command)
    except ValueError:  # a quote that is not closed
        return ""
    while words and (words[0] == "env" or _SETTING.fullmatch(words[0])):
        words = words[1:]
    if words[:2] == ["go", "run"]:
        words = words[2:]
        while words and words[0].startswith("-"):
            words = words[1 if "=" in words[0] or words[0] not in _TAKING else 2 :]
        is_package = bool(words) and _FOLDER.fullmatch(words[0]) is not None
        return words[0] if words and (is_package or words[0].endswith(".go")) else ""
    is_run = len(words) > 1 and words[0] in _RUNNERS
    return words[1] if is_run and _FILE.fullmatch(words[1]) else ""


_TAKING = frozenset(
    ("-tags", "-mod", "-modfile", "-ldflags", "-gcflags", "-exec", "-C", "-p", "-o")
)
