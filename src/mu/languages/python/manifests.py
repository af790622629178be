"""What Python's manifests name: the starts of programs, and plugins.

Sources: the entry points specification and the `[project]` table of the packaging guide
(packaging.python.org), setuptools' `setup.cfg` and `setup()`, and Poetry's tables. A manifest has
no lines once it is read, so the line is the first one that holds the text.
"""

import configparser
import re
import tomllib
from collections.abc import Iterator, Mapping

from mu.model.facts import FileFacts, Op
from mu.model.kinds import EntryRole
from mu.resolve import Declared

MANIFESTS = frozenset(("pyproject.toml", "setup.cfg"))

_SETUP = "setup.py"
_CALL, _KEYWORD, _COLLECTION, _PAIR = map(int, (Op.CALL, Op.KEYWORD, Op.COLLECTION, Op.PAIR))
_STRING = int(Op.STRING)
_REFERENCE = re.compile(r"(?P<module>[\w.]+)\s*(?::\s*(?P<attribute>[\w.]+))?\s*(?:\[.*\])?")
_ENTRY = re.compile(r"(?P<label>[^=]+?)\s*=\s*(?P<reference>.+)")


def declared(path: str, text: str) -> Iterator[Declared]:
    """What a `pyproject.toml` or `setup.cfg` names; ValueError where it is none."""
    lines = text.splitlines()
    found = _of_project(text) if path.endswith(".toml") else _of_configuration(text)
    manifest = path.rpartition("/")[2]
    for label, reference in found:
        match = _REFERENCE.fullmatch(reference.strip())
        if match:
            line = next(
                (n for n, row in enumerate(lines, 1) if label in row and reference in row), 1
            )
            module, attribute = match["module"], match["attribute"] or ""
            yield Declared(
                "python", manifest, path, line, EntryRole.SCRIPT, label, module, attribute
            )


def native_modules(texts: Mapping[str, str]) -> frozenset[str]:
    """The dotted names of the modules that manifests say are made of native code, by maturin."""
    found = set()
    for path, text in texts.items():
        if path.endswith(".toml") and "maturin" in text:
            try:
                told = tomllib.loads(text).get("tool", {}).get("maturin", {}).get("module-name")
            except (tomllib.TOMLDecodeError, AttributeError):  # the reader of manifests tells
                continue
            found.add(str(told or ""))
    return frozenset(found - {""})


def declared_by_setup(path: str, facts: FileFacts) -> Iterator[Declared]:
    """What the call of `setup()` in a `setup.py` names, as far as it is written out."""
    if path.rpartition("/")[2] != _SETUP:
        return
    rows = facts.expressions
    lines = {number: line for kind, number, _, line in facts.references if not kind}
    for number, (op, _, function, args) in enumerate(rows):
        if op != _CALL or rows[function][1] != "setup":
            continue
        for arg in args:
            kind, name, value, _ = rows[arg]
            if kind == _KEYWORD and name == "entry_points":
                for text in _strings(facts, value):
                    entry = _ENTRY.fullmatch(text.strip())
                    match = _REFERENCE.fullmatch(entry["reference"].strip()) if entry else None
                    if entry and match:
                        yield Declared(
                            "python", _SETUP, path, lines.get(number, 1), EntryRole.SCRIPT,
                            entry["label"].strip(), match["module"], match["attribute"] or "",
                        )  # fmt: skip


def _strings(facts: FileFacts, number: int) -> Iterator[str]:
    """The texts in a table of lists, those that are keys aside."""
    op, text, _, args = facts.expressions[number]
    if op == _STRING:
        yield text
    elif op == _PAIR:
        yield from _strings(facts, args[1])
    elif op == _COLLECTION:
        for arg in args:
            yield from _strings(facts, arg)


def _of_project(text: str) -> Iterator[tuple[str, str]]:
    try:
        table = tomllib.loads(text)
    except RecursionError:
        raise ValueError("nested too deep") from None
    project, tool = _table(table, "project"), _table(table, "tool")
    poetry = _table(tool, "poetry")
    groups = [_table(project, "scripts"), _table(project, "gui-scripts"), _table(poetry, "scripts")]
    for plugins in (_table(project, "entry-points"), _table(poetry, "plugins")):
        groups += (_table(plugins, name) for name in plugins)
    for group in groups:
        for label, value in group.items():
            if isinstance(value, str):
                yield label, value


def _table(table: Mapping[str, object], name: str) -> dict[str, object]:
    value = table.get(name)
    return value if isinstance(value, dict) else {}


def _of_configuration(text: str) -> Iterator[tuple[str, str]]:
    parser = configparser.ConfigParser(interpolation=None, strict=False)
    try:
        parser.read_string(text)
    except configparser.Error as error:
        raise ValueError(str(error).partition("\n")[0]) from error
    section = "options.entry_points"
    for group in parser[section].values() if parser.has_section(section) else ():
        for line in group.splitlines():
            entry = _ENTRY.fullmatch(line.strip())
            if entry:
                yield entry["label"], entry["reference"]
