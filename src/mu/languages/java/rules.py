"""The language rules of Java. See `tests/corpora/java` for what they cover."""

import re
from functools import cache, cached_property
from types import MappingProxyType

from mu.languages.frameworks import load_frameworks
from mu.languages.java.native import native_symbol
from mu.languages.java.packages import JavaPackages
from mu.languages.library_calls import load_library_calls
from mu.languages.stubs import java_stubs
from mu.model.facts import Definition, FileFacts, Flag
from mu.resolve import (
    CallSemantics,
    EntryRules,
    Framework,
    FunctionTypes,
    ImplicitCalls,
    LanguageRules,
    Layout,
    MemberChoice,
    MemberSemantics,
    MethodsCalled,
    ModuleFinder,
    ModuleNames,
    Namespaces,
    Overloading,
    Scoping,
    Subtyping,
    TracedLibrary,
    TypeForms,
    Wanted,
)

_PACKAGE = "java.lang"
_VISIBILITIES = ("public", "protected", "private")
_INTERFACES = ("interface", "annotation")
_MAIN_PARAMETER = re.compile(r"String\s*(\[\s*\]|\.\.\.)|String\s+\w+\s*\[")
_PLAIN_NAMES = "Boolean Byte Character Double Float Integer Long Short String"
_PLAIN_CLASSES = frozenset(f"{_PACKAGE}.{name}" for name in _PLAIN_NAMES.split())
_EASY_MOCKS = ("createMock", "createNiceMock", "createStrictMock", "mock", "niceMock", "strictMock")
_LITERALS = {
    "str": "String",
    "bool": "Boolean",
    "byte": "Byte",
    "char": "Character",
    "class": "Class",
    "double": "Double",
    "float": "Float",
    "int": "Integer",
    "long": "Long",
    "short": "Short",
    "tuple": "array",  # a variadic parameter
}


class JavaMembers(MemberSemantics):
    """Members; source: the language specification, chapters 6 and 8."""

    this_name = "this"
    super_name = "super"
    self_type_name = "__Self"  # in stubs only
    constructor_reference = "new"
    class_words = frozenset(("new", "this"))
    choice = MemberChoice.OVERLOADS
    scoping = Scoping.CLASS
    namespaces = Namespaces.METHODS
    root_class = f"{_PACKAGE}.Object"
    implied_bases = MappingProxyType({"enum": f"{_PACKAGE}.Enum", "record": f"{_PACKAGE}.Record"})
    fallback_member = "__more"

    def visibility(
        self,
        definition: Definition | None,
        around: Definition | None,
        *,
        modifier: str | None,  # noqa: ARG002 - definitions have theirs
    ) -> str:
        if definition is None:
            return ""
        modifiers = _modifiers(definition)
        given = next((word for word in modifiers if word in _VISIBILITIES), "")
        if given or around is None:
            return given or "package"
        if around.kind == "function":
            return "private"
        if around.subkind in _INTERFACES:
            return "public"
        is_of_enum = around.subkind == "enum" and definition.subkind == "constructor"
        return "private" if is_of_enum else "package"

    def is_private(self, definition: Definition) -> bool:
        return "private" in _modifiers(definition)

    def is_overridable(self, definition: Definition) -> bool:
        return not (self.is_static(definition) or self.is_private(definition))

    def is_abstract(self, definition: Definition) -> bool:
        modifiers = _modifiers(definition)
        if definition.flags & Flag.BODILESS:
            return "native" not in modifiers
        return definition.kind == "class" and "abstract" in modifiers

    def is_static(self, definition: Definition) -> bool:
        return _is_static(definition)


class JavaCalls(CallSemantics):
    """Overloads and functional interfaces; source: the language specification, 15.12 and 9.8."""

    constructors = ("<init>",)
    overloading = Overloading.BY_SIGNATURE
    function_types = FunctionTypes.INTERFACE
    variadic_types = MappingProxyType({"*": "tuple"})
    plain_types = ("bool", "byte", "short", "char", "int", "long", "float", "double")

    def applied_decorators(self, definition: Definition) -> tuple[()]:  # noqa: ARG002 - none are called
        return ()  # annotations are not called


