"""Python's modules: which file a dotted name means, from where it is imported.

A package is a folder with `__init__.py`; the folder above the outermost package is a root of
imports. From a file a name is looked for first where running that file would look: under its own
root. Then under the repository, `src`, and the roots the user names; last under the roots of
packages elsewhere in the repository, for packages alone, since nobody can import their loose
scripts. A name found under several such roots is nobody's guess: it stays external.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property

from mu.resolve import ModuleFinder, Target

_INIT = "__init__"
_USUAL_ROOTS = ("", "src", "lib")


class PythonModules(ModuleFinder):
    """Dotted names and files of one repository."""

    def __init__(
        self,
        paths: Mapping[int, str],
        roots: Sequence[str],
        stdlib: frozenset[str],
        *,
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
        self._roots = tuple(dict.fromkeys((*(root.strip("/") for root in roots), *_USUAL_ROOTS)))
        places = {folder: (self._root_of(folder), folder) for folder in folders}
        self._places = {key: places[stem.rpartition("/")[0]] for key, stem in self._stems.items()}
        self._found: dict[tuple[tuple[str, str], int, str], Target] = {}
        self._above: dict[int, tuple[int, ...]] = {}

    @cached_property
    def _package_roots(self) -> tuple[str, ...]:
        """Roots above packages, other than those every file may use."""
        tops = {self._root_of(package) for package in self._packages}
        return tuple(sorted(tops - set(self._roots)))

    def _serves(self, root: str, own: str) -> bool:
        """Tell whether a root serves files whose own root is `own`; an installed one serves all."""
        is_installed = f"{root}/setup" in self._by_stem or root.rpartition("/")[2] in _USUAL_ROOTS
        return is_installed or own.startswith(f"{root}/")

    def name_of(self, file: int) -> str:
        stem = self._stems[file].removesuffix(f"/{_INIT}")
        root, _ = self._places[file]
        if stem.rpartition("/")[0] == root and root not in self._roots:
            root = self._namespace_root("")  # a loose file: by its path, which tells it apart
        return (stem[len(root) + 1 :] if root else stem).replace("/", ".") or _INIT

    def find(self, importer: int, dotted: str, *, level: int = 0) -> Target:
        place = (self._places[importer], level, dotted)
        found = self._found.get(place)
        if found is None:
            own, folder = place[0]
            if level:
                found = self._find_relative(own, folder, level, dotted)
            else:
                # scripts find what lies beside them
                beside = own if folder in self._packages else folder
                found = self._find_absolute(own, beside, dotted)
            if found.missing and self._native:
                found = self._as_native(importer, dotted, level) or found
            self._found[place] = found
        return found

    def _as_native(self, importer: int, dotted: str, level: int) -> Target | None:
        """The module of native code that is missing among the files."""
        *package, _ = [*self.name_of(importer).split("."), *[""] * self.is_package(importer)]
        above = package[: len(package) - level + 1] if level else []
        name = ".".join((*above, *filter(None, (dotted,))))
        return Target(external=name) if name in self._native else None

    def submodule(self, parent: Target, name: str) -> Target | None:
        if parent.file >= 0:
            stem = self._stems[parent.file]
            if stem != _INIT and not stem.endswith(f"/{_INIT}"):
                return None
            found = self._at(f"{stem.removesuffix(_INIT)}{name}")
            if found is None and self._native:
                dotted = f"{self.name_of(parent.file)}.{name}"
                return Target(external=dotted) if dotted in self._native else None
            return found
        folder = parent.namespace
        return self._at(f"{folder}/{name}") if folder else None

    def packages_of(self, file: int) -> tuple[int, ...]:
        known = self._above.get(file)
        if known is not None:
            return known
        stem = self._stems[file].removesuffix(f"/{_INIT}")
        holding = _ancestors(stem.rpartition("/")[0])
        above = (f"{folder}/{_INIT}" for folder in holding if folder in self._packages)
        found = self._above[file] = tuple(self._by_stem[init] for init in above)
        return found

    def is_package(self, file: int) -> bool:
        return self._stems[file].rpartition("/")[2] == _INIT

    def _root_of(self, folder: str) -> str:
        """The folder above the outermost package that holds files of `folder`, those in between
        included.
        """
        above = [place for place in _ancestors(folder) if place in self._packages]
        if above:
            return above[0].rpartition("/")[0]
        return "" if not folder and "" in self._packages else self._namespace_root(folder)

    def _namespace_root(self, folder: str) -> str:
        """Under one of the usual roots, folders without `__init__.py` are namespace packages."""
        for root in self._roots:
            if root and (folder == root or folder.startswith(f"{root}/")):
                return root
        return folder

    def _find_relative(self, root: str, start: str, level: int, dotted: str) -> Target:
        folder = start
        shown = "." * level + dotted
        for _ in range(level - 1):
            if not folder or folder == root:
                return Target(missing=shown)
            folder = folder.rpartition("/")[0]
        if folder == root and folder != start:
            return Target(missing=shown)
        place = "/".join(filter(None, (folder, dotted.replace(".", "/"))))
        return self._at(place) or Target(missing=shown)

    def _find_absolute(self, own: str, beside: str, dotted: str) -> Target:
        path = dotted.replace(".", "/")
        first = path.partition("/")[0]
        own_target = self._under(own, path)
        if beside != own and (own_target is None or own_target.file < 0):
            near = self._under(beside, path)
            own_target = near if near is not None and near.file >= 0 else own_target
        if own_target is not None and own_target.file >= 0:
            return own_target
        if self._has_package(own, first):
            return own_target or Target(missing=dotted)
        if first in self._stdlib:
            return Target(external=dotted)
        namespace = own_target
        for root in self._roots:
            target = self._under(root, path)
            if target is not None and target.file >= 0:
                return target
            if self._has_package(root, first):
                return target or Target(missing=dotted)
            namespace = namespace or target
        elsewhere = self._under_package_roots(own, path, dotted)
        return elsewhere or namespace or Target(external=dotted)

    def _under_package_roots(self, own: str, path: str, dotted: str) -> Target | None:
        first = path.partition("/")[0]
        holders = [
            root
            for root in self._package_roots
            if self._has_package(root, first) and self._serves(root, own)
        ]
        if len(holders) != 1:
            return None
        return self._under(holders[0], path) or Target(missing=dotted)

    def _has_package(self, root: str, first: str) -> bool:
        return (f"{root}/{first}" if root else first) in self._packages

    def _under(self, root: str, path: str) -> Target | None:
        return self._at(f"{root}/{path}" if root else path)

    def _at(self, place: str) -> Target | None:
        """The package, module or namespace at a path without its extension."""
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
    """A folder and those above it but the root, outermost first."""
    parts = folder.split("/") if folder else []
    return ["/".join(parts[: n + 1]) for n in range(len(parts))]
