"""The modules that an expression in a contract means: a dotted name or a path, maybe with `*`."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from mu.analysis.rules.module_imports import ModuleImports, Pair

_ENTRIES = ("__init__", "index", "mod", "lib")
"""Files, without their endings, that are the module of their folder: Python, TypeScript, Rust."""


class ModuleSet(NamedTuple):
    """A module as it is named, and the files that are it or lie below it."""

    label: str
    members: frozenset[str]


class ModuleSets:
    """Finds the modules of one graph by name; all names are looked up in one index."""

    def __init__(self, imports: ModuleImports) -> None:
        self._imports = imports
        below: dict[str, set[str]] = {}
        for path, name in imports.names.items():
            keys = {*_prefixes(name, "."), name}
            if path not in imports.outside:
                keys |= {*_prefixes(path, "/"), path, _bare(path)}
            for key in keys:
                below.setdefault(key, set()).add(path)
        self._below = {key: frozenset(paths) for key, paths in below.items()}

    def find(self, text: str) -> tuple[ModuleSet, ...]:
        """Give the modules that a name means: one, or with `*` any number; none if there is none.

        What lies outside of the repository has to be named in full.
        """
        wanted = text.strip().removeprefix("./").rstrip("/")
        if "*" not in wanted:
            found = self._below.get(wanted)
            return (ModuleSet(wanted, found),) if found else ()
        fits = re.compile(_pattern(wanted))
        sets = (
            ModuleSet(key, members - self._imports.outside)
            for key, members in sorted(self._below.items())
            if fits.fullmatch(key) and (key not in self._imports.names or "/" in wanted)
        )
        return tuple(one for one in sets if one.members)

    def one(self, text: str) -> ModuleSet:
        """Give the modules that a name means as one set. Raises LookupError if there is none."""
        found = self.every(text)
        return ModuleSet(text.strip(), frozenset().union(*(one.members for one in found)))

    def every(self, text: str) -> tuple[ModuleSet, ...]:
        """Give the modules that a name means. Raises LookupError if there is none."""
        found = self.find(text)
        if not found:
            raise LookupError(text.strip())
        return found

    def below(self, container: str, name: str) -> tuple[ModuleSet, ...]:
        """Give the modules of a name below a container; without a container, of the name."""
        if not container:
            return self.find(name)
        return self.find(f"{container}.{name}") or self.find(f"{container}/{name}")

    def itself(self, module: ModuleSet) -> frozenset[str]:
        """Give the files of a module that are not below it.

        For a folder that is the file in it that stands for it, or without one all files in it.
        """
        names = self._imports.names
        exact = {
            path
            for path in module.members
            if module.label in (path, names[path], _bare(path), self._imports.unit(path))
        }
        direct = {path for path in module.members if path.rpartition("/")[0] == module.label}
        entries = {path for path in direct if _bare(path).rpartition("/")[2] in _ENTRIES}
        return frozenset(exact or entries or direct)

    def children(self, module: ModuleSet) -> tuple[ModuleSet, ...]:
        """Give the modules right below one."""
        separator = "/" if "/" in module.label else "."
        found = [
            ModuleSet(key, members)
            for key, members in self._below.items()
            if key.rpartition(separator)[0] == module.label
        ]
        if separator == "." and not found:
            found = [
                ModuleSet(key, members)
                for key, members in self._below.items()
                if key.rpartition("/")[0] == module.label
            ]
        seen: dict[frozenset[str], ModuleSet] = {}
        for one in sorted(found):  # `a/b.ts` is also `a/b`
            seen.setdefault(one.members, one)
        return tuple(seen.values())

    def pairs(self, text: str) -> frozenset[Pair]:
        """Give the imports that `a -> b` means. Raises LookupError without an arrow."""
        near, arrow, far = text.partition("->")
        if not arrow:
            raise LookupError(text)
        fits_near, fits_far = _fits(near), _fits(far)
        names = self._imports.names
        return frozenset(
            pair
            for pair in self._imports.lines
            if any(map(fits_near.fullmatch, (names[pair[0]], pair[0], _bare(pair[0]))))
            and any(map(fits_far.fullmatch, (names[pair[1]], pair[1], _bare(pair[1]))))
        )


def _fits(text: str) -> re.Pattern[str]:
    return re.compile(_pattern(text.strip().removeprefix("./")))


def _pattern(text: str) -> str:
    """Write a name with `*` as a regular expression."""
    part, separator = ("[^/]+", "/") if "/" in text else ("[^./]+", ".")
    marks = {"*": part, "**": f"{part}(?:[{separator}]{part})*"}
    return re.escape(separator).join(
        marks[one] if one in marks else re.escape(one).replace(r"\*", "[^./]*")
        for one in text.split(separator)
    )


def _prefixes(text: str, separator: str) -> Iterator[str]:
    for place, letter in enumerate(text):
        if letter == separator and place:
            yield text[:place]


def _bare(path: str) -> str:
    """Give a path without the ending of its file."""
    folder, slash, name = path.rpartition("/")
    return f"{folder}{slash}{name.partition('.')[0]}" if not name.startswith(".") else path
