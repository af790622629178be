"""The language rules of TypeScript and JavaScript."""

import sys
from collections.abc import Sequence
from functools import cache, cached_property
from importlib.resources import files
from types import MappingProxyType

import msgspec

from mu.languages.frameworks import load_frameworks
from mu.languages.stubs import typescript_stubs
from mu.languages.typescript.manifests import entry_points
from mu.languages.typescript.module_finder import (
    COMPONENTS,
    CONFIGURATIONS,
    PACKAGE,
    TypeScriptModules,
    module_settings,
)
from mu.languages.typescript.prototypes import PROTOTYPE, read_prototypes
from mu.model.facts import Definition, FileFacts, Flag
from mu.resolve import (
    CallSemantics,
    Declared,
    EntryRules,
    Framework,
    ImplicitCalls,
    LanguageRules,
    Layout,
    LibraryModels,
    MemberChoice,
    MemberSemantics,
    ModuleFinder,
    ModuleNames,
    Prototypes,
    PrototypeWords,
    Subtyping,
    TypeForm,
    TypeForms,
    Wildcards,
)

_GLOBAL = "globalThis"
_DEFAULT = "default"
_VISIBILITIES = ("public", "protected", "private")
_PRIMITIVES = frozenset(f"{_GLOBAL}.{name}" for name in ("String", "Number", "Boolean"))
_LITERAL_CLASSES = {
    "str": "String",
    "bytes": "String",  # a template
    "number": "Number",
    "boolean": "Boolean",
    "regex": "RegExp",
    "array": "Array",
    "list": "Array",
    "tuple": "Array",
    "dict": "Record",
}
_TYPE_CLASSES = {
    "string": "String",
    "number": "Number",
    "boolean": "Boolean",
    "symbol": "Symbol",
    "bigint": "BigInt",
    "object": "Object",
}
_STRING_CONVERSIONS = ("[Symbol.toPrimitive]", "toString")  # by precedence
_MODULE_LOADERS = (f"{_GLOBAL}.require", f"{_GLOBAL}.import")
_FORMS = {
    "Partial": TypeForm.FIRST,
    "Required": TypeForm.FIRST,
    "Readonly": TypeForm.FIRST,
    "NonNullable": TypeForm.FIRST,
    "Awaited": TypeForm.FIRST,
    "NoInfer": TypeForm.FIRST,
    "OmitThisParameter": TypeForm.FIRST,
    "Exclude": TypeForm.FIRST,
    "Extract": TypeForm.FIRST,
    "Function": TypeForm.CALLABLE,
    "any": TypeForm.NONE,
    "unknown": TypeForm.NONE,
    "never": TypeForm.NONE,
    "void": TypeForm.NONE,
    "ConstructorParameters": TypeForm.NONE,  # computed from values and other types
    "InstanceType": TypeForm.NONE,
    "Parameters": TypeForm.NONE,
    "ReturnType": TypeForm.NONE,
    "ThisParameterType": TypeForm.NONE,
    "ThisType": TypeForm.NONE,
    "Pick": TypeForm.FIRST,
    "Omit": TypeForm.FIRST,
}

_PROTOTYPES = PrototypeWords(
    attribute=PROTOTYPE,
    callers=MappingProxyType({"call": False, "apply": True}),
    binders=frozenset(("bind",)),
)


class _Names(msgspec.Struct, frozen=True):
    """The content of the data file: global names, and the modules of Node."""

    globals: frozenset[str]
    modules: frozenset[str]


@cache
def _library_names() -> _Names:
    text = files("mu.languages").joinpath("data/typescript.toml").read_text(encoding="utf-8")
    return msgspec.toml.decode(text, type=_Names)


class TypeScriptMembers(MemberSemantics):
    """Classes, prototypes and accessors; source: ECMA-262, "Ordinary object internal methods"."""

    this_name = "this"
    super_name = "super"
    prototypes = _PROTOTYPES
    choice = MemberChoice.SIDE
    root_class = f"{_GLOBAL}.Object"
    fallback_member = "__other__"

    def prototypes_in(self, facts: FileFacts) -> Prototypes | None:
        return read_prototypes(facts)

    def visibility(
        self,
        definition: Definition | None,
        around: Definition | None,  # noqa: ARG002 - each says it of itself
        *,
        modifier: str | None,
    ) -> str:
        is_member = False
        if definition is not None:
            is_member = bool(definition.flags & Flag.LABEL)
            text, found, _ = definition.signature.partition(f" {definition.name}")
            for word in text.split() if found else ():
                if word in _VISIBILITIES:
                    return word
        return "private" if modifier == "" and not is_member else ""

    def is_property(self, definition: Definition) -> bool:
        return definition.subkind == "property"

    def accessor(self, definition: Definition) -> str:
        return "=" if self.continues(definition) else ""

    def continues(self, definition: Definition) -> bool:
        return definition.subkind == "property" and bool(definition.parameters)  # a setter

    def merges_with(self, definition: Definition, earlier: Definition) -> bool:
        return definition.kind == "class" and earlier.kind in {"class", "function"}

    def is_private_to_class(self, name: str) -> bool:
        return name.startswith("#")

    def is_static(self, definition: Definition) -> bool:
        return bool(definition.flags & Flag.STATIC)

    def is_abstract(self, definition: Definition) -> bool:
        return definition.subkind == "abstract" or bool(definition.flags & Flag.BODILESS)

    def subkind(self, definition: Definition, *, in_class: bool) -> str:
        if definition.subkind == "abstract":
            return "class"
        if definition.subkind == "function" and in_class:
            return "method"
        return super().subkind(definition, in_class=in_class)


