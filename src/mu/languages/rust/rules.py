"""The language rules of Rust. See `tests/corpora/rust` for examples."""

import re
from collections.abc import Sequence
from types import MappingProxyType

from mu.languages.rust.crates import MANIFEST, RustCrates, crate_settings
from mu.languages.rust.native import PYTHON_MANIFEST, extern_symbol
from mu.languages.stubs import rust_stubs
from mu.model.facts import Definition, FileFacts, Import
from mu.resolve import (
    NO_METHODS,
    CallModel,
    CallSemantics,
    EntryRules,
    FieldKey,
    ImplicitCalls,
    Inheritance,
    LanguageRules,
    Layout,
    MemberChoice,
    MemberSemantics,
    MethodsCalled,
    ModuleFinder,
    ModuleNames,
    Namespaces,
    Overloading,
    Receiver,
    Runner,
    TracedLibrary,
    TypeForm,
    TypeForms,
    Wanted,
)

_PRELUDE_NAMES = """
    Option Some None Result Ok Err Vec String Box ToString Clone Copy Default Drop Eq PartialEq Ord
    PartialOrd Iterator IntoIterator Extend From Into TryFrom TryInto AsRef AsMut Fn FnMut FnOnce
    Send Sync Sized ToOwned drop
    assert assert_eq assert_ne cfg compile_error concat dbg debug_assert debug_assert_eq
    debug_assert_ne env eprint eprintln file format format_args include include_bytes include_str
    line matches module_path option_env panic print println stringify thread_local todo
    unimplemented unreachable vec write writeln
"""
_PRIMITIVES = """
    bool char str u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f32 f64
"""
_LITERALS = {
    "int": frozenset(word for word in _PRIMITIVES.split() if word[0] in "ui"),
    "float": frozenset(("f32", "f64")),
    "str": frozenset(("str",)),
    "char": frozenset(("char",)),
    "bool": frozenset(("bool",)),
}
_PRELUDE = frozenset((*_PRELUDE_NAMES.split(), *_PRIMITIVES.split()))
_DOTTED_PATH = re.compile(r"\w+(\.\w+)*")
_SMART_POINTERS = frozenset(("Box", "Rc", "Arc", "Cow", "Pin", "Ref", "RefMut", "MutexGuard"))
_POINTER_CONSTRUCTORS = frozenset(
    (*(f"{name}.new" for name in ("Box", "Rc", "Arc", "Pin")), "Rc.clone", "Arc.clone")
)
_ARITHMETIC = {
    "+": "add",
    "-": "sub",
    "*": "mul",
    "/": "div",
    "%": "rem",
    "^": "bitxor",
    "&": "bitand",
    "|": "bitor",
    "<<": "shl",
    ">>": "shr",
}
_OPERATORS = {
    **{sign: (name,) for sign, name in _ARITHMETIC.items()},
    **{f"{sign}=": (f"{name}_assign",) for sign, name in _ARITHMETIC.items()},
    "==": ("eq",),
    "!=": ("ne", "eq"),
    "<": ("lt", "partial_cmp"),
    ">": ("gt", "partial_cmp"),
    "<=": ("le", "partial_cmp"),
    ">=": ("ge", "partial_cmp"),
}
_METHODS_CALLED = {"std.fmt.Display.to_string": (("Display::fmt",),), "std.drop": (("drop",),)}
_MODULE_WORDS = {"self": 1, "super": 2}
_ITERATOR_METHODS = "std.Iterator."
_NOT_CONSUMING = frozenset(("next", "into_iter", "by_ref"))  # they call no `next` of the iterator
_NEXT = ("next",)
_RUNNERS = (Runner("cargo"),)
_SHARING = ("trait", "enum")  # whose items and variants are as visible as they are
_MODIFIER = re.compile(r"pub\b(?:\s*\(\s*(\w+)[^)]*\))?")


class RustMembers(MemberSemantics):
    """Associated items, traits and `Deref`; source: the reference, "Method call expressions"."""

    self_type_name = "Self"
    choice = MemberChoice.INHERENT
    inheritance = Inheritance.IMPLEMENTING
    namespaces = Namespaces.KINDS
    root_class = "std.Derived"
    deref_method = "deref"
    fallback_member = "__more"

    def visibility(
        self, definition: Definition | None, around: Definition | None, *, modifier: str | None
    ) -> str:
        if around is not None and around.subkind in _SHARING:
            return _visibility(around.signature)
        if around is not None and len(around.bases) > 1:
            return "public"  # of a trait of another file
        if definition is None:
            return _visibility(modifier or "")
        return "" if definition.subkind == "macro" else _visibility(definition.signature)

    def is_abstract(self, definition: Definition) -> bool:
        return definition.kind == "function" and definition.signature.endswith(";")

    def is_static(self, definition: Definition) -> bool:
        return not _takes_self(definition)


