"""Names, decorators and base classes by which external code calls a definition, as data.

Dead-code analysis and walks over callers use them: such a definition may run without a caller in
the repository.
"""

from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path

_DATA = (
    Path(__file__).with_name("data") / "entry_points.toml"
)  # importlib.resources takes 3 ms more


@dataclass(frozen=True, slots=True)
class EntryPoints:
    """The patterns of one language; all but `methods` are glob patterns.

    `names` are definitions that the runtime or a tool calls by name. `wrappers` are decorators,
    without arguments, that do not pass the function to a framework, and `bases` are classes that
    never call a method which a subclass adds; all other decorators and bases may do so. `lookups`
    are functions that find a definition by a name computed at run time. `migrations` are paths of
    scripts that were run once, `declarations` paths of files that declare code defined elsewhere.
    `configurations` are paths of files whose definitions a tool reads when it loads them.
    `generated_uses` are kinds and subkinds of definitions that code made when it is compiled may
    use, as attributes and macros say. `methods` are dotted names of methods of library interfaces;
    the library may call any method of such a name.
    """

    language: str
    names: tuple[str, ...]
    wrappers: tuple[str, ...]
    bases: tuple[str, ...]
    lookups: tuple[str, ...]
    migrations: tuple[str, ...]
    declarations: tuple[str, ...]
    configurations: tuple[str, ...]
    generated_uses: tuple[str, ...]
    methods: tuple[str, ...]


_KEYS = tuple(field.name for field in fields(EntryPoints) if field.name != "language")


@cache
def load_entry_points() -> tuple[EntryPoints, ...]:
    """Return the entry points of every language, sorted by language."""
    import tomllib

    return tuple(
        EntryPoints(language, *(tuple(table.get(key, ())) for key in _KEYS))
        for language, table in sorted(tomllib.loads(_text()).items())
    )


def may_be_library_method(name: str) -> bool:
    """Return whether one of `methods`, in any language, may have this last name.

    Searches the text of the data file, because parsing it takes 6 ms and few methods match.
    """
    return f'.{name}"' in _text()


@cache
def _text() -> str:
    return _DATA.read_text(encoding="utf-8")
