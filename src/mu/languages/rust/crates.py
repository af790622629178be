"""Rust crates and modules: which file a path refers to, depending on the importing file.

The root of a crate is a file that the manifest names or that Cargo finds by convention; each file
in a folder of tests, examples or binaries is a crate root. A module `a` is in `a.rs` or `a/mod.rs`:
beside its parent if this is `lib.rs`, `main.rs` or `mod.rs`, and in the folder `b` if this is
`b.rs`. Files are modules whether or not they are declared (`mod a;`), and `#[path]` attributes are
ignored.

Sources: the Rust reference, "Modules"; the Cargo book, "Package Layout".
"""

import tomllib
from collections.abc import Mapping, Sequence

from mu.languages.rust.native import (
    Crate,
    exported_symbols,
    extension_members,
    extension_module_name,
)
from mu.model.facts import Definition, FileFacts
from mu.resolve import Layout, ModuleFinder, Provided, Target

MANIFEST = "Cargo.toml"
_FIRST_EDITION = "2015"  # the default
_DEPENDENCIES = ("dependencies", "dev-dependencies", "build-dependencies")
_MACRO = "macro"
_CRATE_FOLDERS = ("tests", "examples", "benches", "src/bin")  # each file is a crate


class RustCrates(ModuleFinder):
    """Resolves paths, with dots for `::`, to the files of one repository."""

    def __init__(self, layout: Layout) -> None:
        super().__init__(layout.paths)
        self._files = {path: key for key, path in layout.paths.items()}
        tables = {
            place.rpartition("/")[0]: _parse(text)
            for place, text in layout.manifests.items()
            if place.rpartition("/")[2] == MANIFEST
        }
        self._layout = layout
        self._inline = {
            key: frozenset(row.name for row in facts.definitions if _is_inline(row))
            for key, facts in layout.facts.items()
        }
        self._items = {key: _items(facts) for key, facts in layout.facts.items()}
        self._packages = {folder: table for folder, table in tables.items() if "package" in table}
        self._workspace_dependencies = _table(
            _table(tables.get("", {}), "workspace"), "dependencies"
        )
        self._crates = {
            self._crate_name(folder): root
            for folder in self._packages
            if (root := self._library_root(folder)) >= 0
        }
        self._declaring_files = _declaring_files(layout)
        self._roots = {key: self._find_root(path) for key, path in layout.paths.items()}
        self._names = {key: self._find_name(key) for key in layout.paths}
        self._macros = self._find_macros(layout.facts)

    def name_of(self, file: int) -> str:
        return self._names[file]

    def find(self, importer: int, dotted: str, *, level: int = 0) -> Target:  # noqa: ARG002 - has no levels
        first, *rest = dotted.split(".")
        if not first and rest:
            return self._resolve_global(importer, rest)
        if first in self._inline.get(importer, ()):
            return self._resolve_names(importer, [first, *rest])
        start = self._resolve_first(importer, first)
        if isinstance(start, Target):
            module = self._path_start(importer)
            if first in self._items.get(module, ()) and first not in self._dependencies(importer):
                return self._resolve_names(module, [first, *rest])
            if start.external:
                return Target(external=dotted)
            return start
        return self._resolve_names(start, rest)

    def _resolve_global(self, importer: int, names: list[str]) -> Target:
        """Resolve a path that begins with `::`.

        In the 2015 edition it starts at the crate root, which also binds external crates; in later
        editions only at external crates.
        """
        root, first = self._roots[importer], names[0]
        is_external_only = not self._is_of_first_edition(importer)
        if not is_external_only and (
            first in self._inline[root] or self._module_file(root, first) >= 0
        ):
            return self._resolve_names(root, names)
        known = self._dependencies(importer)
        crate = self._crates.get(known.get(first, first), -1)
        if crate >= 0:
            return self._resolve_names(crate, names[1:])
        if is_external_only or first in known or first in _STANDARD_CRATES:
            return Target(external=".".join(names))
        return self._resolve_names(root, names)

    def _path_start(self, importer: int) -> int:
        """Return the file where paths begin: the importer, or in the 2015 edition the root."""
        return self._roots[importer] if self._is_of_first_edition(importer) else importer

    def _is_of_first_edition(self, file: int) -> bool:
        table = _table(self._packages.get(self._package_of(self._paths[file]), {}), "package")
        return table.get("edition", _FIRST_EDITION) == _FIRST_EDITION

    def submodule(self, parent: Target, name: str) -> Target | None:
        file = (
            self._module_file(parent.file, name) if parent.file >= 0 and not parent.inside else -1
        )
        return Target(file=file) if file >= 0 else None

    def module_called(self, file: int, name: str) -> Target | None:
        start = self._resolve_first(file, name)
        if isinstance(start, int):
            return Target(file=start)
        return start if name in self._dependencies(file) or name in _STANDARD_CRATES else None

    def beside(self, file: int, name: str) -> int:
        return self._macros.get((self._roots[file], name), -1)

    def is_package(self, file: int) -> bool:
        return self._roots[file] == file

    def provided(self) -> Sequence[Provided]:
        found = [
            row
            for key, facts in self._layout.facts.items()
            for row in exported_symbols(facts, key, crate=self._crate_of(key)[0])
        ]
        manifests = self._layout.manifests
        found += extension_members(self._layout.facts, crate_of=self._crate_of, manifests=manifests)
        return found

    def _crate_of(self, file: int) -> Crate:
        package = self._package_of(self._paths[self._roots[file]])
        return self._crate_name(package) if package in self._packages else "", package

    def _resolve_names(self, file: int, names: list[str]) -> Target:
        """Resolve names inside a module, as far as they are modules with files."""
        for place, name in enumerate(names):
            below = self._module_file(file, name)
            if below < 0:
                return Target(file=file, inside=tuple(names[place:]))
            file = below
        return Target(file=file)

    def _module_file(self, file: int, name: str) -> int:
        """Return the file of the module that a name refers to in a module; -1 if it has no file."""
        if name == "self":
            return file
        if name == "super":
            return self._parent(file)
        folder = self._submodule_folder(file)
        for path in (f"{folder}{name}.rs", f"{folder}{name}/mod.rs"):
            if path in self._files:
                return self._files[path]
        return -1

    def _resolve_first(self, importer: int, name: str) -> int | Target:
        """Return the file that the first name of a path refers to, or an external target."""
        if name == "crate":
            return self._roots[importer]
        if name in ("self", "super"):
            return self._module_file(importer, name)
        below = self._module_file(importer, name)
        if below >= 0:
            return below
        alias = self._dependencies(importer).get(name, name)
        if alias in self._crates:
            return self._crates[alias]
        return Target(external=name)

    def _submodule_folder(self, file: int) -> str:
        """Return the folder with the submodules of a file; it ends with a slash, or is empty."""
        folder, _, name = self._paths[file].rpartition("/")
        folder = f"{folder}/" if folder else ""
        if name == "mod.rs" or self._roots.get(file, file) == file:
            return folder
        return f"{folder}{name.removesuffix('.rs')}/"

    def _parent(self, file: int) -> int:
        """Return the file of the parent module; the crate root if there is none."""
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
        """Return the root file of the crate of a file: itself, or one in a folder above."""
        package = self._package_of(path)
        inside = path[len(package) + 1 :] if package else path
        for crates in _CRATE_FOLDERS:
            if inside.startswith(f"{crates}/"):
                top = inside[len(crates) + 1 :].partition("/")[0]
                start = f"{package}/{crates}/{top}".lstrip("/")
                main = self._files.get(f"{start}/main.rs", self._declaring_files.get(start))
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
        """Return the folder of the nearest package manifest above a file."""
        folder = path.rpartition("/")[0]
        while folder and folder not in self._packages:
            folder = folder.rpartition("/")[0]
        return folder

    def _library_root(self, folder: str) -> int:
        """Return the root file of the library crate of a package; -1 if there is none."""
        path = str(_table(self._packages[folder], "lib").get("path", "src/lib.rs"))
        return self._files.get(f"{folder}/{path}".lstrip("/"), -1)

    def _crate_name(self, folder: str) -> str:
        """Return the name of the library crate of a package."""
        table = self._packages[folder]
        name = _table(table, "lib").get("name") or _table(table, "package").get("name", "")
        return str(name).replace("-", "_")

    def _dependencies(self, file: int) -> Mapping[str, str]:
        """Return the crates that a file may refer to, by their local names."""
        package = self._package_of(self._paths[file])
        table = self._packages.get(package, {})
        found = {self._crate_name(package): self._crate_name(package)} if table else {}
        for key in _DEPENDENCIES:
            for name, settings in _table(table, key).items():
                inherited = self._workspace_dependencies.get(name, {})
                merged = {**(inherited if isinstance(inherited, dict) else {})}
                merged |= settings if isinstance(settings, dict) else {}
                own = str(merged.get("package", name)).replace("-", "_")
                found[name.replace("-", "_")] = own
        return found

    def _find_name(self, file: int) -> str:
        """Return the dotted name of a module: its crate, and the path from the crate root."""
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
        """Return the files that define macros, by (crate root, name); -1 if several do."""
        found: dict[tuple[int, str], int] = {}
        for key, known in facts.items():
            for row in known.definitions:
                if row.subkind == _MACRO:
                    place = (self._roots[key], row.name)
                    found[place] = key if found.get(place, key) == key else -1
        return found


