"""What runs although nothing in a repository calls it: names, decorators and bases, as data."""

from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path

_DATA = Path(__file__).with_name("data") / "entry_points.toml"  # 3 ms less than resources


@dataclass(frozen=True, slots=True)
class EntryPoints:
    """What is known of one language; all are patterns of a shell, decorators without arguments.

    `names` are looked for by the run-time or by tools. `wrappers` are decorators that hand nothing
    on, and `bases` are classes that never call what a subclass adds; any other may. `lookups` are
    functions that find a definition by a name made at run time. `migrations` are paths of files
    that are kept as they were once run, `declarations` of files that only say what is elsewhere.
    `methods` are no patterns but dotted names of the library's: any method may be called as one.
    """

    language: str
    names: tuple[str, ...]
    wrappers: tuple[str, ...]
    bases: tuple[str, ...]
    lookups: tuple[str, ...]
    migrations: tuple[str, ...]
    declarations: tuple[str, ...]
    methods: tuple[str, ...]


_KEYS = tuple(field.name for field in fields(EntryPoints) if field.name != "language")


@cache
def load_entry_points() -> tuple[EntryPoints, ...]:
    """Read what is known of every language."""
    import tomllib

    return tuple(
        EntryPoints(language, *(tuple(table.get(key, ())) for key in _KEYS))
        for language, table in sorted(tomllib.loads(_text()).items())
    )


def may_be_called_as(name: str) -> bool:
    """Tell whether any of `methods` may end in a name.

    It looks at the text alone: to parse it takes 6 ms, and few methods have such a name.
    """
    return f'.{name}"' in _text()


@cache
def _text() -> str:
    return _DATA.read_text(encoding="utf-8")
