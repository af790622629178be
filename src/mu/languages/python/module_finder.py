"""Python modules: which file a dotted name refers to, depending on the importing file.

A package is a folder with `__init__.py`; the folder above the outermost package is an import root.
A name is looked up first under the root of the importing file, as when that file is run; then
under the configured roots, the repository and its folders `src` and `lib`; last under the roots of
other packages in the repository, but only for packages, since their scripts cannot be imported. A
name under several of these last roots is ambiguous and therefore external.

Source: the language reference, chapter 5 "The import system".
"""

from collections.abc import Mapping, Sequence
from functools import cached_property

from mu.resolve import ModuleFinder, Target

_INIT = "__init__"
_SHARED_ROOTS = ("", "src", "lib")


class PythonModules(ModuleFinder):
    """Resolves dotted names to the files of one repository."""

    def __init__(
        self,
        paths: Mapping[int, str],
        roots: Sequence[str],
        *,
        stdlib: frozenset[str],
        native: frozenset[str] = frozenset(),
    ) -> None:
        super().__init__(paths)
        self._native = native
        self._stdlib = stdlib
        self._stems = {key: _stem(path) for key, path in sorted(paths.items())}
        self._by_stem: dict[str, int] = {}
        for key in sorted(paths, key=lambda key: paths[key].endswith(".pyi")):
            self._by_stem.setdefault(self._stems[key], key)
        self._packages = {
            stem.removesuffix(_INIT).rstrip("/")
            for stem in self._by_stem
            if stem.rpartition("/")[2] == _INIT
        }
        folders = {stem.rpartition("/")[0] for stem in self._by_stem}
        self._folders = {above for folder in folders for above in _ancestors(folder)}
        self._roots = tuple(dict.fromkeys((*(root.strip("/") for root in roots), *_SHARED_ROOTS)))
        places = {folder: (self._root_of(folder), folder) for folder in folders}
        self._places = {key: places[stem.rpartition("/")[0]] for key, stem in self._stems.items()}
        self._found: dict[tuple[tuple[str, str], int, str], Target] = {}
        self._enclosing_packages: dict[int, tuple[int, ...]] = {}

    @cached_property
    def _package_roots(self) -> tuple[str, ...]:
        """The import roots of packages, without those that all files share."""
        roots = {self._root_of(package) for package in self._packages}
        return tuple(sorted(roots - set(self._roots)))

    def _can_import_from(self, root: str, own: str) -> bool:
        """Return whether files whose root is `own` can import from a root; all can if installed."""
        is_installed = f"{root}/setup" in self._by_stem or root.rpartition("/")[2] in _SHARED_ROOTS
        return is_installed or own.startswith(f"{root}/")

    def name_of(self, file: int) -> str:
        stem = self._stems[file].removesuffix(f"/{_INIT}")
        root, _ = self._places[file]
        if stem.rpartition("/")[0] == root and root not in self._roots:
            root = self._namespace_root("")  # a script: its path makes the name unique
        return (stem[len(root) + 1 :] if root else stem).replace("/", ".") or _INIT

    def find(self, importer: int, dotted: str, *, level: int = 0) -> Target:
        place = (self._places[importer], level, dotted)
        found = self._found.get(place)
        if found is None:
            own, folder = place[0]
            if level:
                found = self._find_relative(own, folder, level, dotted)
            else:
                # scripts can import files in their own folder
                beside = own if folder in self._packages else folder
                found = self._find_absolute(own, beside, dotted)
            if found.missing and self._native:
                found = self._native_module(importer, dotted, level) or found
            self._found[place] = found
        return found

    def _native_module(self, importer: int, dotted: str, level: int) -> Target | None:
        """Return the native module of this name as an external target, or None."""
        *package, _ = [*self.name_of(importer).split("."), *[""] * self.is_package(importer)]
        above = package[: len(package) - level + 1] if level else []
        name = ".".join((*above, *filter(None, (dotted,))))
        return Target(external=name) if name in self._native else None

    def submodule(self, parent: Target, name: str) -> Target | None:
        if parent.file >= 0:
            stem = self._stems[parent.file]
            if stem != _INIT and not stem.endswith(f"/{_INIT}"):
                return None
            found = self._target_at(f"{stem.removesuffix(_INIT)}{name}")
            if found is None and self._native:
                dotted = f"{self.name_of(parent.file)}.{name}"
                return Target(external=dotted) if dotted in self._native else None
            return found
        folder = parent.namespace
        return self._target_at(f"{folder}/{name}") if folder else None

    def packages_of(self, file: int) -> tuple[int, ...]:
        known = self._enclosing_packages.get(file)
        if known is not None:
            return known
        stem = self._stems[file].removesuffix(f"/{_INIT}")
        ancestors = _ancestors(stem.rpartition("/")[0])
        above = (f"{folder}/{_INIT}" for folder in ancestors if folder in self._packages)
        found = self._enclosing_packages[file] = tuple(self._by_stem[init] for init in above)
        return found

    def is_package(self, file: int) -> bool:
        return self._stems[file].rpartition("/")[2] == _INIT

    def _root_of(self, folder: str) -> str:
        """Return the import root of a folder: the one above its outermost package.

        Folders between two packages count as part of the outer one.
        """
        above = [place for place in _ancestors(folder) if place in self._packages]
        if above:
            return above[0].rpartition("/")[0]
        return "" if not folder and "" in self._packages else self._namespace_root(folder)

    def _namespace_root(self, folder: str) -> str:
        """Return the root of a folder outside packages: a shared root above, or the folder itself.

        Below a shared root, folders without `__init__.py` are namespace packages.
        """
        for root in self._roots:
            if root and (folder == root or folder.startswith(f"{root}/")):
                return root
        return folder

    def _find_relative(self, root: str, start: str, level: int, dotted: str) -> Target:
        folder = start
        written = "." * level + dotted
        for _ in range(level - 1):
            if not folder or folder == root:
                return Target(missing=written)
            folder = folder.rpartition("/")[0]
        if folder == root and folder != start:
            return Target(missing=written)
        place = "/".join(filter(None, (folder, dotted.replace(".", "/"))))
        return self._target_at(place) or Target(missing=written)

    def _find_absolute(self, own: str, beside: str, dotted: str) -> Target:
        path = dotted.replace(".", "/")
        first = path.partition("/")[0]
        own_target = self._target_under(own, path)
        if beside != own and (own_target is None or own_target.file < 0):
            neighbour = self._target_under(beside, path)
            own_target = neighbour if neighbour is not None and neighbour.file >= 0 else own_target
        if own_target is not None and own_target.file >= 0:
            return own_target
        if self._has_package(own, first):
            return own_target or Target(missing=dotted)
        if first in self._stdlib:
            return Target(external=dotted)
        namespace = own_target
        for root in self._roots:
            target = self._target_under(root, path)
            if target is not None and target.file >= 0:
                return target
            if self._has_package(root, first):
                return target or Target(missing=dotted)
            namespace = namespace or target
        elsewhere = self._under_package_roots(own, path, dotted)
        return elsewhere or namespace or Target(external=dotted)

    def _under_package_roots(self, own: str, path: str, dotted: str) -> Target | None:
        first = path.partition("/")[0]
        candidates = [
            root
            for root in self._package_roots
            if self._has_package(root, first) and self._can_import_from(root, own)
        ]
        if len(candidates) != 1:
            return None
        return self._target_under(candidates[0], path) or Target(missing=dotted)

    def _has_package(self, root: str, first: str) -> bool:
        return (f"{root}/{first}" if root else first) in self._packages

    def _target_under(self, root: str, path: str) -> Target | None:
        return self._target_at(f"{root}/{path}" if root else path)

    def _target_at(self, place: str) -> Target | None:
        """Return the package, module or namespace at a path without extension."""
        if not place:
            file = self._by_stem.get(_INIT)
        else:
            file = self._by_stem.get(f"{place}/{_INIT}", self._by_stem.get(place))
        if file is not None:
            return Target(file=file)
        return Target(namespace=place) if place in self._folders else None


def _stem(path: str) -> str:
    return path.rpartition(".")[0]


def _ancestors(folder: str) -> list[str]:
    """Return a folder and those above it, outermost first, without the repository root."""
    parts = folder.split("/") if folder else []
    return ["/".join(parts[: n + 1]) for n in range(len(parts))]