class RustCalls(CallSemantics):
    """Methods by their `self` parameter, struct literals, and implementations by type."""

    overloading = Overloading.BY_IMPLEMENTATION
    types_of_literals = MappingProxyType(_LITERALS)
    literal_fields = frozenset((FieldKey.NAME,))

    def applied_decorators(self, definition: Definition) -> tuple[()]:  # noqa: ARG002 - none are called
        return ()  # attributes are not called

    def receiver(self, definition: Definition) -> Receiver | None:
        return Receiver.INSTANCE if _takes_self(definition) else None


class RustImplicitCalls(ImplicitCalls):
    """Operator traits, `IntoIterator`, and the `?` operator."""

    iterate_methods = ("into_iter",)
    next_methods = _NEXT
    enter_methods = ("unwrap",)  # of the patterns `Some(x)` and `Ok(x)`
    index_method = "index"
    awaitable_class = "std.Try"
    infix = MappingProxyType({sign: (names, ()) for sign, names in _OPERATORS.items()})
    prefix = MappingProxyType({"-": ("neg",), "!": ("not",)})
    error_conversion = "from"
    error_variant = "Err.0"


class RustTypes(TypeForms):
    """Traits, and smart pointers, whose values are those that they own."""

    aliases = MappingProxyType({"Result": "std.Result"})  # in `io`, `fmt` and most crates

    def only_assigned(self, rows: Sequence[int]) -> int:  # noqa: ARG002 - facts lack other assignments
        return 0

    def type_form(self, dotted: str) -> TypeForm | None:
        return TypeForm.FIRST if dotted.rpartition(".")[2] in _SMART_POINTERS else None

    def literal_type(self, kind: str) -> str:
        return f"std.{kind}"

    def is_interface(self, definition: Definition) -> bool:
        return definition.subkind == "trait"


class RustModuleNames(ModuleNames):
    """Paths, crates and the prelude; source: the reference, "Paths" and "Preludes"."""

    parent_module = "super"
    module_words = MappingProxyType(_MODULE_WORDS)
    builtin_module = "std"

    def manifest_settings(self, path: str, text: str) -> object:
        return crate_settings(path, text)

    def module_finder(self, layout: Layout) -> ModuleFinder:
        return RustCrates(layout)

    def bound_name(self, row: Import) -> str:
        name = row.local or row.name
        return row.module.rpartition(".")[2] if name in ("", "self") else name

    def taken_name(self, row: Import) -> str:
        return "" if row.name == "self" else row.name

    def builtin(self, name: str) -> str | None:
        return f"std.{name}" if name in _PRELUDE else None

    def is_placed(self, name: str) -> bool:
        return name in self.module_words

    def stub(self, dotted: str) -> FileFacts | None:
        return rust_stubs().facts(dotted) if _DOTTED_PATH.fullmatch(dotted) else None

    def is_stdlib(self, dotted: str) -> bool:
        return dotted.partition(".")[0] in ("std", "core", "alloc")

    def implemented(self, facts: FileFacts, number: int) -> Wanted | None:
        return extern_symbol(facts, facts.definitions[number])


class RustLibrary(TracedLibrary):
    """Smart pointers, whose constructors return their argument, and library calls."""

    def call_model(self, dotted: str) -> CallModel | None:
        is_constructor = ".".join(dotted.rsplit(".", 2)[-2:]) in _POINTER_CONSTRUCTORS
        return CallModel.IDENTITY if is_constructor else None

    def methods_called(self, dotted: str) -> MethodsCalled:
        if dotted.startswith(_ITERATOR_METHODS):
            is_consuming = dotted[len(_ITERATOR_METHODS) :] not in _NOT_CONSUMING
            return MethodsCalled((_NEXT,)) if is_consuming else NO_METHODS
        return MethodsCalled(_METHODS_CALLED[dotted]) if dotted in _METHODS_CALLED else NO_METHODS


class RustEntries(EntryRules):
    """`main`, and functions with `#[test]`."""

    manifests = frozenset((MANIFEST, PYTHON_MANIFEST))
    test_mark = re.compile(r"(?:\w+::)*(?:test|bench)\b")

    @property
    def runners(self) -> tuple[Runner, ...]:
        return _RUNNERS

    def is_main(self, definition: Definition, *, package: str) -> bool:  # noqa: ARG002 - Rust files have none
        return definition.name == "main" and not definition.scope


def _visibility(text: str) -> str:
    """Return the visibility that the modifier at the beginning of a text gives."""
    found = _MODIFIER.match(text)
    if found is None or found[1] == "self":
        return "private"
    if found[1] is None:
        return "public"
    return "crate" if found[1] == "crate" else "restricted"


def _takes_self(definition: Definition) -> bool:
    return bool(definition.parameters) and definition.parameters[0].name == "self"


RULES = LanguageRules(
    "rust",
    members=RustMembers(),
    calls=RustCalls(),
    implicit=RustImplicitCalls(),
    types=RustTypes(),
    modules=RustModuleNames(),
    library=RustLibrary(),
    entries=RustEntries(),
)