class JavaImplicitCalls(ImplicitCalls):
    """Enhanced `for`, `try` with resources, and string conversion."""

    iterate_methods = ("iterator",)
    next_methods = ("next",)
    more_methods = ("hasNext",)
    leave_methods = ("close",)
    index_method = "get"  # in the stub of arrays; no other type has subscripts
    prefix = MappingProxyType({"text": ("toString",)})
    most_open = 0


class JavaTypes(TypeForms):
    """Nominal types, and the classes of literals."""

    subtyping = Subtyping.NOMINAL

    def literal_type(self, kind: str) -> str:
        return f"{_PACKAGE}.{_LITERALS.get(kind, kind)}"

    def is_plain(self, dotted: str) -> bool:
        return dotted in _PLAIN_CLASSES

    def is_interface(self, definition: Definition) -> bool:
        return definition.subkind == "interface"


class JavaModuleNames(ModuleNames):
    """Packages; source: the language specification, chapter 7."""

    def module_finder(self, layout: Layout) -> ModuleFinder:
        return JavaPackages(layout)

    def builtin(self, name: str) -> str | None:
        return f"{_PACKAGE}.{name}" if name in _implicit_imports() else None

    def stub(self, dotted: str) -> FileFacts | None:
        return java_stubs().facts(dotted)

    def is_stdlib(self, dotted: str) -> bool:
        return dotted.startswith(("java.", "javax."))

    def implemented(self, facts: FileFacts, number: int) -> Wanted | None:
        return native_symbol(facts, number)


class JavaLibrary(TracedLibrary):
    """Library calls from the data file, and the makers of mock objects."""

    mock_functions = frozenset(
        (
            "org.mockito.Mockito.mock",
            *(f"org.easymock.EasyMock.{name}" for name in _EASY_MOCKS),
        )
    )
    mock_decorators = frozenset(
        (
            "org.mockito.Mock",
            "org.easymock.Mock",
            "org.springframework.boot.test.mock.mockito.MockBean",
            "org.springframework.test.context.bean.override.mockito.MockitoBean",
        )
    )

    def is_class_name(self, dotted: str) -> bool:
        return dotted.rpartition(".")[2][:1].isupper()

    def takes_comparator(self, count: int) -> bool:
        return count > 1

    def methods_called(self, dotted: str) -> MethodsCalled:
        return load_library_calls("java").methods_called(dotted)


class JavaEntries(EntryRules):
    """`main`, frameworks and test runners."""

    @cached_property
    def frameworks(self) -> tuple[Framework, ...]:
        return load_frameworks("java")

    def is_main(self, definition: Definition, *, package: str) -> bool:  # noqa: ARG002 - any has it
        parameters = [row.text for row in definition.parameters]
        return (
            definition.name == "main"
            and _is_static(definition)
            and len(parameters) == 1
            and _MAIN_PARAMETER.search(parameters[0]) is not None
        )


def _modifiers(definition: Definition) -> list[str]:
    """Give the words before the name of a definition."""
    return definition.signature.partition(f" {definition.name}")[0].split()


def _is_static(definition: Definition) -> bool:
    return bool(definition.flags & Flag.STATIC)


@cache
def _implicit_imports() -> frozenset[str]:
    """Return the classes that every file imports implicitly."""
    facts = java_stubs().facts(_PACKAGE)
    rows = () if facts is None else facts.definitions
    return frozenset(row.name for row in rows if row.kind == "class" and not row.scope)


RULES = LanguageRules(
    "java",
    members=JavaMembers(),
    calls=JavaCalls(),
    implicit=JavaImplicitCalls(),
    types=JavaTypes(),
    modules=JavaModuleNames(),
    library=JavaLibrary(),
    entries=JavaEntries(),
)
