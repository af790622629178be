"""Read settings once, at the edge: flags, environment, the user's file, the repository's file.

Nothing else in MU looks at the environment. What comes out is plain frozen values; the layers below
never import this one, so whoever calls them passes on what they need.
"""

from mu.config.checks import (
    Checks,
    Contract,
    ContractKind,
    QueryRule,
    contract_text,
    read_checks,
)
from mu.config.credentials import KEY_VARIABLES, api_key
from mu.config.keys import KEYS, ConfigError, Reach, Value
from mu.config.linter import read_linter_contracts
from mu.config.loading import (
    Configuration,
    SettingRow,
    cache_folder,
    describe,
    load,
    state_folder,
    user_folder,
)
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
