"""The language rules of Go. See `tests/corpora/go` for examples."""

import re
from collections.abc import Sequence
from functools import cached_property
from types import MappingProxyType

from mu.languages.frameworks import load_frameworks
from mu.languages.go.native import cgo_symbol, generate_commands
from mu.languages.go.packages import MODULE_FILE, GoPackages, declared_modules, package_name
from mu.languages.library_calls import load_library_calls
from mu.languages.stubs import go_stubs
from mu.model.facts import Definition, FileFacts, Import
from mu.resolve import (
    CallModel,
    CallSemantics,
    Declared,
    EntryRules,
    FieldKey,
    Framework,
    FunctionTypes,
    ImplicitCalls,
    Inheritance,
    LanguageRules,
    Layout,
    MemberSemantics,
    MethodsCalled,
    ModuleFinder,
    ModuleNames,
    Receiver,
    TracedLibrary,
    TypeForms,
    Wanted,
)

_UNIVERSE_NAMES = """
    any append bool byte cap clear close comparable complex complex64 complex128 copy delete error
    float32 float64 imag int int8 int16 int32 int64 iota len make max min new nil panic print
    println real recover rune string uint uint8 uint16 uint32 uint64 uintptr
"""
_UNIVERSE = frozenset(_UNIVERSE_NAMES.split())
_IMPORT_PATH = re.compile(
    r"\w[\w.-]*(/\w[\w.-]*)*"
)  # an import path; no relative path, which could escape a folder
_LITERALS = {
    "str": "string",
    "float": "float64",
    "complex": "complex128",
    "dict": "mapping",
    "chan": "channel",
    "tuple": "slice",  # a variadic parameter
}
_ALLOCATORS = ("builtin.make", "builtin.new")


class GoMembers(MemberSemantics):
    """Members by embedding; source: the language specification, "Struct types", "Method sets"."""

    inheritance = Inheritance.EMBEDDING
    fallback_member = "__more"

    def is_abstract(self, definition: Definition) -> bool:
        return _is_abstract(definition)

    def is_defined_by_base(self, definition: Definition) -> bool:
        return definition.subkind == "type"


class GoCalls(CallSemantics):
    """Receivers, composite literals, and conversions to function types."""

    literal_fields = frozenset((FieldKey.NAME, FieldKey.PLACE))
    function_types = FunctionTypes.CONVERTED
    variadic_types = MappingProxyType({"*": "tuple"})

    def receiver(self, definition: Definition) -> Receiver | None:
        return None if _is_abstract(definition) else Receiver.INSTANCE

    def is_function_type(self, definition: Definition) -> bool:
        return definition.subkind == "type" and not definition.bases


class GoImplicitCalls(ImplicitCalls):
    """Loops and subscripts, as methods that the stubs of slices, maps and channels declare."""

    iterate_methods = ("__iterate",)
    key_methods = ("__keys",)
    next_methods = ("__next",)
    index_method = "__index"
    set_index_method = "__set"
    awaitable_class = "builtin.channel"


class GoTypes(TypeForms):
    """Structural interfaces."""

    def only_assigned(self, rows: Sequence[int]) -> int:  # noqa: ARG002 - facts lack other assignments
        return 0

    def literal_type(self, kind: str) -> str:
        return f"builtin.{_LITERALS.get(kind, kind)}"

    def is_shape(self, definition: Definition) -> bool:
        return definition.subkind == "interface"

    def is_interface(self, definition: Definition) -> bool:
        return definition.subkind in {
            "interface",
            "type",
        }  # a type with methods, such as a function type


class GoModuleNames(ModuleNames):
    """Packages, and visibility by the case of the first letter."""

    builtin_module = "builtin"

    def manifest_settings(self, path: str, text: str) -> object:
        return declared_modules({path: text})

    def module_finder(self, layout: Layout) -> ModuleFinder:
        return GoPackages(layout)

    def bound_name(self, row: Import) -> str:
        return row.local or package_name(row.module)

    def visibility(self, name: str) -> str:
        return "public" if name[:1].isupper() else "private"

    def is_exported(self, name: str) -> bool:
        return name[:1].isupper()

    def builtin(self, name: str) -> str | None:
        return f"builtin.{name}" if name in _UNIVERSE else None

    def stub(self, dotted: str) -> FileFacts | None:
        return go_stubs().facts(dotted) if _IMPORT_PATH.fullmatch(dotted) else None

    def is_stdlib(self, dotted: str) -> bool:
        return "/" not in dotted or "." not in dotted.partition("/")[0]

    def wanted(self, dotted: str, facts: FileFacts) -> Wanted | None:
        return cgo_symbol(dotted, facts) if facts.directives else None


class GoLibrary(TracedLibrary):
    """The functions of the universe block, and library calls from the data file."""

    call_models = MappingProxyType(dict.fromkeys(_ALLOCATORS, CallModel.INSTANCE))
    fillers = frozenset(("append",))

    def methods_called(self, dotted: str) -> MethodsCalled:
        return load_library_calls("go").methods_called(dotted)


class GoEntries(EntryRules):
    """`main`, `go generate`, and frameworks."""

    manifests = frozenset((MODULE_FILE,))

    @cached_property
    def frameworks(self) -> tuple[Framework, ...]:
        return load_frameworks("go")

    def is_main(self, definition: Definition, *, package: str) -> bool:
        return definition.name == package == "main" and not definition.scope

    def declared_in(self, path: str, facts: FileFacts) -> Sequence[Declared]:
        return tuple(generate_commands(path, facts)) if facts.directives else ()


def _is_abstract(definition: Definition) -> bool:
    """Return whether a function is a method that an interface declares."""
    return definition.kind == "function" and not definition.signature.startswith("func")


RULES = LanguageRules(
    "go",
    members=GoMembers(),
    calls=GoCalls(),
    implicit=GoImplicitCalls(),
    types=GoTypes(),
    modules=GoModuleNames(),
    library=GoLibrary(),
    entries=GoEntries(),
)
