"""Module names: how imports find modules, what they bind, and which names modules export."""

from collections.abc import Mapping
from types import MappingProxyType

from mu.model.facts import FileFacts, Import
from mu.resolve.semantics.foreign_symbols import Wanted
from mu.resolve.semantics.module_resolver import Layout, ModuleFinder


class ModuleNames:
    """Modules of the repository, of the library and of other languages, and what they export."""

    # Modules by keyword
    parent_module = ""  # the keyword for the module around
    module_words: Mapping[str, int] = MappingProxyType({})  # that, and others: how many modules
    # up they mean

    # Exports
    export_objects: tuple[str, ...] = ()  # objects whose members are what a file exports; one that
    # is a member itself is all that is exported when it is set
    default_export = ""  # the name of a module's default export
    export_list = ""  # the variable in which a module lists what a wildcard import takes

    # The library
    builtin_module = ""  # the dotted name of the module that builtins live in
    module_table = ""  # the table of all modules that are loaded
    module_name = ""  # the variable that holds the name of the module around it
    native_loaders: frozenset[str] = frozenset()  # external functions that load a native library,
    # whose functions are the members of the result

    def module_finder(self, layout: Layout) -> ModuleFinder:
        """A finder over the files of this language."""
        return ModuleFinder(layout.paths)

    def manifest_settings(self, path: str, text: str) -> object:
        """What the finder reads of a manifest, in plain values: where it is equal, so are modules.

        Of a language that does not say it is all of the text.
        """
        return text

    def bound_name(self, row: Import) -> str:
        """The local name that an import binds."""
        return row.local or row.name or row.module

    def taken_name(self, row: Import) -> str:
        """The name that an import takes out of the module it names; empty for the module itself."""
        return row.name

    def binds_first_part(self, row: Import) -> bool:
        """Tell whether the import binds the first part of its dotted name, not the module."""
        return False

    def visibility(self, name: str) -> str:
        """`public`, or `private` by the language's own rule or custom."""
        return "public"

    def is_exported(self, name: str) -> bool:
        """Tell whether a wildcard import takes the name when the module does not say."""
        return True

    def is_component(self, path: str) -> bool:
        """Tell whether a file is its own default export, if it has no other."""
        return False

    def builtin(self, name: str) -> str | None:
        """The dotted name of a builtin, None for any other name."""
        return None

    def is_placed(self, name: str) -> bool:
        """Tell whether what a builtin name means depends on where it is read."""
        return False

    def stub(self, dotted: str) -> FileFacts | None:
        """The facts of a module outside the repository, None where there is no stub of it."""
        return None

    def stub_exports(self, dotted: str) -> frozenset[str]:
        """The names that a module of the library re-exports."""
        return frozenset()

    def is_stub_package(self, dotted: str) -> bool:
        """Tell whether a module of the library holds other modules."""
        return False

    def is_stdlib(self, dotted: str) -> bool:
        """Tell whether an external name belongs to the standard library."""
        return False

    def is_module_load(self, dotted: str, name: str) -> bool:
        """Tell whether calling this external name with the string `name` gives that module."""
        return False

    def loaded_name(self, name: str) -> tuple[str, int]:
        """The module that such a string means, and how many leading dots it has."""
        return name, 0

    def wanted(self, dotted: str, facts: FileFacts) -> Wanted | None:
        """The symbol of another language that an external name in a file refers to."""
        return None

    def implemented(self, facts: FileFacts, number: int) -> Wanted | None:
        """The symbol of another language that runs for a definition without a body here."""
        return None
