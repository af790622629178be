"""Go packages: which folder an import path refers to, and which files form a package.

A `go.mod` declares the module path of its folder; the import path of a package is the module path
and the folders below. A `replace` directive maps a module path to a folder of the repository.
Without a `go.mod`, only relative paths resolve.

Source: the Go modules reference (go.dev/ref/mod).
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from operator import itemgetter

from mu.languages.go.native import exported_symbols
from mu.resolve import Layout, ModuleFinder, Provided, Target

MODULE_FILE = "go.mod"
_MODULE = re.compile(r"^\s*module\s+\"?([^\s\"]+)", re.MULTILINE)
_REPLACE = re.compile(r"^\s*(?:replace\s+)?(\S+)(?:\s+v\S+)?\s+=>\s+(\.{1,2}(?:/\S*)?)\s*$")
_VERSION = re.compile(r"v\d+")
_TOP = "."  # the namespace of the repository's root folder


class GoPackages(ModuleFinder):
    """Resolves import paths to the folders of one repository.

    A namespace is the path of a folder, with `:name` for a package that is not its main one, such
    as `name_test`.
    """

    def __init__(self, layout: Layout) -> None:
        super().__init__(layout.paths)
        self._facts = layout.facts
        self._modules = declared_modules(layout.manifests)
        self._package: dict[int, str] = {}
        self._files: dict[str, list[int]] = {}
        self._names: dict[str, str] = {}
        self._found: dict[tuple[str, str], Target] = {}  # by folder of the importer and import path
        folders: dict[str, list[int]] = {}
        for key, path in sorted(layout.paths.items(), key=itemgetter(1)):
            folders.setdefault(path.rpartition("/")[0], []).append(key)
        for folder, keys in folders.items():
            names = {key: layout.package_of(key) for key in keys}
            main = _main_package(names.values())
            for key, name in names.items():
                package = folder or _TOP
                if name != main:
                    package = f"{package}:{name}"
                self._package[key] = package
                self._files.setdefault(package, []).append(key)
                self._names[package] = name

    def name_of(self, file: int) -> str:
        stem = self._paths[file].rpartition("/")[2].rpartition(".")[0]
        return f"{self.prefix_of(file)}.{stem}"

    def prefix_of(self, file: int) -> str:
        return self.name_of_namespace(self._package[file])

    def name_of_namespace(self, namespace: str) -> str:
        folder, _, other = namespace.partition(":")
        folder = "" if folder == _TOP else folder
        root, path = self._module_of(folder)
        inside = folder[len(root) + 1 :] if root else folder
        parts = [_last_element(path), *inside.split("/")] if path else folder.split("/")
        if other:
            parts[-1] = other
        return ".".join(part for part in parts if part) or self._names[namespace]

    def find(self, importer: int, dotted: str, *, level: int = 0) -> Target:  # noqa: ARG002 - has no levels
        folder = self._paths[importer].rpartition("/")[0]
        found = self._found.get((folder, dotted))
        if found is None:
            found = self._found[folder, dotted] = self._find(folder, dotted)
        return found

    def _find(self, folder: str, dotted: str) -> Target:
        """Resolve an import path in the files of a folder.

        Its own module comes first, then the longest module path.
        """
        if dotted.startswith("."):
            return self._in_folder(_join(folder, dotted)) or Target(missing=dotted)
        own = self._module_of(folder)[0]
        is_in_module = False
        for root, path in sorted(
            self._modules, key=lambda module: (module[0] != own, -len(module[1]))
        ):
            if dotted == path or dotted.startswith(f"{path}/"):
                found = self._in_folder(f"{root}{dotted[len(path) :]}".strip("/"))
                if found:
                    return found
                is_in_module = True
        return Target(missing=dotted) if is_in_module else Target(external=dotted)

    def package_of(self, file: int) -> str:
        return self._package[file]

    def files_of(self, namespace: str) -> Sequence[int]:
        return self._files.get(namespace, ())

    def called(self, importer: int, dotted: str) -> str:
        """Return the name that the package of an import path declares; empty if it is external."""
        return self._names.get(self.find(importer, dotted).namespace, "")

    def provided(self) -> Sequence[Provided]:
        return [
            row
            for key, facts in self._facts.items()
            if facts.directives
            for row in exported_symbols(facts, key, path=self._paths[key])
        ]

    def _in_folder(self, folder: str) -> Target | None:
        namespace = folder or _TOP
        return Target(namespace=namespace) if namespace in self._files else None

    def _module_of(self, folder: str) -> tuple[str, str]:
        """Return the (folder, module path) of the module that contains a folder; empty if none."""
        inside = [
            (root, path)
            for root, path in self._modules
            if not root or folder == root or folder.startswith(f"{root}/")
        ]
        return max(inside, key=lambda module: len(module[0]), default=("", ""))


def package_name(path: str) -> str:
    """Return the name that an external package with this import path probably declares.

    By convention it is the last part of the path, without a version and without `go` as an affix.
    """
    name = _last_element(path)
    name = re.sub(r"\.v\d+$", "", name)
    name = re.sub(r"^go-|[-.]go$", "", name)
    return re.sub(r"\W", "_", name)


def declared_modules(manifests: Mapping[str, str]) -> list[tuple[str, str]]:
    """Return the (folder, module path) of all `module` and local `replace` directives.

    `manifests` are the texts of `go.mod` files by path.
    """
    found: list[tuple[str, str]] = []
    for place, text in sorted(manifests.items()):
        folder = place.rpartition("/")[0]
        match = _MODULE.search(text)
        if match is not None:
            found.append((folder, match[1]))
    for place, text in sorted(manifests.items()):
        folder = place.rpartition("/")[0]
        for line in text.splitlines():
            replacement = _REPLACE.match(line.partition("//")[0])
            if replacement is not None:
                found.append((_join(folder, replacement[2]), replacement[1]))
    return list(dict.fromkeys(found))


def _last_element(path: str) -> str:
    """Return the last part of an import path that is not a major version suffix."""
    parts = path.split("/")
    return parts[-2] if len(parts) > 1 and _VERSION.fullmatch(parts[-1]) else parts[-1]


def _main_package(names: Iterable[str]) -> str:
    """Return the main package of a folder: the most common name, if possible no test or `main`."""
    counts = Counter(names)
    return max(counts, key=lambda name: (not name.endswith("_test"), name != "main", counts[name]))


def _join(folder: str, relative: str) -> str:
    parts = folder.split("/") if folder else []
    for part in relative.split("/"):
        if part == "..":
            parts = parts[:-1]
        elif part not in (".", ""):
            parts.append(part)
    return "/".join(parts)
