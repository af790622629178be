"""Contracts of import-linter, read from .importlinter, setup.cfg or pyproject.toml.

Nothing of import-linter runs. Contracts of types that plug-ins add cannot be read.
"""

import configparser
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec

from mu.analysis.rules.contract import Contract, ContractKind
from mu.config.keys import ConfigError

_LARGEST = 1_000_000  # bytes
_SECTION = "importlinter"

_KEYS: Mapping[str, Mapping[str, str]] = {
    "layers": {
        "layers": "layers",
        "containers": "containers",
        "exhaustive": "exhaustive",
        "exhaustive_ignores": "exhaustive_ignores",
    },
    "independence": {"modules": "modules"},
    "forbidden": {
        "source_modules": "source",
        "forbidden_modules": "target",
        "allow_indirect_imports": "allow_indirect",
        "as_packages": "as_packages",
    },
    "protected": {
        "protected_modules": "modules",
        "allowed_importers": "importers",
        "as_packages": "as_packages",
    },
    "acyclic_siblings": {
        "ancestors": "modules",
        "depth": "depth",
        "skip_descendants": "skip",
    },
}
"""Our key for each key of import-linter, by the type of the contract."""

_MEANINGLESS = frozenset(("id", "name", "type", "broken_contract_guidance", "contract_ids"))

_Table = Mapping[str, object]


def read_linter_contracts(path: Path) -> tuple[Contract, ...]:
    """Read the contracts in a configuration file of import-linter, in its order.

    Raises ConfigError where it cannot be read, has no contract, or has one that MU does not know.
    """
    try:
        with path.open("rb") as file:
            content = file.read(_LARGEST + 1)
        if len(content) > _LARGEST:
            raise ConfigError(f"{path.name}: larger than {_LARGEST} bytes")
        text = content.decode()
        session, tables = _toml(text) if path.suffix == ".toml" else _ini(text)
    except OSError as error:
        raise ConfigError(f"{path.name}: cannot be read: {error.strerror}") from error
    except (ValueError, RecursionError, configparser.Error) as error:
        raise ConfigError(f"{path.name}: not valid: {str(error).splitlines()[0]}") from error
    if not tables:
        raise ConfigError(f"{path.name}: no contracts of import-linter")
    type_only = not _is_true(session.get("exclude_type_checking_imports", "false"))
    return tuple(_contract(path.name, table, type_only=type_only) for table in tables)


def _toml(text: str) -> tuple[_Table, list[_Table]]:
    tool = tomllib.loads(text).get("tool", {})
    session = dict(tool.get(_SECTION, {})) if isinstance(tool, dict) else {}
    tables = session.pop("contracts", [])
    return session, [table for table in tables if isinstance(table, dict)]


def _ini(text: str) -> tuple[_Table, list[_Table]]:
    parser = configparser.ConfigParser()
    parser.read_string(text)
    session = dict(parser[_SECTION]) if parser.has_section(_SECTION) else {}
    named = [name for name in parser.sections() if name.startswith(f"{_SECTION}:")]
    return session, [dict(parser[name]) for name in named]


def _contract(file: str, table: _Table, *, type_only: bool) -> Contract:
    name, kind = str(table.get("name", "")), str(table.get("type", ""))
    if kind not in _KEYS:
        raise ConfigError(
            f"{file}: contract {name!r} has the type {kind!r}, which MU does not read",
            "known: " + ", ".join(_KEYS),
        )
    values: dict[str, object] = {"name": name, "type": ContractKind(kind), "type_only": type_only}
    for key, value in table.items():
        if key == "ignore_imports":
            values[key] = tuple(_lines(value))
        elif key == "unmatched_ignore_imports_alerting":
            values["allow_unmatched"] = str(value).lower() != "error"
        elif key in _KEYS[kind]:
            ours = _KEYS[kind][key]
            values[ours] = _converted(file, key, value, default=getattr(_DEFAULTS, ours))
        elif key not in _MEANINGLESS:
            raise ConfigError(f"{file}: contract {name!r} has an unknown key {key!r}")
    contract = msgspec.convert(values, Contract)
    missing = contract.missing()
    if missing:
        raise ConfigError(f"{file}: contract {name!r} needs {missing}")
    return contract


_DEFAULTS = Contract("", ContractKind.LAYERS)


def _converted(file: str, key: str, value: object, *, default: object) -> object:
    """Give a value the type that it has in a contract."""
    if isinstance(default, bool):
        return _is_true(value)
    if isinstance(default, int):
        if not str(value).isdigit():
            raise ConfigError(f"{file}: {key} must be a number, not {value!r}")
        return int(str(value))
    return tuple(_lines(value))


def _lines(value: object) -> Iterator[str]:
    rows = value if isinstance(value, list) else str(value).splitlines()
    return (text for row in rows if (text := str(row).strip()))


def _is_true(value: object) -> bool:
    return str(value).lower() == "true"
