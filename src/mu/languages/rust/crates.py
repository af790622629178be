"""Rust's crates and modules: which file a path means, seen from another file.

A crate begins at a file that Cargo names or finds by its conventions; a folder of tests, examples
or programs has one for each file. A module `a` of the module in `lib.rs`, `main.rs` or `mod.rs` is
beside it in `a.rs` or `a/mod.rs`, one of a module in `b.rs` in the folder `b`. That a file is
declared (`mod a;`) is taken for granted; attributes that name other paths are not read.
"""

import tomllib
from collections.abc import Mapping, Sequence

from mu.languages.rust.provided import Crate, extensions, module_name, symbols
from mu.model.facts import Definition, FileFacts
from mu.resolve import Layout, ModuleFinder, Provided, Target

MANIFEST = "Cargo.toml"
_FIRST_EDITION = "2015"  # which is meant where a package names none
_DEPENDENCIES = ("dependencies", "dev-dependencies", "build-dependencies")
_MACRO = "macro"
_LOOSE = ("tests", "examples", "benches", "src/bin")  # folders of crates of one file each


class RustCrates(ModuleFinder):
    """Paths and files of one repository; paths are dotted here."""

    def __init__(self, layout: Layout) -> None:
        super().__init__(layout.paths)
        self._files = {path: key for key, path in layout.paths.items()}
        tables = {
            place.rpartition("/")[0]: _parsed(text)
            for place, text in layout.manifests.items()
            if place.rpartition("/")[2] == MANIFEST
        }
        self._layout = layout
        self._inline = {
            key: frozenset(row.name for row in facts.definitions if _is_inline(row))
            for key, facts in layout.facts.items()
        }
        self._packages = {folder: table for folder, table in tables.items() if "package" in table}
        self._shared = _table(_table(tables.get("", {}), "workspace"), "dependencies")
        self._crates = {
            self._crate_name(folder): root
            for folder in self._packages
            if (root := self._library_root(folder)) >= 0
        }
        self._declared = _declared(layout)
        self._roots = {key: self._find_root(path) for key, path in layout.paths.items()}
        self._names = {key: self._find_name(key) for key in layout.paths}
        self._macros = self._find_macros(layout.facts)

    def name_of(self, file: int) -> str:
        return self._names[file]

    def find(self, importer: int, dotted: str, *, level: int = 0) -> Target:  # noqa: ARG002 - none here
        first, *rest = dotted.split(".")
        if not first and rest:
            return self._from_outermost(importer, rest)
        if first in self._inline.get(importer, ()):
            return self._walked(importer, [first, *rest])
        start = self._start(importer, first)
        if isinstance(start, Target):
            if start.external:
                return Target(external=dotted)
            return start
        return self._walked(start, rest)

    def _from_outermost(self, importer: int, names: list[str]) -> Target:
        """What a path that begins with `::` leads to: in the edition of 2015 it begins at the root
        of the crate, where other crates have names, too; since then at other crates alone.
        """
        root, first = self._roots[importer], names[0]
        table = _table(self._packages.get(self._package_of(self._paths[importer]), {}), "package")
        is_told_apart = table.get("edition", _FIRST_EDITION) != _FIRST_EDITION
        if not is_told_apart and (first in self._inline[root] or self._step(root, first) >= 0):
            return self._walked(root, names)
        known = self._dependencies(importer)
        crate = self._crates.get(known.get(first, first), -1)
        if crate >= 0:
            return self._walked(crate, names[1:])
        if is_told_apart or first in known or first in _STANDARD:
            return Target(external=".".join(names))
        return self._walked(root, names)

    def submodule(self, parent: Target, name: str) -> Target | None:
        file = self._step(parent.file, name) if parent.file >= 0 and not parent.inside else -1
        return Target(file=file) if file >= 0 else None

    def module_called(self, file: int, name: str) -> Target | None:
        start = self._start(file, name)
        if isinstance(start, int):
            return Target(file=start)
        return start if name in self._dependencies(file) or name in _STANDARD else None

    def beside(self, file: int, name: str) -> int:
        return self._macros.get((self._roots[file], name), -1)

    def is_package(self, file: int) -> bool:
        return self._roots[file] == file

    def provided(self) -> Sequence[Provided]:
        found = [
            row
            for key, facts in self._layout.facts.items()
            for row in symbols(facts, key, crate=self._crate_of(key)[0])
        ]
        manifests = self._layout.manifests
        found += extensions(self._layout.facts, crate_of=self._crate_of, manifests=manifests)
        return found

    def _crate_of(self, file: int) -> Crate:
        package = self._package_of(self._paths[self._roots[file]])
        return self._crate_name(package) if package in self._packages else "", package

    def _walked(self, file: int, names: list[str]) -> Target:
        """The module that names lead to from one, as far as they are modules with files."""
        for place, name in enumerate(names):
            below = self._step(file, name)
            if below < 0:
                return Target(file=file, inside=tuple(names[place:]))
            file = below
        return Target(file=file)

    def _step(self, file: int, name: str) -> int:
        """The module that a name means from within one; -1: none with a file."""
        if name == "self":
            return file
        if name == "super":
            return self._above(file)
        folder = self._folder(file)
        for path in (f"{folder}{name}.rs", f"{folder}{name}/mod.rs"):
            if path in self._files:
                return self._files[path]
        return -1

    def _start(self, importer: int, name: str) -> int | Target:
        """The file that the first name of a path leads to."""
        if name == "crate":
            return self._roots[importer]
        if name in ("self", "super"):
            return self._step(importer, name)
        below = self._step(importer, name)
        if below >= 0:
            return below
        alias = self._dependencies(importer).get(name, name)
        if alias in self._crates:
            return self._crates[alias]
        return Target(external=name)

    def _folder(self, file: int) -> str:
        """The folder of the modules in a file's module; ends with a slash, or is empty."""
        folder, _, name = self._paths[file].rpartition("/")
        folder = f"{folder}/" if folder else ""
        if name == "mod.rs" or self._roots.get(file, file) == file:
            return folder
        return f"{folder}{name.removesuffix('.rs')}/"

    def _above(self, file: int) -> int:
        folder, _, name = self._paths[file].rpartition("/")
        if name == "mod.rs":
            folder = folder.rpartition("/")[0]
        root = self._roots[file]
        if folder == self._paths[root].rpartition("/")[0]:
            return root
        for path in (f"{folder}.rs", f"{folder}/mod.rs"):
            if path in self._files:
                return self._files[path]
        return root

    def _find_root(self, path: str) -> int:
        """The file that the crate of a file begins at: itself, or one in a folder above it."""
        package = self._package_of(path)
        inside = path[len(package) + 1 :] if package else path
        for loose in _LOOSE:
            if inside.startswith(f"{loose}/"):
                top = inside[len(loose) + 1 :].partition("/")[0]
                start = f"{package}/{loose}/{top}".lstrip("/")
                main = self._files.get(f"{start}/main.rs", self._declared.get(start))
                return self._files[path] if main is None else main
        table = self._packages.get(package, {})
        named = [str(_table(table, "lib").get("path", "")), *_binaries(table)]
        conventions = ["src/lib.rs", "src/main.rs", "lib.rs", "main.rs", "build.rs"]
        roots = [f"{package}/{one}".lstrip("/") for one in (*named, *conventions) if one]
        if path in roots:
            return self._files[path]
        known = [root for root in roots if root in self._files]
        near = [r for r in known if path.startswith(f"{r.rpartition('/')[0]}/".lstrip("/"))]
        return self._files[near[0]] if near else self._files[path]

    def _package_of(self, path: str) -> str:
        """The folder of the nearest manifest of a package above a file."""
        folder = path.rpartition("/")[0]
        while folder and folder not in self._packages:
            folder = folder.rpartition("/")[0]
        return folder

    def _library_root(self, folder: str) -> int:
        path = str(_table(self._packages[folder], "lib").get("path", "src/lib.rs"))
        return self._files.get(f"{folder}/{path}".lstrip("/"), -1)

    def _crate_name(self, folder: str) -> str:
        table = self._packages[folder]
        name = _table(table, "lib").get("name") or _table(table, "package").get("name", "")
        return str(name).replace("-", "_")

    def _dependencies(self, file: int) -> Mapping[str, str]:
        """The crates that a file may name, by the names they have there."""
        package = self._package_of(self._paths[file])
        table = self._packages.get(package, {})
        found = {self._crate_name(package): self._crate_name(package)} if table else {}
        for key in _DEPENDENCIES:
            for name, how in _table(table, key).items():
                shared = self._shared.get(name, {})
                given = {**(shared if isinstance(shared, dict) else {})}
                given |= how if isinstance(how, dict) else {}
                own = str(given.get("package", name)).replace("-", "_")
                found[name.replace("-", "_")] = own
        return found

    def _find_name(self, file: int) -> str:
        """The dotted name of a module: of its crate, and of the folders below."""
        root = self._roots[file]
        package = self._package_of(self._paths[root])
        crate = self._crate_name(package) if package in self._packages else ""
        stem = self._paths[root].rpartition("/")[2].removesuffix(".rs")
        if stem not in ("lib", "main") or not crate:
            crate = f"{crate}.{stem}".lstrip(".")
        if root == file:
            return crate
        base = self._paths[root].rpartition("/")[0]
        inside = self._paths[file][len(base) + 1 if base else 0 :].removesuffix(".rs")
        return f"{crate}.{inside.removesuffix('/mod').replace('/', '.')}"

    def _find_macros(self, facts: Mapping[int, FileFacts]) -> dict[tuple[int, str], int]:
        """The file that defines a macro for its crate; macros of one name are nobody's guess."""
        found: dict[tuple[int, str], int] = {}
        for key, known in facts.items():
            for row in known.definitions:
                if row.subkind == _MACRO:
                    place = (self._roots[key], row.name)
                    found[place] = key if found.get(place, key) == key else -1
        return found


