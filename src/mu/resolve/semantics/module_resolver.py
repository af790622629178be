"""Module resolution: from the name in an import to a file, as each language defines it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from mu.model.facts import FileFacts
from mu.resolve.semantics.foreign_symbols import Provided


@dataclass(frozen=True, slots=True)
class Target:
    """What a dotted module name resolves to.

    Exactly one of these is set: `file` (a key), `namespace` (dotted, a folder of modules),
    `external` (dotted), or `missing` (dotted: it should be in the repository and is not). `inside`
    are the rest of the names, to be looked up as members of it.
    """

    file: int = -1
    namespace: str = ""
    external: str = ""
    missing: str = ""
    inside: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Layout:
    """The input of module resolution for one language.

    `paths` and `facts` are of its files, by key; `roots` are the configured folders for imports;
    `manifests` has the texts of those in the folders of the files and above, by path. `outlined`
    has the package and the top-level names of files that declare a package; their facts are not
    read for these.
    """

    paths: Mapping[int, str]
    facts: Mapping[int, FileFacts]
    roots: Sequence[str] = ()
    manifests: Mapping[str, str] = field(default_factory=dict)
    outlined: Mapping[int, tuple[str, Sequence[str]]] = field(default_factory=dict)

    def package_of(self, key: int) -> str:
        """Return the package that a file declares; empty if it declares none."""
        known = self.outlined.get(key)
        return self.facts[key].package if known is None else known[0]

    def names_in(self, key: int) -> Sequence[str]:
        """Return the names of a file's top-level definitions, each once, in order."""
        known = self.outlined.get(key)
        return top_names(self.facts[key]) if known is None else known[1]


def top_names(facts: FileFacts) -> list[str]:
    """Return the names of a file's top-level definitions, each once, in order."""
    return [*dict.fromkeys(row.name for row in facts.definitions if not row.scope)]


class ModuleFinder:
    """Finds modules by name.

    By default a file has the name of its path, absolute imports are external, relative ones
    missing.
    """

    def __init__(self, paths: Mapping[int, str]) -> None:
        self._paths = paths

    def name_of(self, file: int) -> str:
        """Return the dotted name of a file's module."""
        return self._paths[file].rpartition(".")[0].replace("/", ".")

    def find(self, importer: int, dotted: str, *, level: int = 0) -> Target:
        """Resolve the module `dotted`, with `level` leading dots, in the file `importer`."""
        return Target(missing="." * level + dotted) if level else Target(external=dotted)

    def submodule(self, parent: Target, name: str) -> Target | None:
        """Return the module `name` inside a package or namespace, or None."""
        return None

    def module_called(self, file: int, name: str) -> Target | None:
        """Return the module that an unbound bare name refers to in a file, or None."""
        return None

    def is_type_in_full(self, dotted: str) -> bool:
        """Return whether an unbound type is written with its external package."""
        return False

    def called(self, importer: int, dotted: str) -> str:
        """Return the name that a module declares for importers; empty: use `bound_name`."""
        return ""

    def prefix_of(self, file: int) -> str:
        """Return the dotted prefix of the qualified names of a file's definitions."""
        return self.name_of(file)

    def name_of_namespace(self, namespace: str) -> str:
        """Return the dotted name of a namespace."""
        return namespace.replace("/", ".")

    def package_of(self, file: int) -> str:
        """Return the namespace of a file whose files share their names; empty if there is none."""
        return ""

    def files_of(self, namespace: str) -> Sequence[int]:
        """Return the files of a namespace that share their names."""
        return ()

    def beside(self, file: int, name: str) -> int:
        """Return the file that defines `name` for all files of the package of `file`, or -1."""
        return -1

    def inside(self, namespace: str, name: str) -> int:
        """Return the file of a namespace that defines `name` for wildcard imports, or -1."""
        return -1

    def packages_of(self, file: int) -> tuple[int, ...]:
        """Return the files of the packages above a module, which run before it, outermost first."""
        return ()

    def is_package(self, file: int) -> bool:
        """Return whether a module contains other modules."""
        return False

    def provided(self) -> Sequence[Provided]:
        """Return the definitions in these files that other languages can refer to by symbols."""
        return ()
