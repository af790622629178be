"""Rust definitions that other languages can use: C symbols, and PyO3 extension modules.

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

_CALL, _CALL_REFERENCE = int(Op.CALL), int(ReferenceKind.CALL)
_NAME_ARGUMENT = re.compile(r"\bname\s*=\s*\"(\w+)\"")
_EXPORT_NAME = re.compile(r"(?:unsafe\()?\s*export_name\s*=\s*\"(\w+)\"\s*\)?")
_NO_MANGLE = re.compile(r"no_mangle|unsafe\(\s*no_mangle\s*\)")
_PATH = re.compile(r"^(?:\w+::)+")
_EXTERN = re.compile(r"\bextern\b")
_LINK_NAME = re.compile(r"\bname\s*=\s*\"([\w-]+)\"")

Crate = tuple[str, str]
"""The library name of a crate, and the folder of its package."""


def exported_symbols(facts: FileFacts, key: int, *, crate: str) -> Iterator[Provided]:
    """Yield the functions of a file that are exported as C symbols, in the library `crate`."""
    for number, row in enumerate(facts.definitions):
        name = _symbol(row) if row.decorators else ""
        if name:
            yield Provided(key, number, Linkage.SYMBOL, name, frozenset((crate,)))


def extern_symbol(facts: FileFacts, row: Definition) -> Wanted | None:
    """Return the symbol that a function in an `extern` block refers to.

    Return None for other functions, and in files that do not name the libraries they link with.
    """
    libraries = frozenset(
        match[1] for _, text in facts.directives for match in _LINK_NAME.finditer(text)
    )
    is_extern = row.flags & Flag.BODILESS and facts.scopes[row.scope].definition < 0
    return Wanted(Linkage.SYMBOL, row.name, libraries) if is_extern and libraries else None


def extension_members(
    facts: Mapping[int, FileFacts],
    *,
    crate_of: Callable[[int], Crate],
    manifests: Mapping[str, str],
) -> Iterator[Provided]:
    """Yield the members of PyO3 extension modules, by their dotted Python names.

    A function is a member if the module's function wraps it (`wrap_pyfunction!`), a class if that
    function adds classes. Crates with two modules, and names with two candidates in a crate, are
    left out.
    """
    crates: dict[Crate, list[int]] = {}
    for key in facts:
        crates.setdefault(crate_of(key), []).append(key)
    for (_, folder), keys in crates.items():
        attributes = [
            (key, number, attribute)
            for key in keys
            for number, row in enumerate(facts[key].definitions)
            for attribute in map(_last_segment, (text for _, _, text in row.decorators))
            if attribute.startswith("py")
        ]
        modules = [
            (key, number)
            for key, number, attribute in attributes
            if attribute.startswith("pymodule")
        ]
        if len(modules) == 1:
            module = _python_name(facts[modules[0][0]].definitions[modules[0][1]], "pymodule")
            module = _full_name(module, folder, manifests)
            registered = _registered_names(facts[modules[0][0]], modules[0][1])
            yield from _members(facts, attributes, module=module, registered=registered)


def _members(
    facts: Mapping[int, FileFacts],
    attributes: list[tuple[int, int, str]],
    *,
    module: str,
    registered: frozenset[str],
) -> Iterator[Provided]:
    for attribute in ("pyfunction", "pyclass"):
        rows = [(key, n) for key, n, text in attributes if text.startswith(attribute)]
        names = [facts[key].definitions[n].name for key, n in rows]
        for key, number in rows:
            row = facts[key].definitions[number]
            is_member = (ANY_CLASS if attribute == "pyclass" else row.name) in registered
            if is_member and names.count(row.name) == 1:
                dotted = f"{module}.{_python_name(row, attribute)}"
                yield Provided(key, number, Linkage.EXTENSION, dotted)
                if attribute == "pyclass":
                    yield from _methods(facts, attributes, class_name=row.name, dotted=dotted)


def _methods(
    facts: Mapping[int, FileFacts],
    attributes: list[tuple[int, int, str]],
    *,
    class_name: str,
    dotted: str,
) -> Iterator[Provided]:
    """Yield the methods in the `#[pymethods]` blocks of a class."""
    for key, number, attribute in attributes:
        extension = facts[key].definitions[number]
        if attribute == "pymethods" and extension.name == class_name:
            for local, row in enumerate(facts[key].definitions):
                if row.scope == extension.body and row.kind == "function":
                    name = f"{dotted}.{row.name}"
                    yield Provided(key, local, Linkage.EXTENSION, name)


def _registered_names(facts: FileFacts, number: int) -> frozenset[str]:
    """Return the last names of the functions that a module's function wraps.

    They include `ANY_CLASS` if it adds classes: which ones is in type arguments, which facts lack.
    """
    rows = facts.expressions
    found: set[str] = set()
    for kind, place, owner, _ in facts.references:
        if kind == _CALL_REFERENCE and owner == number and rows[place][0] == _CALL:
            _, _, function, args = rows[place]
            name = rows[function][1]
            if name == "wrap_pyfunction" and args:
                found.add(rows[args[0]][1])
            elif name == "add_class":
                found.add(ANY_CLASS)
    return frozenset(found)


def _symbol(row: Definition) -> str:
    """Return the linker symbol of a function; empty if it is not exported."""
    if not _EXTERN.search(row.signature.partition("fn ")[0]):
        return ""
    for _, _, text in row.decorators:
        exported = _EXPORT_NAME.fullmatch(text)
        if exported:
            return exported[1]
        if _NO_MANGLE.fullmatch(text):
            return row.name
    return ""


def _python_name(row: Definition, attribute: str) -> str:
    """Return the Python name of a definition: the `name` in its attribute, or its own."""
    for _, _, text in row.decorators:
        if _last_segment(text).startswith(attribute):
            argument = _NAME_ARGUMENT.search(text)
            return argument[1] if argument else row.name
    return row.name


def _full_name(module: str, folder: str, manifests: Mapping[str, str]) -> str:
    """Return the dotted import name of a module, which the settings of maturin may extend."""
    text = manifests.get(f"{folder}/{PYTHON_MANIFEST}".lstrip("/"))
    if text is None:
        return module
    declared = extension_module_name(text)
    return declared if declared.rpartition(".")[2] == module else module


def extension_module_name(text: str) -> str:
    """Return the dotted module name in the maturin settings of a `pyproject.toml`, or empty."""
    try:
        return str(tomllib.loads(text).get("tool", {}).get("maturin", {}).get("module-name", ""))
    except (tomllib.TOMLDecodeError, AttributeError):
        return ""


def _last_segment(text: str) -> str:
    """Return the last segment of the path of an attribute: `pyfunction` of `pyo3::pyfunction`."""
    return _PATH.sub("", text)