class TypeScriptCalls(CallSemantics):
    """Constructors and rest parameters."""

    constructors = ("constructor",)
    variadic_types = MappingProxyType({"*": "array"})


class TypeScriptImplicitCalls(ImplicitCalls):
    """The iteration protocols, promises and conversion to strings."""

    iterate_methods = ("[Symbol.iterator]", "[Symbol.asyncIterator]")
    next_methods = ("__next__", "next")  # names with underscores are in stubs only
    next_member = "value"
    index_method = "__index__"
    set_index_method = "__set__"
    awaitable_class = f"{_GLOBAL}.Promise"
    await_depth = sys.maxsize  # `await` unwraps nested promises
    prefix = MappingProxyType({"text": _STRING_CONVERSIONS})
    most_open = 0


class TypeScriptTypes(TypeForms):
    """Structural types, promises and literals; source: the TypeScript handbook."""

    generator_class = f"{_GLOBAL}.Generator"
    coroutine_class = f"{_GLOBAL}.Promise"
    subtyping = Subtyping.NOMINAL  # most classes declare their interfaces

    def coroutine_of(self, *, is_declared: bool) -> str:
        return "" if is_declared else self.coroutine_class  # the declared type includes the promise

    def is_tuple(self, kind: str, count: int) -> bool:
        return kind == "tuple" or count > 1

    def type_form(self, dotted: str) -> TypeForm | None:
        module, _, name = dotted.rpartition(".")
        return _FORMS.get(name) if module == _GLOBAL else None

    def literal_type(self, kind: str) -> str:
        return f"{_GLOBAL}.{_LITERAL_CLASSES.get(kind, kind)}"

    def is_open(self, dotted: str) -> bool:
        return dotted not in _PRIMITIVES  # even types of classes are structural

    def is_interface(self, definition: Definition) -> bool:
        return definition.subkind == "interface"


class TypeScriptModuleNames(ModuleNames):
    """Modules: `import`, `require` and packages."""

    export_objects = ("exports", "module.exports")
    default_export = _DEFAULT
    wildcards = Wildcards.EXPORTED
    builtin_module = _GLOBAL

    def manifest_settings(self, path: str, text: str) -> object:
        return module_settings(path, text)

    def module_finder(self, layout: Layout) -> ModuleFinder:
        return TypeScriptModules(layout)

    def visibility(self, name: str) -> str:
        return "private" if name.startswith(("#", "_")) else "public"

    def hides_names(self, path: str) -> bool:  # templates and declarations show all
        return not path.endswith((*COMPONENTS, ".d.ts", ".d.mts", ".d.cts"))

    def is_exported(self, name: str) -> bool:
        return name != _DEFAULT

    def is_component(self, path: str) -> bool:
        return path.endswith(COMPONENTS)

    def builtin(self, name: str) -> str | None:
        if name in _library_names().globals:
            return f"{_GLOBAL}.{_TYPE_CLASSES.get(name, name)}"
        return None

    def stub(self, dotted: str) -> FileFacts | None:
        return typescript_stubs().facts(dotted)

    def is_stdlib(self, dotted: str) -> bool:
        first = dotted.partition(".")[0]
        return first == _GLOBAL or first.partition("/")[0] in _library_names().modules

    def is_module_load(self, dotted: str, name: str) -> bool:  # noqa: ARG002 - of any name
        return dotted in _MODULE_LOADERS


class TypeScriptLibrary(LibraryModels):
    """External names of types and classes, and the makers of mock objects."""

    mock_functions = frozenset(
        (
            "jest-mock-extended.mock",
            "vitest-mock-extended.mock",
            "@golevelup/ts-jest.createMock",
            "@golevelup/ts-vitest.createMock",
            "ts-mockito.instance",
        )
    )

    def is_special(self, dotted: str) -> bool:
        module, _, name = dotted.rpartition(".")
        return dotted in _MODULE_LOADERS or (module == _GLOBAL and name in _FORMS)

    def is_class_name(self, dotted: str) -> bool:
        last = dotted.rpartition(".")[2]
        return last[:1].isupper() and not last.isupper()


class TypeScriptEntries(EntryRules):
    """Manifests and frameworks."""

    manifests = frozenset((PACKAGE, *CONFIGURATIONS))

    @cached_property
    def frameworks(self) -> tuple[Framework, ...]:
        return load_frameworks("typescript")

    def declared(self, path: str, text: str) -> Sequence[Declared]:
        return tuple(entry_points(path, text))


RULES = LanguageRules(
    "javascript",  # the library of all dialects
    members=TypeScriptMembers(),
    calls=TypeScriptCalls(),
    implicit=TypeScriptImplicitCalls(),
    types=TypeScriptTypes(),
    modules=TypeScriptModuleNames(),
    library=TypeScriptLibrary(),
    entries=TypeScriptEntries(),
)
