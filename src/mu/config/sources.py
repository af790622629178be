"""Read each place that may hold settings, checking all of it, also what a stronger place overrides.

A mistyped key is an error, never silence. `mu.toml` may come from a stranger: it is opened without
following a link, must be a regular file, and is bounded in size.
"""

import os
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from stat import S_ISREG
from typing import TypeVar

from mu.config.keys import KEYS, AnyKey, ConfigError, Reach, Value
from mu.config.settings import Origin, OriginKind

USER_FILE = "config.toml"
REPOSITORY_FILE = "mu.toml"
CHECK_SECTION = "check"
"""The section of a repository's rules, which are no settings: see `checks`."""

Raw = TypeVar("Raw")

_LARGEST_FILE = 65_536  # bytes; settings are short
_BY_NAME: Mapping[str, AnyKey] = {key.name: key for key in KEYS}
_BY_VARIABLE: Mapping[str, AnyKey] = {key.variable: key for key in KEYS}
_SECTIONS = tuple(dict.fromkeys(key.section for key in KEYS))
_VARIABLE_PREFIXES = tuple(f"MU_{section.upper()}_" for section in _SECTIONS)


@dataclass(frozen=True, slots=True)
class Given:
    """A value that some place gives, already checked."""

    value: Value
    origin: Origin


def read_flags(flags: Mapping[str, Value | None]) -> dict[str, Given]:
    """Return what the command line gave, by dotted name; None and `()` are not given."""
    origin = Origin(OriginKind.FLAG)
    given: dict[str, Given] = {}
    for name, raw in flags.items():
        if name not in _BY_NAME:
            raise _unknown("flag for an unknown setting", name, _BY_NAME)
        if raw is not None and raw != ():
            given[name] = _checked(_BY_NAME[name].kind.read, raw, f"flag for {name}", origin)
    return given


def read_environment(environment: Mapping[str, str]) -> dict[str, Given]:
    """Return what `MU_*` variables give, by dotted name; one set to nothing is not given.

    A variable that only resembles a setting's is an error; others, such as another program's
    `MU_HOME`, are let be.
    """
    given: dict[str, Given] = {}
    for variable, text in sorted(environment.items()):
        if not variable.startswith("MU_") or not text.strip():
            continue
        if variable not in _BY_VARIABLE:
            if _resembles_ours(variable):
                raise _unknown("environment: unknown variable", variable, _BY_VARIABLE)
            continue
        key = _BY_VARIABLE[variable]
        origin = Origin(OriginKind.ENVIRONMENT, variable)
        given[key.name] = _checked(key.kind.parse, text, f"environment: {variable}", origin)
    return given


def read_user_file(folder: Path) -> dict[str, Given]:
    """Return what the user's own file gives, by dotted name; it may be a link."""
    return _read_file(folder / USER_FILE, Origin(OriginKind.USER_FILE, USER_FILE), 0)


def read_repository_file(root: Path) -> dict[str, Given]:
    """Return what the repository's file gives, by dotted name.

    Raises ConfigError also for a key that a repository may not set. Whether a value widens is not
    known here: a stronger place may have set it.
    """
    origin = Origin(OriginKind.REPOSITORY_FILE, REPOSITORY_FILE)
    given = _read_file(root / REPOSITORY_FILE, origin, os.O_NOFOLLOW)
    for name in given:
        if _BY_NAME[name].reach is Reach.NONE:
            raise ConfigError(
                f"{REPOSITORY_FILE}: a repository may not set {name}",
                f"set it in your own {USER_FILE} or with {_BY_NAME[name].variable}",
            )
    return given


def read_check_section(root: Path) -> object:
    """Return the rules of the repository's file as TOML has them; an empty table without any."""
    return _parse_file(root / REPOSITORY_FILE, os.O_NOFOLLOW).get(CHECK_SECTION, {})


def _read_file(path: Path, origin: Origin, flags: int) -> dict[str, Given]:
    given: dict[str, Given] = {}
    for section, table in _parse_file(path, flags).items():
        if section == CHECK_SECTION and origin.kind is OriginKind.REPOSITORY_FILE:
            continue
        if section not in _SECTIONS:
            raise _unknown(f"{path.name}: unknown section", section, _SECTIONS)
        if not isinstance(table, dict):
            raise ConfigError(f"{path.name}: {section} must be a section, written [{section}]")
        keys = {_bare(key): key for key in KEYS if key.section == section}
        for name, raw in table.items():
            where = f"{path.name}: [{section}]"
            if name not in keys:
                raise _unknown(f"{where} unknown key", name, keys)
            key = keys[name]
            given[key.name] = _checked(key.kind.read, raw, f"{where} {name}", origin)
    return given


def _parse_file(path: Path, flags: int) -> dict[str, object]:
    content = _read_bounded(path, flags)
    try:
        return tomllib.loads(content.decode())
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{path.name}: not valid TOML: {error}") from error


def _read_bounded(path: Path, flags: int) -> bytes:
    """Return the bytes of a settings file; none when there is no file."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | flags)
    except FileNotFoundError:
        return b""
    except OSError as error:
        raise ConfigError(f"{path.name}: cannot be read: {error.strerror}") from error
    try:
        if not S_ISREG(os.fstat(descriptor).st_mode):
            raise ConfigError(f"{path.name}: not a regular file")
        content = os.read(descriptor, _LARGEST_FILE + 1)
    finally:
        os.close(descriptor)
    if len(content) > _LARGEST_FILE:
        raise ConfigError(f"{path.name}: larger than {_LARGEST_FILE} bytes")
    return content


def _checked(read: Callable[[Raw], Value], raw: Raw, where: str, origin: Origin) -> Given:
    try:
        return Given(read(raw), origin)
    except ValueError as error:
        raise ConfigError(f"{where} must be {error}") from error


def _unknown(what: str, name: str, known: Iterable[str]) -> ConfigError:
    names = tuple(known)
    import difflib  # takes 2 ms

    near = difflib.get_close_matches(name, names, n=1)
    hint = f"did you mean {near[0]}?" if near else "known: " + ", ".join(names)
    return ConfigError(f"{what} {name!r}", hint)


def _resembles_ours(variable: str) -> bool:
    if variable.startswith(_VARIABLE_PREFIXES):
        return True
    import difflib  # as above

    return bool(difflib.get_close_matches(variable, _BY_VARIABLE, n=1, cutoff=0.8))


def _bare(key: AnyKey) -> str:
    return key.name.partition(".")[2]