def crate_settings(path: str, text: str) -> list[object]:
    """Return what `RustCrates` reads of a manifest, as plain values."""
    if path.rpartition("/")[2] != MANIFEST:
        return [extension_module_name(text)]
    table = _parse(text)
    package, library = _table(table, "package"), _table(table, "lib")
    workspace = _table(table, "workspace")
    listed = [_table(table, key) for key in _DEPENDENCIES] + [_table(workspace, "dependencies")]
    return [
        "package" in table,
        *(str(package.get(key)) for key in ("name", "edition")),
        *(str(library.get(key)) for key in ("name", "path")),
        _binaries(table),
        [[(name, _original_name(settings)) for name, settings in one.items()] for one in listed],
    ]


def _original_name(settings: object) -> str:
    """Return the crate that a renamed dependency refers to; empty if it is not renamed."""
    return str(settings.get("package", "")) if isinstance(settings, dict) else ""


def _declaring_files(layout: Layout) -> dict[str, int]:
    """Return the files that declare modules, by the paths of these, with and without `.rs`."""
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
    """Return whether a definition is a top-level inline module."""
    return row.subkind == "namespace" and not row.scope


def _items(facts: FileFacts) -> frozenset[str]:
    """Return the names of a module that paths may begin with, but for those of other modules."""
    found = {row.name for row in facts.definitions if row.kind == "class" and not row.scope}
    for row in facts.imports:
        name = row.local or row.name
        if row.name and not row.scope and row.module.partition(".")[0] != name:
            found.add(name)
    return frozenset(found)


_STANDARD_CRATES = ("std", "core", "alloc")


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


def _parse(text: str) -> dict[str, object]:
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError):
        return {}
