"""Java's packages: which file a qualified name means, and what the files of a package share.

A public class stands in a file of its name in the folder of its package, below a source root. The
package is what the text says, and the root what that leaves of the folder, however tools lay
sources out (`src/main/java`, source sets of Gradle, several modules). A file that says none belongs
to a package of its folder. A name that is found under several roots is taken from the importer's
own, then from one of the same project; else it is nobody's guess.
"""

from mu.resolve import Layout, ModuleFinder, Target

_TOP = ("com", "jakarta", "java", "javax", "net", "org")  # what names of packages begin with


class JavaPackages(ModuleFinder):
    """Qualified names and files of one repository."""

    def __init__(self, layout: Layout) -> None:
        super().__init__(layout.paths)
        self._roots: dict[int, str] = {}
        self._names: dict[int, str] = {}
        self._files: dict[str, list[int]] = {}
        self._packages: set[str] = set()
        self._above: set[str] = set()  # what the names of packages begin with
        self._found: dict[tuple[str, str], Target] = {}  # by roots of importers and names
        for key, path in sorted(layout.paths.items()):
            folder, _, file = path.rpartition("/")
            stem, is_read = file.partition(".")[0], key in layout.facts
            package = (layout.package_of(key) if is_read else "") or folder.replace("/", ".")
            self._roots[key] = _above(folder, package)
            self._names[key] = _joined(package, stem)
            parts = package.split(".")
            self._packages.add(package)
            self._above.update(".".join(parts[: n + 1]) for n in range(len(parts)))
            for name in dict.fromkeys((stem, *(layout.names_in(key) if is_read else ()))):
                self._files.setdefault(_joined(package, name), []).append(key)

    def name_of(self, file: int) -> str:
        return self._names[file]

    def find(self, importer: int, dotted: str, *, level: int = 0) -> Target:  # noqa: ARG002 - none here
        root = self._roots[importer]
        found = self._found.get((root, dotted))
        if found is None:
            found = self._found[root, dotted] = self._find(root, dotted)
        return found

    def _find(self, root: str, dotted: str) -> Target:
        """What a name means in the files below a source root."""
        above, inside = dotted, ""
        while above:
            file = self._nearest(root, above)
            if file >= 0:
                names = dotted[len(above.rpartition(".")[0]) :].lstrip(".")
                return Target(file=file, inside=tuple(names.split(".")))
            if above in self._packages and (not inside or inside[:1].isupper()):
                return Target(missing=dotted) if inside else Target(namespace=above)
            above, _, inside = above.rpartition(".")
        return _outside(dotted)

    def submodule(self, parent: Target, name: str) -> Target | None:
        if not parent.namespace:
            return None
        dotted = f"{parent.namespace}.{name}"
        file = self.inside(parent.namespace, name)
        if file >= 0:
            return Target(file=file, inside=(name,))
        if dotted in self._above:
            return Target(namespace=dotted)
        return None if parent.namespace in self._packages else Target(external=dotted)

    def module_called(self, file: int, name: str) -> Target | None:  # noqa: ARG002 - the same in all
        if name in self._above:
            return Target(namespace=name)
        return Target(external=name) if name in _TOP else None

    def is_type_in_full(self, dotted: str) -> bool:
        target = _outside(dotted)
        package = target.external
        return bool(target.inside) and package.islower() and package not in self._above

    def beside(self, file: int, name: str) -> int:
        package = self._names[file].rpartition(".")[0]
        return self._nearest(self._roots[file], _joined(package, name))

    def inside(self, namespace: str, name: str) -> int:
        files = self._files.get(f"{namespace}.{name}", ())
        return files[0] if len(files) == 1 else -1

    def _nearest(self, own: str, dotted: str) -> int:
        """The file of a class, seen from below a root; -1 where there is none, or too many."""
        files = self._files.get(dotted, ())
        project = own.rpartition("src/")[0]
        for root in (own, project):
            near = [file for file in files if self._roots[file].startswith(root)]
            if len(near) == 1:
                return near[0]
        return files[0] if len(files) == 1 else -1


def _outside(dotted: str) -> Target:
    """A name that nothing here has: a package, or a class in one, by how the names begin."""
    parts = dotted.split(".")
    count = next((n for n, part in enumerate(parts) if part[:1].isupper()), len(parts))
    return Target(external=".".join(parts[:count]) or dotted, inside=tuple(parts[count:]))


def _joined(package: str, name: str) -> str:
    return f"{package}.{name}" if package else name


def _above(folder: str, package: str) -> str:
    """The folder that a package begins in."""
    inside = package.replace(".", "/")
    return folder.removesuffix(inside) if f"/{folder}".endswith(f"/{inside}") else folder
