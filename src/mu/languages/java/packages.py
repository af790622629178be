"""Java packages: which file a qualified name refers to, and which files form a package.

A public class is in a file of its name, in the folder of its package below a source root. The
package is the declared one; the root is the rest of the folder's path, whatever the layout
(`src/main/java`, source sets of Gradle, several modules). A file without a declaration has the
package of its folder. If several roots have a name, the importer's own root has precedence, then
those of the same project; otherwise the name is ambiguous and not resolved.
"""

from mu.resolve import Layout, ModuleFinder, Target

_TOP_LEVEL = ("com", "jakarta", "java", "javax", "net", "org")  # first parts of package names


class JavaPackages(ModuleFinder):
    """Resolves qualified names to the files of one repository."""

    def __init__(self, layout: Layout) -> None:
        super().__init__(layout.paths)
        self._roots: dict[int, str] = {}
        self._names: dict[int, str] = {}
        self._files: dict[str, list[int]] = {}
        self._packages: set[str] = set()
        self._prefixes: set[str] = set()  # of the names of packages
        self._found: dict[tuple[str, str], Target] = {}  # by root of the importer and name
        for key, path in sorted(layout.paths.items()):
            folder, _, file = path.rpartition("/")
            stem, has_facts = file.partition(".")[0], key in layout.facts
            package = (layout.package_of(key) if has_facts else "") or folder.replace("/", ".")
            self._roots[key] = _source_root(folder, package)
            self._names[key] = _join(package, stem)
            parts = package.split(".")
            self._packages.add(package)
            self._prefixes.update(".".join(parts[: n + 1]) for n in range(len(parts)))
            for name in dict.fromkeys((stem, *(layout.names_in(key) if has_facts else ()))):
                self._files.setdefault(_join(package, name), []).append(key)

    def name_of(self, file: int) -> str:
        return self._names[file]

    def find(self, importer: int, dotted: str, *, level: int = 0) -> Target:  # noqa: ARG002 - has no levels
        root = self._roots[importer]
        found = self._found.get((root, dotted))
        if found is None:
            found = self._found[root, dotted] = self._find(root, dotted)
        return found

    def _find(self, root: str, dotted: str) -> Target:
        """Resolve a name in the files below a source root."""
        prefix, following = dotted, ""
        while prefix:
            file = self._nearest(root, prefix)
            if file >= 0:
                names = dotted[len(prefix.rpartition(".")[0]) :].lstrip(".")
                return Target(file=file, inside=tuple(names.split(".")))
            if prefix in self._packages and (not following or following[:1].isupper()):
                return Target(missing=dotted) if following else Target(namespace=prefix)
            prefix, _, following = prefix.rpartition(".")
        return _external(dotted)

    def submodule(self, parent: Target, name: str) -> Target | None:
        if not parent.namespace:
            return None
        dotted = f"{parent.namespace}.{name}"
        file = self.inside(parent.namespace, name)
        if file >= 0:
            return Target(file=file, inside=(name,))
        if dotted in self._prefixes:
            return Target(namespace=dotted)
        return None if parent.namespace in self._packages else Target(external=dotted)

    def module_called(self, file: int, name: str) -> Target | None:  # noqa: ARG002 - the same in all files
        if name in self._prefixes:
            return Target(namespace=name)
        return Target(external=name) if name in _TOP_LEVEL else None

    def is_type_in_full(self, dotted: str) -> bool:
        target = _external(dotted)
        package = target.external
        return bool(target.inside) and package.islower() and package not in self._prefixes

    def beside(self, file: int, name: str) -> int:
        package = self._names[file].rpartition(".")[0]
        return self._nearest(self._roots[file], _join(package, name))

    def inside(self, namespace: str, name: str) -> int:
        files = self._files.get(f"{namespace}.{name}", ())
        return files[0] if len(files) == 1 else -1

    def _nearest(self, own: str, dotted: str) -> int:
        """Return the file of a class for importers below a root; -1 if none or ambiguous."""
        files = self._files.get(dotted, ())
        project = own.rpartition("src/")[0]
        for root in (own, project):
            near = [file for file in files if self._roots[file].startswith(root)]
            if len(near) == 1:
                return near[0]
        return files[0] if len(files) == 1 else -1


def _external(dotted: str) -> Target:
    """Return the target of a name outside the repository: packages begin with a small letter."""
    parts = dotted.split(".")
    count = next((n for n, part in enumerate(parts) if part[:1].isupper()), len(parts))
    return Target(external=".".join(parts[:count]) or dotted, inside=tuple(parts[count:]))


def _join(package: str, name: str) -> str:
    return f"{package}.{name}" if package else name


def _source_root(folder: str, package: str) -> str:
    """Return the source root of a folder: its path without that of its package."""
    inside = package.replace(".", "/")
    return folder.removesuffix(inside) if f"/{folder}".endswith(f"/{inside}") else folder