def crate_settings(path: str, text: str) -> list[object]:
    """What `RustCrates` reads of a manifest."""
    if path.rpartition("/")[2] != MANIFEST:
        return [module_name(text)]
    table = _parsed(text)
    package, library = _table(table, "package"), _table(table, "lib")
    workspace = _table(table, "workspace")
    listed = [_table(table, key) for key in _DEPENDENCIES] + [_table(workspace, "dependencies")]
    return [
        "package" in table,
        *(str(package.get(key)) for key in ("name", "edition")),
        *(str(library.get(key)) for key in ("name", "path")),
        _binaries(table),
        [[(name, _renamed(how)) for name, how in one.items()] for one in listed],
    ]


def _renamed(how: object) -> str:
    """The crate that a dependency stands for under another name; empty: it keeps its own."""
    return str(how.get("package", "")) if isinstance(how, dict) else ""


def _declared(layout: Layout) -> dict[str, int]:
    """The files that declare modules beside them, by the paths of those without their endings."""
    found: dict[str, int] = {}
    for key, path in layout.paths.items():
        folder = path.rpartition("/")[0]
        for row in layout.facts[key].imports:
            if not row.name and row.module.isidentifier():
                place = f"{folder}/{row.module}".lstrip("/")
                found.setdefault(place, key)
                found.setdefault(f"{place}.rs", key)
    return found


def _is_inline(row: Definition) -> bool:
    """Tell whether a definition is an inline module."""
    return row.subkind == "namespace" and not row.scope


_STANDARD = ("std", "core", "alloc")


def _binaries(table: Mapping[str, object]) -> list[str]:
    rows = table.get("bin", ())
    found = (
        [row.get("path", "") for row in rows if isinstance(row, dict)]
        if isinstance(rows, list)
        else []
    )
    return [str(path) for path in found]


def _table(table: Mapping[str, object], name: str) -> dict[str, object]:
    value = table.get(name)
    return value if isinstance(value, dict) else {}


def _parsed(text: str) -> dict[str, object]:
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError):
        return {}
