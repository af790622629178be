"""Entry points in Python manifests: scripts and plugins.

Parsers do not report lines, so the line of an entry is the first one that contains its text.

Sources: the entry points specification and the `[project]` table of the packaging guide
(packaging.python.org), setuptools' `setup.cfg` and `setup()`, and Poetry's tables.
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


def entry_points(path: str, text: str) -> Iterator[Declared]:
    """Yield the entry points of a `pyproject.toml` or `setup.cfg`; ValueError if malformed."""
    lines = text.splitlines()
    found = _project_entries(text) if path.endswith(".toml") else _setup_cfg_entries(text)
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
    """Return the dotted names of the native modules that maturin builds; `texts` are by path."""
    found = set()
    for path, text in texts.items():
        if path.endswith(".toml") and "maturin" in text:
            try:
                name = tomllib.loads(text).get("tool", {}).get("maturin", {}).get("module-name")
            except (tomllib.TOMLDecodeError, AttributeError):  # reported by `entry_points`
                continue
            found.add(str(name or ""))
    return frozenset(found - {""})


def setup_entry_points(path: str, facts: FileFacts) -> Iterator[Declared]:
    """Yield the entry points in the call of `setup()` in a `setup.py`: string literals only."""
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
    """Yield the strings in nested literals, without the keys of dictionaries."""
    op, text, _, args = facts.expressions[number]
    if op == _STRING:
        yield text
    elif op == _PAIR:
        yield from _strings(facts, args[1])
    elif op == _COLLECTION:
        for arg in args:
            yield from _strings(facts, arg)


def _project_entries(text: str) -> Iterator[tuple[str, str]]:
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


def _setup_cfg_entries(text: str) -> Iterator[tuple[str, str]]:
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
