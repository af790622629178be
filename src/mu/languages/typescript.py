"""TypeScript and JavaScript: what their names mean, beyond what the syntax says."""

from collections.abc import Sequence
from functools import cached_property
from importlib.resources import files
from types import MappingProxyType

import msgspec

from mu.languages.frameworks import load_frameworks
from mu.languages.stubs import typescript_stubs
from mu.languages.typescript_manifests import declared
from mu.languages.typescript_modules import CONFIGURATIONS, PACKAGE, PAGES, TypeScriptModules
from mu.model.facts import Definition, FileFacts, Flag
from mu.resolve import (
    Declared,
    Framework,
    LanguageRules,
    Layout,
    ModuleFinder,
    PrototypeWords,
    TypeForm,
)

_GLOBAL = "globalThis"
_LITERALS = {
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
_TYPES = {
    "string": "String",
    "number": "Number",
    "boolean": "Boolean",
    "symbol": "Symbol",
    "bigint": "BigInt",
    "object": "Object",
}
_TEXTS = ("[Symbol.toPrimitive]", "toString")  # what makes a text of an object
_LOADS = (f"{_GLOBAL}.require", f"{_GLOBAL}.import")
_FORMS = {
    "Partial": TypeForm.FIRST,
    "Required": TypeForm.FIRST,
    "Readonly": TypeForm.FIRST,
    "NonNullable": TypeForm.FIRST,
    "Awaited": TypeForm.FIRST,
    "Exclude": TypeForm.FIRST,
    "Extract": TypeForm.FIRST,
    "Function": TypeForm.CALLABLE,
    "any": TypeForm.NONE,
    "unknown": TypeForm.NONE,
    "never": TypeForm.NONE,
    "void": TypeForm.NONE,
    "Pick": TypeForm.FIRST,
    "Omit": TypeForm.FIRST,
}


class _Names(msgspec.Struct, frozen=True):
    """The lists of names that are shipped as data."""

    globals: frozenset[str]
    modules: frozenset[str]


class TypeScriptRules(LanguageRules):
    """Scopes, members and modules; sources: ECMA-262, and the TypeScript handbook for its types."""

    name = "javascript"  # what is outside is the same for all of its dialects
    own_name = "this"
    parent_name = "super"
    constructors = ("constructor",)
    iterate_methods = ("[Symbol.iterator]", "[Symbol.asyncIterator]")
    next_methods = ("__next__", "next")  # the first one of the stubs, as is what follows
    next_member = "value"
    index_method = "__index__"
    set_index_method = "__set__"
    builtin_module = _GLOBAL
    generator_class = f"{_GLOBAL}.Generator"
    coroutine_class = f"{_GLOBAL}.Promise"
    awaitable_class = f"{_GLOBAL}.Promise"
    root_class = f"{_GLOBAL}.Object"
    open_member = "__other__"
    merges_classes = True
    is_nominal = True  # most implementations say so; others are known where they are passed
    has_fixed_lists = True
    has_static_names = True
    flattens_awaited = True
    export_objects = ("exports", "module.exports")
    default_export = "default"
    rest_types = MappingProxyType({"*": "array"})
    manifests = frozenset((PACKAGE, *CONFIGURATIONS))
    prototypes = PrototypeWords(
        attribute="prototype",
        parent="__proto__",
        copiers=frozenset(("assign", "setPrototypeOf")),
        extenders=frozenset(("inherits", "_inherits", "__extends", "_inheritsLoose")),
        exported=("module", "exports"),
        callers=MappingProxyType({"call": False, "apply": True}),
        binders=frozenset(("bind",)),
    )

    @cached_property
    def _known(self) -> _Names:
        text = files("mu.languages").joinpath("data/typescript.toml").read_text(encoding="utf-8")
        return msgspec.toml.decode(text, type=_Names)

    @cached_property
    def frameworks(self) -> tuple[Framework, ...]:  # type: ignore[override]  # read from data
        return load_frameworks("typescript")

    def module_finder(self, layout: Layout) -> ModuleFinder:
        return TypeScriptModules(layout)

    def declared(self, path: str, text: str) -> Sequence[Declared]:
        return tuple(declared(path, text))

    def builtin(self, name: str) -> str | None:
        if name in self._known.globals:
            return f"{_GLOBAL}.{_TYPES.get(name, name)}"
        return None

    def library(self, dotted: str) -> FileFacts | None:
        return typescript_stubs().facts(dotted)

    def is_special(self, dotted: str) -> bool:
        module, _, name = dotted.rpartition(".")
        return dotted in _LOADS or (module == _GLOBAL and name in _FORMS)

    def is_module_load(self, dotted: str, name: str) -> bool:  # noqa: ARG002 - any name is one
        return dotted in _LOADS

    def type_form(self, dotted: str) -> TypeForm | None:
        module, _, name = dotted.rpartition(".")
        return _FORMS.get(name) if module == _GLOBAL else None

    def literal_type(self, kind: str) -> str:
        return f"{_GLOBAL}.{_LITERALS.get(kind, kind)}"

    def prefix_methods(self, operator: str) -> tuple[str, ...]:
        return _TEXTS if operator == "text" else ()

    def is_class_name(self, dotted: str) -> bool:
        last = dotted.rpartition(".")[2]
        return last[:1].isupper() and not last.isupper()

    def is_stdlib(self, dotted: str) -> bool:
        first = dotted.partition(".")[0]
        return first == _GLOBAL or first.partition("/")[0] in self._known.modules

    def is_property(self, definition: Definition) -> bool:
        return definition.subkind == "property"

    def continues(self, definition: Definition) -> bool:
        return definition.subkind == "property" and bool(definition.parameters)  # what sets it

    def accesses(self, definition: Definition) -> str:
        return "=" if self.continues(definition) else ""

    def is_private_to_class(self, name: str) -> bool:
        return name.startswith("#")

    def visibility(self, name: str) -> str:
        return "private" if name.startswith(("#", "_")) else "public"

    def is_static(self, definition: Definition) -> bool:
        return bool(definition.flags & Flag.STATIC)

    def is_interface(self, definition: Definition) -> bool:
        return definition.subkind == "interface"

    def is_abstract(self, definition: Definition) -> bool:
        return definition.subkind == "abstract" or bool(definition.flags & Flag.BODILESS)

    def is_component(self, path: str) -> bool:
        return path.endswith(PAGES)

    def is_exported(self, name: str) -> bool:
        return name != self.default_export

    def subkind(self, definition: Definition, *, in_class: bool) -> str:
        if definition.subkind == "abstract":
            return "class"
        if definition.subkind == "function" and in_class:
            return "method"
        return super().subkind(definition, in_class=in_class)


RULES = TypeScriptRules()
