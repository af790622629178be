"""Module resolution: from the name in an import to a file, as each language defines it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from mu.model.facts import FileFacts
from mu.resolve.semantics.foreign_symbols import Provided


@dataclass(frozen=True, slots=True)
class Target:
    """What a dotted module name leads to.

    Exactly one is set beside `inside`, which are the names that lead further in from there:
    `file` (a key), `namespace` (dotted, a folder of modules), `external`
    (dotted), or `missing` (dotted: it should be here and is not).
    """

    file: int = -1
    namespace: str = ""
    external: str = ""
    missing: str = ""
    inside: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Layout:
    """What the modules of a language are found by.

    `paths` and `facts` are of its files, by key; `roots` are the folders that the user names;
    `manifests` has the text of those that lie beside the files and above them, by path. `outlined`
    are the package of a file and the names that it defines, of files that name a package: their
    facts are read when something else is asked of them.
    """

    paths: Mapping[int, str]
    facts: Mapping[int, FileFacts]
    roots: Sequence[str] = ()
    manifests: Mapping[str, str] = field(default_factory=dict)
    outlined: Mapping[int, tuple[str, Sequence[str]]] = field(default_factory=dict)

    def package_of(self, key: int) -> str:
        """The package that a file says it is in; empty where it says none."""
        known = self.outlined.get(key)
        return self.facts[key].package if known is None else known[0]

    def names_in(self, key: int) -> Sequence[str]:
        """The names of what a file defines in no other definition, each once, in order."""
        known = self.outlined.get(key)
        return top_names(self.facts[key]) if known is None else known[1]


def top_names(facts: FileFacts) -> list[str]:
    """The names of what a file defines in no other definition, each once, in order."""
    return [*dict.fromkeys(row.name for row in facts.definitions if not row.scope)]


class ModuleFinder:
    """Finds modules by name. The default knows each file by its path, and none by any other name:
    what is imported is external.
    """

    def __init__(self, paths: Mapping[int, str]) -> None:
        self._paths = paths

    def name_of(self, file: int) -> str:
        """The dotted name by which a file's module is known."""
        return self._paths[file].rpartition(".")[0].replace("/", ".")

    def find(self, importer: int, dotted: str, *, level: int = 0) -> Target:
        """What `dotted`, with `level` leading dots, means in the file `importer`."""
        return Target(missing="." * level + dotted) if level else Target(external=dotted)

    def submodule(self, parent: Target, name: str) -> Target | None:
        """The module `name` inside a package or namespace, or None."""
        return None

    def module_called(self, file: int, name: str) -> Target | None:
        """The module that a bare name means in a file though nothing there binds it."""
        return None

    def is_type_in_full(self, dotted: str) -> bool:
        """Tell whether an unbound type is written with the external package that it is in."""
        return False

    def called(self, importer: int, dotted: str) -> str:
        """The name that a module gives itself for those that import it; empty: the rules tell."""
        return ""

    def prefix_of(self, file: int) -> str:
        """The dotted name that the qualified names of what a file defines begin with."""
        return self.name_of(file)

    def name_of_namespace(self, namespace: str) -> str:
        """The dotted name by which a namespace is known."""
        return namespace.replace("/", ".")

    def package_of(self, file: int) -> str:
        """The namespace that shares its names among its files, a file's own; empty: none does."""
        return ""

    def files_of(self, namespace: str) -> Sequence[int]:
        """The files of a namespace that shares its names among them."""
        return ()

    def beside(self, file: int, name: str) -> int:
        """The file that defines `name` for all files of the package that `file` is in, or -1."""
        return -1

    def inside(self, namespace: str, name: str) -> int:
        """The file of a namespace that defines `name` for those who take all of it, or -1."""
        return -1

    def packages_of(self, file: int) -> tuple[int, ...]:
        """The files of the packages above a module, which run before it, outermost first."""
        return ()

    def is_package(self, file: int) -> bool:
        """Tell whether a module holds other modules."""
        return False

    def provided(self) -> Sequence[Provided]:
        """What other languages may call in these files, by names that all of them know."""
        return ()
