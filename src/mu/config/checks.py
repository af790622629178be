"""The architecture rules of a repository: the section `[check]` of its `mu.toml`.

They are data: a query of MUQL can read the graph alone, and a contract names modules.
"""

from pathlib import Path

import msgspec

from mu.analysis.rules.contract import Contract, ContractKind
from mu.config.keys import ConfigError
from mu.config.sources import REPOSITORY_FILE, read_check_section

__all__ = ["Checks", "Contract", "ContractKind", "QueryRule", "read_checks"]


class QueryRule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A query that has to have no rows; `message` says what a row means."""

    name: str
    query: str
    message: str = ""


class Checks(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All rules and contracts, in the order of the file."""

    rule: tuple[QueryRule, ...] = ()
    contract: tuple[Contract, ...] = ()

    def names(self) -> tuple[str, ...]:
        """Give the names of the rules, then those of the contracts."""
        rules = tuple(rule.name for rule in self.rule)
        return rules + tuple(contract.name for contract in self.contract)


def read_checks(root: Path) -> Checks:
    """Read the rules of the repository at `root`.

    Raises ConfigError for an unknown key, a wrong type, a missing key, and two of one name.
    """
    try:
        checks = msgspec.convert(read_check_section(root), Checks)
    except msgspec.ValidationError as error:
        raise ConfigError(f"{REPOSITORY_FILE}: [check] {str(error).lower()}") from error
    names = checks.names()
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise ConfigError(f"{REPOSITORY_FILE}: two rules are named {twice!r}", "rename one")
    for contract in checks.contract:
        missing = contract.missing()
        if missing:
            raise ConfigError(f"{REPOSITORY_FILE}: contract {contract.name!r} needs {missing}")
        extra = contract.superfluous()
        if extra:
            raise ConfigError(
                f"{REPOSITORY_FILE}: contract {contract.name!r} is of type {contract.type}, "
                f"which has no {extra}",
            )
    return checks


def contract_text(contract: Contract) -> str:
    """Write a contract as `mu.toml` has it: the keys that differ from their defaults."""
    lines = ["[[check.contract]]"]
    for field in msgspec.structs.fields(contract):
        value = getattr(contract, field.name)
        if value == field.default:
            continue
        if field.name == "layers":
            rows = "".join(f"  {_toml(layer)},\n" for layer in value)
            lines.append(f"layers = [\n{rows}]")
        else:
            lines.append(f"{field.name} = {_toml(value)}")
    return "\n".join(lines) + "\n"


def _toml(value: object) -> str:
    """Write a string, a number, a truth value or strings; JSON writes each as TOML does."""
    return msgspec.json.format(msgspec.json.encode(value), indent=0).decode()
