"""Rust: what its names mean, beyond what the syntax says. See `tests/corpora/rust`."""

import re

from mu.languages.rust_crates import MANIFEST, RustCrates
from mu.languages.rust_provided import PYTHON_MANIFEST, declared_symbol
from mu.languages.stubs import rust_stubs
from mu.model.facts import Definition, FileFacts, Import
from mu.resolve import (
    LanguageRules,
    Layout,
    ModuleFinder,
    Receiver,
    Runner,
    TypeForm,
    Wanted,
)

_NAMES = """
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
_PRELUDE = frozenset((*_NAMES.split(), *_PRIMITIVES.split()))
_PLAIN = re.compile(r"\w+(\.\w+)*")
_OWNERS = frozenset(("Box", "Rc", "Arc", "Cow", "Pin", "Ref", "RefMut", "MutexGuard"))
_MAKERS = frozenset(
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
_RUN = {"std.fmt.Display.to_string": (("Display::fmt",),), "std.drop": (("drop",),)}
_MODULE_WORDS = {"self": 1, "super": 2}
_ITERATING = "std.Iterator."
_PASSED_ON = frozenset(("next", "into_iter", "by_ref"))  # what takes nothing out of an iterator
_PREFIXES = {"-": ("neg",), "!": ("not",)}


class RustRules(LanguageRules):
    """Rust's paths, implementations and traits; source: the Rust reference."""

    name = "rust"
    knows_assignments = False
    literals_set_fields = True
    results_are_outside = True
    named_after = {"Result": "std.Result"}  # noqa: RUF012 - of `io`, `fmt` and most crates
    has_names_by_kind = True
    has_function_names = True
    has_function_values = True
    has_implementations = True
    types_of_literals = _LITERALS
    has_inherent_members = True
    decorators_run = False
    test_mark = re.compile(r"(?:\w+::)*(?:test|bench)\b")
    runners = (Runner("cargo"),)
    own_class_name = "Self"
    parent_module = "super"
    module_words = _MODULE_WORDS
    builtin_module = "std"
    iterate_methods = ("into_iter",)
    next_methods = ("next",)
    index_method = "index"
    enter_methods = ("unwrap",)  # what `Some(x)` and `Ok(x)` take out
    pointing_method = "deref"
    converting_method = "from"
    error_member = "Err.0"
    root_class = "std.Derived"
    open_member = "__more"
    awaitable_class = "std.Try"
    manifests = frozenset((MANIFEST, PYTHON_MANIFEST))

    def module_finder(self, layout: Layout) -> ModuleFinder:
        return RustCrates(layout)

    def implemented(self, facts: FileFacts, number: int) -> Wanted | None:
        return declared_symbol(facts, facts.definitions[number])

    def bound_name(self, row: Import) -> str:
        name = row.local or row.name
        return row.module.rpartition(".")[2] if name in ("", "self") else name

    def taken_name(self, row: Import) -> str:
        return "" if row.name == "self" else row.name

    def receiver(self, definition: Definition) -> Receiver | None:
        first = definition.parameters[0].name if definition.parameters else ""
        return Receiver.INSTANCE if first == "self" else None

    def builtin(self, name: str) -> str | None:
        return f"std.{name}" if name in _PRELUDE else None

    def library(self, dotted: str) -> FileFacts | None:
        return rust_stubs().facts(dotted) if _PLAIN.fullmatch(dotted) else None

    def operator_methods(self, operator: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        return _OPERATORS.get(operator, ()), ()

    def prefix_methods(self, operator: str) -> tuple[str, ...]:
        return _PREFIXES.get(operator, ())

    def literal_type(self, kind: str) -> str:
        return f"std.{kind}"

    def type_form(self, dotted: str) -> TypeForm | None:
        return TypeForm.FIRST if dotted.rpartition(".")[2] in _OWNERS else None

    def is_main(self, definition: Definition, *, package: str) -> bool:  # noqa: ARG002 - has none
        return definition.name == "main" and not definition.scope

    def is_placed(self, name: str) -> bool:
        return name in self.module_words

    def is_special(self, dotted: str) -> bool:
        return self.is_transparent(dotted)

    def methods_called(self, dotted: str) -> tuple[tuple[str, ...], ...]:
        if dotted.startswith(_ITERATING):
            return () if dotted[len(_ITERATING) :] in _PASSED_ON else (self.next_methods,)
        return _RUN.get(dotted, ())

    def is_transparent(self, dotted: str) -> bool:
        return ".".join(dotted.rsplit(".", 2)[-2:]) in _MAKERS

    def is_stdlib(self, dotted: str) -> bool:
        return dotted.partition(".")[0] in ("std", "core", "alloc")

    def is_interface(self, definition: Definition) -> bool:
        return definition.subkind == "trait"

    def is_static(self, definition: Definition) -> bool:
        return self.receiver(definition) is None

    def is_abstract(self, definition: Definition) -> bool:
        return definition.kind == "function" and definition.signature.endswith(";")


RULES = RustRules()
