"""Find each setting's value: flag, environment, user's file, repository's file, default.

A repository's file that would widen is refused rather than cut down: a build that quietly looks at
less than the file says would surprise its author.
"""

from collections import ChainMap
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from mu.config import keys, sources
from mu.config.keys import KEYS, AnyKey, ConfigError, Key, Reach, Value, ValueType
from mu.config.settings import BuildSection, Origin, OriginKind, QuerySection, Settings
from mu.config.sources import REPOSITORY_FILE, USER_FILE, Given
from mu.render.shown import Shown


@dataclass(frozen=True, slots=True)
class Configuration:
    """The settings in force, and the origin of each by its dotted name."""

    settings: Settings
    origins: Mapping[str, Origin]


@dataclass(frozen=True, slots=True)
class SettingRow(Shown):
    """One setting as `mu config` shows it."""

    name: str
    value: Value
    origin: str
    summary: str


def load(
    root: Path,
    *,
    environment: Mapping[str, str],
    user_folder: Path,
    flags: Mapping[str, Value | None],
) -> Configuration:
    """Return the settings in force for the repository at `root`.

    `flags` are what the command line gave, by dotted name; None and an empty tuple count as not
    given, as does a variable that is set to nothing. Raises ConfigError for an unknown key, a wrong
    type, a file that cannot be read, and a repository's file that would widen.
    """
    given = ChainMap(
        sources.read_flags(flags),
        sources.read_environment(environment),
        sources.read_user_file(user_folder),
        sources.read_repository_file(root),
    )
    for key in KEYS:
        _refuse_widening(key, given.get(key.name))

    def value(key: Key[ValueType]) -> ValueType:
        return key.kind.read(given[key.name].value) if key.name in given else key.default

    build = BuildSection(
        include=value(keys.INCLUDE),
        exclude=value(keys.EXCLUDE),
        languages=value(keys.LANGUAGES),
        roots=value(keys.ROOTS),
        max_file_size=value(keys.MAX_FILE_SIZE),
        generated=value(keys.GENERATED),
        jobs=value(keys.JOBS),
    )
    query = QuerySection(timeout=value(keys.TIMEOUT), rows=value(keys.ROWS))
    default = Origin(OriginKind.DEFAULT)
    origins = {key.name: given[key.name].origin if key.name in given else default for key in KEYS}
    return Configuration(Settings(build, query), origins)


def describe(configuration: Configuration) -> tuple[SettingRow, ...]:
    """Return a row for each setting: its value and where it came from, in the order of the keys."""
    sections = {"build": configuration.settings.build, "query": configuration.settings.query}
    return tuple(
        SettingRow(
            name=key.name,
            value=getattr(sections[key.section], key.name.partition(".")[2]),
            origin=str(configuration.origins[key.name]),
            summary=key.summary,
        )
        for key in KEYS
    )


def _refuse_widening(key: AnyKey, given: Given | None) -> None:
    if given is None or given.origin.kind is not OriginKind.REPOSITORY_FILE:
        return
    if key.reach is Reach.LOWER and _exceeds(given.value, key.default):
        raise ConfigError(
            f"{REPOSITORY_FILE}: a repository may only lower {key.name} (default {key.default}), "
            f"found {given.value}",
            f"set it in your own {USER_FILE} or with {key.variable}",
        )


def _exceeds(value: Value, limit: Value) -> bool:
    return not isinstance(value, tuple) and not isinstance(limit, tuple) and value > limit
