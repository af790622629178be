"""Go: what its names mean, beyond what the syntax says. See `tests/corpora/go`."""

import re
from collections.abc import Sequence
from functools import cached_property

from mu.languages.frameworks import load_frameworks
from mu.languages.go_native import generated, wanted
from mu.languages.go_packages import MODULE_FILE, GoPackages, package_name
from mu.languages.outside_calls import LibraryCalls, load_calls
from mu.languages.stubs import go_stubs
from mu.model.facts import Definition, FileFacts, Import
from mu.resolve import (
    Declared,
    Framework,
    LanguageRules,
    Layout,
    ModuleFinder,
    Receiver,
    Wanted,
)

_NAMES = """
    any append bool byte cap clear close comparable complex complex64 complex128 copy delete error
    float32 float64 imag int int8 int16 int32 int64 iota len make max min new nil panic print
    println real recover rune string uint uint8 uint16 uint32 uint64 uintptr
"""
_UNIVERSE = frozenset(_NAMES.split())
_PATH = re.compile(r"\w[\w.-]*(/\w[\w.-]*)*")  # of a package, and no other way through folders
_LITERALS = {
    "str": "string",
    "float": "float64",
    "complex": "complex128",
    "dict": "mapping",
    "chan": "channel",
    "tuple": "slice",  # the rest of the arguments
}
_MAKERS = frozenset(("builtin.make", "builtin.new"))


class GoRules(LanguageRules):
    """Go's scopes, methods and packages; source: the language specification."""

    name = "go"
    knows_assignments = False  # only those that declare
    literals_set_fields = True
    literals_list_fields = True
    has_function_types = True
    bases_are_supertypes = False  # what is embedded lends its members, and no more
    results_are_outside = True
    builtin_module = "builtin"
    iterate_methods = ("__iterate",)  # of the stubs of slices, maps and channels
    key_methods = ("__keys",)
    next_methods = ("__next",)
    index_method = "__index"
    set_index_method = "__set"
    fillers = frozenset(("append",))
    open_member = "__more"
    awaitable_class = "builtin.channel"
    manifests = frozenset((MODULE_FILE,))

    @cached_property
    def _calls(self) -> LibraryCalls:
        return load_calls("go")

    @cached_property
    def frameworks(self) -> tuple[Framework, ...]:  # type: ignore[override]  # read from data
        return load_frameworks("go")

    def module_finder(self, layout: Layout) -> ModuleFinder:
        return GoPackages(layout)

    def declared_in(self, path: str, facts: FileFacts) -> Sequence[Declared]:
        return tuple(generated(path, facts)) if facts.directives else ()

    def wanted(self, dotted: str, facts: FileFacts) -> Wanted | None:
        return wanted(dotted, facts) if facts.directives else None

    def bound_name(self, row: Import) -> str:
        return row.local or package_name(row.module)

    def receiver(self, definition: Definition) -> Receiver | None:
        return None if self.is_abstract(definition) else Receiver.INSTANCE

    def builtin(self, name: str) -> str | None:
        return f"builtin.{name}" if name in _UNIVERSE else None

    def library(self, dotted: str) -> FileFacts | None:
        return go_stubs().facts(dotted) if _PATH.fullmatch(dotted) else None

    def methods_called_on_arguments(self, dotted: str) -> tuple[tuple[str, ...], ...]:
        return self._calls.on_arguments(dotted)

    def literal_type(self, kind: str) -> str:
        return f"builtin.{_LITERALS.get(kind, kind)}"

    def is_main(self, definition: Definition, *, package: str) -> bool:
        return definition.name == package == "main" and not definition.scope

    def is_special(self, dotted: str) -> bool:
        return dotted in _MAKERS

    def is_made_of_type(self, dotted: str) -> bool:
        return dotted in _MAKERS

    def is_shape(self, definition: Definition) -> bool:
        return definition.subkind == "interface"

    def is_interface(self, definition: Definition) -> bool:
        return definition.subkind in {"interface", "type"}  # such as of functions

    def is_stdlib(self, dotted: str) -> bool:
        return "/" not in dotted or "." not in dotted.partition("/")[0]

    def visibility(self, name: str) -> str:
        return "public" if name[:1].isupper() else "private"

    def is_function_type(self, definition: Definition) -> bool:
        return definition.subkind == "type" and not definition.bases

    def is_exported(self, name: str) -> bool:
        return name[:1].isupper()

    def is_abstract(self, definition: Definition) -> bool:
        return definition.kind == "function" and not definition.signature.startswith("func")


RULES = GoRules()
