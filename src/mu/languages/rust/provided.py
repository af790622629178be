"""What Rust gives other languages: functions with symbols of C, modules of Python made by PyO3.

Sources: the Rust reference on `no_mangle`, `export_name` and `link`, the Cargo book on the name of
a library, PyO3's user guide on `pymodule`, and maturin's on `module-name`.
"""

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping

from mu.model.facts import Definition, FileFacts, Flag, Op, ReferenceKind
from mu.resolve import Linkage, Provided, Wanted

PYTHON_MANIFEST = "pyproject.toml"
ANY_CLASS = "*"

_CALL, _CALLED = int(Op.CALL), int(ReferenceKind.CALL)
_NAMED = re.compile(r"\bname\s*=\s*\"(\w+)\"")
_EXPORTED = re.compile(r"(?:unsafe\()?\s*export_name\s*=\s*\"(\w+)\"\s*\)?")
_KEPT = re.compile(r"no_mangle|unsafe\(\s*no_mangle\s*\)")
_PATH = re.compile(r"^(?:\w+::)+")
_EXTERN = re.compile(r"\bextern\b")
_LINKED = re.compile(r"\bname\s*=\s*\"([\w-]+)\"")

Crate = tuple[str, str]
"""The name of a library, and the folder of its package."""


def symbols(facts: FileFacts, key: int, *, crate: str) -> Iterator[Provided]:
    """The functions of a file that linkers know by a name of C."""
    for number, row in enumerate(facts.definitions):
        name = _symbol(row) if row.decorators else ""
        if name:
            yield Provided(key, number, Linkage.SYMBOL, name, frozenset((crate,)))


def declared_symbol(facts: FileFacts, row: Definition) -> Wanted | None:
    """What a function in a block `extern` is, where the file says what library it links with."""
    libraries = frozenset(
        match[1] for _, text in facts.directives for match in _LINKED.finditer(text)
    )
    is_outside = row.flags & Flag.BODILESS and facts.scopes[row.scope].definition < 0
    return Wanted(Linkage.SYMBOL, row.name, libraries) if is_outside and libraries else None


def extensions(
    facts: Mapping[int, FileFacts],
    *,
    crate_of: Callable[[int], Crate],
    manifests: Mapping[str, str],
) -> Iterator[Provided]:
    """The members of modules that PyO3 makes of crates; of a crate with two modules none.

    A function belongs to the module whose function wraps it (`wrap_pyfunction!`), a class to the
    one that adds classes, both by names that are marked once in the crate.
    """
    crates: dict[Crate, list[int]] = {}
    for key in facts:
        crates.setdefault(crate_of(key), []).append(key)
    for (_, folder), keys in crates.items():
        marked = [
            (key, number, mark)
            for key in keys
            for number, row in enumerate(facts[key].definitions)
            for mark in map(_last, (text for _, _, text in row.decorators))
            if mark.startswith("py")
        ]
        modules = [(key, number) for key, number, mark in marked if mark.startswith("pymodule")]
        if len(modules) == 1:
            module = _python_name(facts[modules[0][0]].definitions[modules[0][1]], "pymodule")
            module = _full_name(module, folder, manifests)
            added = _added(facts[modules[0][0]], modules[0][1])
            yield from _members(facts, marked, module=module, added=added)


def _members(
    facts: Mapping[int, FileFacts],
    marked: list[tuple[int, int, str]],
    *,
    module: str,
    added: frozenset[str],
) -> Iterator[Provided]:
    for mark in ("pyfunction", "pyclass"):
        rows = [(key, n) for key, n, text in marked if text.startswith(mark)]
        names = [facts[key].definitions[n].name for key, n in rows]
        for key, number in rows:
            row = facts[key].definitions[number]
            is_added = (ANY_CLASS if mark == "pyclass" else row.name) in added
            if is_added and names.count(row.name) == 1:
                own = f"{module}.{_python_name(row, mark)}"
                yield Provided(key, number, Linkage.EXTENSION, own)
                if mark == "pyclass":
                    yield from _methods(facts, marked, of=row.name, own=own)


def _methods(
    facts: Mapping[int, FileFacts], marked: list[tuple[int, int, str]], *, of: str, own: str
) -> Iterator[Provided]:
    """The methods that an implementation marked `pymethods` gives a class."""
    for key, number, mark in marked:
        extension = facts[key].definitions[number]
        if mark == "pymethods" and extension.name == of:
            for local, row in enumerate(facts[key].definitions):
                if row.scope == extension.body and row.kind == "function":
                    name = f"{own}.{row.name}"
                    yield Provided(key, local, Linkage.EXTENSION, name)


def _added(facts: FileFacts, number: int) -> frozenset[str]:
    """The last names of what the function of a module wraps; `ANY_CLASS` where it adds classes.

    Which classes stands in type arguments, of which facts tell nothing.
    """
    rows = facts.expressions
    found: set[str] = set()
    for kind, place, owner, _ in facts.references:
        if kind == _CALLED and owner == number and rows[place][0] == _CALL:
            _, _, function, args = rows[place]
            name = rows[function][1]
            if name == "wrap_pyfunction" and args:
                found.add(rows[args[0]][1])
            elif name == "add_class":
                found.add(ANY_CLASS)
    return frozenset(found)


def _symbol(row: Definition) -> str:
    """The name that linkers know a function by; empty where they do not."""
    if not _EXTERN.search(row.signature.partition("fn ")[0]):
        return ""
    for _, _, text in row.decorators:
        exported = _EXPORTED.fullmatch(text)
        if exported:
            return exported[1]
        if _KEPT.fullmatch(text):
            return row.name
    return ""


def _python_name(row: Definition, mark: str) -> str:
    """The name in Python of what is marked: its own, unless the mark says another."""
    for _, _, text in row.decorators:
        if _last(text).startswith(mark):
            named = _NAMED.search(text)
            return named[1] if named else row.name
    return row.name


def _full_name(module: str, folder: str, manifests: Mapping[str, str]) -> str:
    """The dotted name by which a module is imported, where maturin is told of one."""
    text = manifests.get(f"{folder}/{PYTHON_MANIFEST}".lstrip("/"))
    if text is None:
        return module
    told = module_name(text)
    return told if told.rpartition(".")[2] == module else module


def module_name(text: str) -> str:
    """The dotted name that a Python manifest tells maturin to give its module; empty if none."""
    try:
        return str(tomllib.loads(text).get("tool", {}).get("maturin", {}).get("module-name", ""))
    except (tomllib.TOMLDecodeError, AttributeError):
        return ""


def _last(text: str) -> str:
    """A mark without the path before it: `pyo3::pyfunction` is `pyfunction`."""
    return _PATH.sub("", text)
