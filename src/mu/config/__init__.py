"""Read settings once, at the edge: flags, environment, the user's file, the repository's file.

Nothing else in MU looks at the environment. What comes out is plain frozen values; the layers below
never import this one, so whoever calls them passes on what they need.

Names are found on first use: a command that asks one question needs one folder and no setting.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mu.config.checks import (
        Checks,
        Contract,
        ContractKind,
        QueryRule,
        contract_text,
        read_checks,
    )
    from mu.config.credentials import KEY_VARIABLES, api_key
    from mu.config.folders import cache_folder, state_folder, user_folder
    from mu.config.keys import KEYS, ConfigError, Reach, Value
    from mu.config.linter import read_linter_contracts
    from mu.config.loading import Configuration, SettingRow, describe, load
    from mu.config.settings import BuildSection, Origin, OriginKind, QuerySection, Settings
    from mu.config.sources import REPOSITORY_FILE, USER_FILE

__all__ = [
    "KEYS",
    "KEY_VARIABLES",
    "REPOSITORY_FILE",
    "USER_FILE",
    "BuildSection",
    "Checks",
    "ConfigError",
    "Configuration",
    "Contract",
    "ContractKind",
    "Origin",
    "OriginKind",
    "QueryRule",
    "QuerySection",
    "Reach",
    "SettingRow",
    "Settings",
    "Value",
    "api_key",
    "cache_folder",
    "contract_text",
    "describe",
    "load",
    "read_checks",
    "read_linter_contracts",
    "state_folder",
    "user_folder",
]

_MODULES = {
    "checks": (
        "Checks", "Contract", "ContractKind", "QueryRule", "contract_text", "read_checks",
    ),
    "credentials": ("KEY_VARIABLES", "api_key"),
    "folders": ("cache_folder", "state_folder", "user_folder"),
    "keys": ("KEYS", "ConfigError", "Reach", "Value"),
    "linter": ("read_linter_contracts",),
    "loading": ("Configuration", "SettingRow", "describe", "load"),
    "settings": ("BuildSection", "Origin", "OriginKind", "QuerySection", "Settings"),
    "sources": ("REPOSITORY_FILE", "USER_FILE"),
}  # fmt: skip
_HOMES = {name: module for module, names in _MODULES.items() for name in names}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"mu.config.{_HOMES[name]}"), name)
