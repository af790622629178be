"""Java's packages: which file a qualified name means, and what the files of a package share.

A public class stands in a file of its name in the folder of its package, below a source root. The
roots are those the user names, the folders that build tools use (`src/main/java`), `src`, and the
repository itself. A name that is found under several roots is taken from the importer's own, then
from one of the same project; else it is nobody's guess.
"""

from collections.abc import Mapping, Sequence

from mu.resolve import ModuleFinder, Target


class JavaPackages(ModuleFinder):
    """Qualified names and files of one repository."""

    def __init__(self, paths: Mapping[int, str], roots: Sequence[str]) -> None:
        super().__init__(paths)
        self._named = tuple(root.strip("/") for root in roots)
        self._roots: dict[int, str] = {}
        self._names: dict[int, str] = {}
        self._files: dict[str, list[int]] = {}
        self._packages: set[str] = set()
        for key, path in sorted(paths.items()):
            stem = path.rpartition(".")[0]
            root = self._root_of(stem)
            name = (stem[len(root) + 1 :] if root else stem).replace("/", ".")
            self._roots[key], self._names[key] = root, name
            self._files.setdefault(name, []).append(key)
            self._packages.add(name.rpartition(".")[0])

    def name_of(self, file: int) -> str:
        return self._names[file]

    def find(self, importer: int, dotted: str, *, level: int = 0) -> Target:  # noqa: ARG002 - none here
        file = self._nearest(importer, dotted)
        if file >= 0:
            return Target(file=file)
        above = dotted.rpartition(".")[0]
        if dotted in self._packages:
            return Target(namespace=dotted)
        if above in self._packages or above in self._files:
            return Target(missing=dotted)
        return Target(external=above or dotted)

    def beside(self, file: int, name: str) -> int:
        package = self._names[file].rpartition(".")[0]
        return self._nearest(file, f"{package}.{name}" if package else name)

    def inside(self, namespace: str, name: str) -> int:
        files = self._files.get(f"{namespace}.{name}", ())
        return files[0] if len(files) == 1 else -1

    def _nearest(self, importer: int, dotted: str) -> int:
        """The file of a class, seen from another file; -1 where there is none, or too many."""
        files = self._files.get(dotted, ())
        own = self._roots[importer]
        project = own.rpartition("src/")[0]
        for root in (own, project):
            near = [file for file in files if self._roots[file].startswith(root)]
            if len(near) == 1:
                return near[0]
        return files[0] if len(files) == 1 else -1

    def _root_of(self, stem: str) -> str:
        for root in self._named:
            if root and stem.startswith(f"{root}/"):
                return root
        parts = stem.split("/")[:-1]
        if "src" not in parts:
            return ""
        place = parts.index("src")
        if parts[place + 2 : place + 3] == ["java"]:  # src/main/java, src/test/java
            place += 2
        return "/".join(parts[: place + 1])
