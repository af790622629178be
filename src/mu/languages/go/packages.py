"""Go's packages: which folder an import path means, and which files share a package's names.

A `go.mod` gives a folder its module path; a package's path is that of its module and the folders
below. A `replace` by a folder of the repository says where a path is found whose module is called
otherwise. Without a `go.mod` only relative paths lead anywhere.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from operator import itemgetter

from mu.languages.go.native import exports
from mu.resolve import Layout, ModuleFinder, Provided, Target

MODULE_FILE = "go.mod"
_MODULE = re.compile(r"^\s*module\s+\"?([^\s\"]+)", re.MULTILINE)
_REPLACE = re.compile(r"^\s*(?:replace\s+)?(\S+)(?:\s+v\S+)?\s+=>\s+(\.{1,2}(?:/\S*)?)\s*$")
_VERSION = re.compile(r"v\d+")
_TOP = "."  # the folder at the root of the repository, as a namespace


class GoPackages(ModuleFinder):
    """Import paths, folders and files of one repository."""

    def __init__(self, layout: Layout) -> None:
        super().__init__(layout.paths)
        self._facts = layout.facts
        self._modules = told_modules(layout.manifests)
        self._package: dict[int, str] = {}
        self._files: dict[str, list[int]] = {}
        self._names: dict[str, str] = {}
        self._found: dict[tuple[str, str], Target] = {}  # by folders of importers and import paths
        folders: dict[str, list[int]] = {}
        for key, path in sorted(layout.paths.items(), key=itemgetter(1)):
            folders.setdefault(path.rpartition("/")[0], []).append(key)
        for folder, keys in folders.items():
            names = {key: layout.package_of(key) for key in keys}
            main = _main_name(names.values())
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
        parts = [_last(path), *inside.split("/")] if path else folder.split("/")
        if other:
            parts[-1] = other
        return ".".join(part for part in parts if part) or self._names[namespace]

    def find(self, importer: int, dotted: str, *, level: int = 0) -> Target:  # noqa: ARG002 - none here
        folder = self._paths[importer].rpartition("/")[0]
        found = self._found.get((folder, dotted))
        if found is None:
            found = self._found[folder, dotted] = self._find(folder, dotted)
        return found

    def _find(self, folder: str, dotted: str) -> Target:
        """What an import path means in the files of a folder."""
        if dotted.startswith("."):
            return self._in_folder(_joined(folder, dotted)) or Target(missing=dotted)
        own = self._module_of(folder)[0]
        is_below = False
        for root, path in sorted(self._modules, key=lambda one: (one[0] != own, -len(one[1]))):
            if dotted == path or dotted.startswith(f"{path}/"):
                found = self._in_folder(f"{root}{dotted[len(path) :]}".strip("/"))
                if found:
                    return found
                is_below = True
        return Target(missing=dotted) if is_below else Target(external=dotted)

    def package_of(self, file: int) -> str:
        return self._package[file]

    def files_of(self, namespace: str) -> Sequence[int]:
        return self._files.get(namespace, ())

    def called(self, importer: int, dotted: str) -> str:
        """The name that the package of an import path calls itself; empty where it is not here."""
        return self._names.get(self.find(importer, dotted).namespace, "")

    def provided(self) -> Sequence[Provided]:
        return [
            row
            for key, facts in self._facts.items()
            if facts.directives
            for row in exports(facts, key, path=self._paths[key])
        ]

    def _in_folder(self, folder: str) -> Target | None:
        namespace = folder or _TOP
        return Target(namespace=namespace) if namespace in self._files else None

    def _module_of(self, folder: str) -> tuple[str, str]:
        """The folder and the path of the module that a folder is in; empty where there is none."""
        inside = [
            (root, path)
            for root, path in self._modules
            if not root or folder == root or folder.startswith(f"{root}/")
        ]
        return max(inside, key=lambda one: len(one[0]), default=("", ""))


def package_name(path: str) -> str:
    """The name by which a package of this path is likely to call itself.

    That is the last part, less what says that it is Go and which version; source: custom.
    """
    name = _last(path)
    name = re.sub(r"\.v\d+$", "", name)
    name = re.sub(r"^go-|[-.]go$", "", name)
    return re.sub(r"\W", "_", name)


def told_modules(manifests: Mapping[str, str]) -> list[tuple[str, str]]:
    """(folder, module path) of all modules in manifests, and of folders that stand for others."""
    found: list[tuple[str, str]] = []
    for place, text in sorted(manifests.items()):
        folder = place.rpartition("/")[0]
        match = _MODULE.search(text)
        if match is not None:
            found.append((folder, match[1]))
    for place, text in sorted(manifests.items()):
        folder = place.rpartition("/")[0]
        for line in text.splitlines():
            replaced = _REPLACE.match(line.partition("//")[0])
            if replaced is not None:
                found.append((_joined(folder, replaced[2]), replaced[1]))
    return list(dict.fromkeys(found))


def _last(path: str) -> str:
    """The last part of a path that is no version."""
    parts = path.split("/")
    return parts[-2] if len(parts) > 1 and _VERSION.fullmatch(parts[-1]) else parts[-1]


def _main_name(names: Iterable[str]) -> str:
    """The name of the package of a folder: what most files say that are no tests from outside."""
    counts = Counter(names)
    return max(counts, key=lambda name: (not name.endswith("_test"), name != "main", counts[name]))


def _joined(folder: str, relative: str) -> str:
    parts = folder.split("/") if folder else []
    for part in relative.split("/"):
        if part == "..":
            parts = parts[:-1]
        elif part not in (".", ""):
            parts.append(part)
    return "/".join(parts)
