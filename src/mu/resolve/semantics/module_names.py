"""Module names: how imports find modules, what they bind, and which names modules export."""

from collections.abc import Mapping
from enum import Enum
from types import MappingProxyType

from mu.model.facts import FileFacts, Import
from mu.resolve.semantics.foreign_symbols import Wanted
from mu.resolve.semantics.module_resolver import Layout, ModuleFinder


class Wildcards(Enum):
    """What the names that a wildcard import takes are in the module that has it."""

    ASSIGNED = "assigned"  # bound like any others: the last binding of a name holds
    SHADOWED = "shadowed"  # bound where the module does not bind them otherwise
    EXPORTED = "exported"  # not bound: importers get those that it exports no others for


class ModuleNames:
    """Modules of the repository, of the library and of other languages, and what they export."""

    # Modules by keyword
    parent_module = ""  # the keyword for the parent module
    module_words: Mapping[str, int] = MappingProxyType({})  # that, and others: which of the modules
    # around a name they refer to, from 1, the innermost

    # Exports
    export_objects: tuple[str, ...] = ()  # objects whose members are the exports of a file; a value
    # assigned to one that is a member itself is the only export
    default_export = ""  # the name of a module's default export
    export_list = ""  # the variable in which a module lists its exports for wildcard imports

    wildcards = Wildcards.SHADOWED

    # The library
    builtin_module = ""  # the dotted name of the module that builtins live in
    module_table = ""  # the table of all loaded modules
    module_name = ""  # the variable that holds the name of its module
    native_loaders: frozenset[str] = frozenset()  # external functions that load a native library,
    # whose functions are the members of the result

    def module_finder(self, layout: Layout) -> ModuleFinder:
        """Return a module finder over the files of this language."""
        return ModuleFinder(layout.paths)

    def manifest_settings(self, path: str, text: str) -> object:
        """Return what the finder reads of a manifest, in plain values; by default all of its text.

        If the settings are equal, so are the modules.
        """
        return text

    def bound_name(self, row: Import) -> str:
        """Return the local name that an import binds."""
        return row.local or row.name or row.module

    def taken_name(self, row: Import) -> str:
        """Return the name that an import takes from its module; empty for the module itself."""
        return row.name

    def binds_first_part(self, row: Import) -> bool:
        """Return whether the import binds the first part of its dotted name, not the module."""
        return False

    def visibility(self, name: str) -> str:
        """Return `public`, or `private` by the language's own rule or convention."""
        return "public"

    def hides_names(self, path: str) -> bool:
        """Return whether the names that a file does not show to other code are private."""
        return True

    def is_exported(self, name: str) -> bool:
        """Return whether a wildcard import takes the name if the module lists no exports."""
        return True

    def is_component(self, path: str) -> bool:
        """Return whether a file is its own default export, if it has no other."""
        return False

    def builtin(self, name: str) -> str | None:
        """Return the dotted name of a builtin; None for any other name."""
        return None

    def is_placed(self, name: str) -> bool:
        """Return whether the meaning of a builtin name depends on where it is read."""
        return False

    def stub(self, dotted: str) -> FileFacts | None:
        """Return the facts of a module outside the repository; None if it has no stub."""
        return None

    def stub_exports(self, dotted: str) -> frozenset[str]:
        """Return the names that a library module re-exports."""
        return frozenset()

    def is_stub_package(self, dotted: str) -> bool:
        """Return whether a library module contains other modules."""
        return False

    def is_stdlib(self, dotted: str) -> bool:
        """Return whether an external name belongs to the standard library."""
        return False

    def is_module_load(self, dotted: str, name: str) -> bool:
        """Return whether calling this external name with the string `name` loads that module."""
        return False

    def loaded_name(self, name: str) -> tuple[str, int]:
        """Return the module that such a string names, and its number of leading dots."""
        return name, 0

    def wanted(self, dotted: str, facts: FileFacts) -> Wanted | None:
        """Return the symbol of another language that an external name in a file refers to."""
        return None

    def implemented(self, facts: FileFacts, number: int) -> Wanted | None:
        """Return the symbol of another language that implements a definition without a body."""
        return None
