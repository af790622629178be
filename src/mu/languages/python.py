"""Python: what its names mean, beyond what the syntax says."""

import re
from collections.abc import Sequence
from functools import cached_property, lru_cache
from importlib.resources import files
from types import MappingProxyType

import msgspec

from mu.languages.frameworks import load_frameworks, load_injected, load_runners
from mu.languages.outside_calls import LibraryCalls
from mu.languages.python_manifests import (
    MANIFESTS,
    declared,
    declared_by_setup,
    native_modules,
)
from mu.languages.python_modules import PythonModules
from mu.languages.stubs import python_stubs
from mu.model.facts import Definition, FileFacts, Import
from mu.resolve import (
    Declared,
    Framework,
    Injected,
    LanguageRules,
    Layout,
    Linkage,
    ModuleFinder,
    Receiver,
    Runner,
    TypeForm,
    Wanted,
)

_IMPLICIT_CLASS_METHODS = frozenset(("__new__", "__init_subclass__", "__class_getitem__"))
_PROPERTIES = frozenset(
    ("property", "cached_property", "abstractproperty", "classproperty", "setter", "deleter")
)
_DATA_PROPERTIES = frozenset(("property", "abstractproperty", "setter", "deleter"))
_LOADERS = """
    ctypes.CDLL ctypes.PyDLL ctypes.WinDLL ctypes.OleDLL ctypes.cdll.LoadLibrary
    ctypes.pydll.LoadLibrary ctypes.windll.LoadLibrary ctypes.oledll.LoadLibrary
    cffi.FFI.dlopen
"""
_ACCESSORS = {"setter": "=", "deleter": "del"}
_COMPARING = frozenset(("max", "min"))
_ABSTRACT = frozenset(("abstractmethod", "abstractproperty"))
_ABSTRACT_CLASSES = ("collections.abc.", "numbers.", "io.IOBase", "io.RawIOBase")
_TYPE_FORMS = {
    "Optional": TypeForm.UNION,
    "Union": TypeForm.UNION,
    "Annotated": TypeForm.FIRST,
    "Final": TypeForm.FIRST,
    "ClassVar": TypeForm.FIRST,
    "Required": TypeForm.FIRST,
    "NotRequired": TypeForm.FIRST,
    "ReadOnly": TypeForm.FIRST,
    "Type": TypeForm.TYPE,
    "Self": TypeForm.SELF,
    "Callable": TypeForm.CALLABLE,
    "Tuple": TypeForm.TUPLE,
    "Any": TypeForm.NONE,
    "Literal": TypeForm.NONE,
    "NoReturn": TypeForm.NONE,
    "Never": TypeForm.NONE,
    "LiteralString": TypeForm.NONE,
    "TypeAlias": TypeForm.NONE,
    "Concatenate": TypeForm.NONE,
    "Unpack": TypeForm.NONE,
    "TypeGuard": TypeForm.NONE,
    "TypeIs": TypeForm.NONE,
}
_TYPING = ("typing.", "typing_extensions.")
_FORMS = {
    "builtins.type": TypeForm.TYPE,
    "builtins.tuple": TypeForm.TUPLE,
    "collections.abc.Callable": TypeForm.CALLABLE,
}
_GENERIC_BASES = frozenset(
    f"{module}.{name}"
    for module in ("typing", "typing_extensions")
    for name in ("Generic", "Protocol")
)
_TYPE_VARIABLES = frozenset(
    f"{module}.{name}"
    for module in ("typing", "typing_extensions")
    for name in ("TypeVar", "ParamSpec", "TypeVarTuple")
)
_PARTIAL = frozenset(("functools.partial", "functools.partialmethod"))
_TRANSPARENT = _PARTIAL | frozenset(
    (
        "builtins.staticmethod",
        "builtins.classmethod",
        "functools.cache",
        "functools.lru_cache",
    )
)
_KEEPERS = (
    "abc",
    "builtins.classmethod",
    "builtins.property",
    "builtins.staticmethod",
    "contextlib",
    "dataclasses",
    "functools",
    "inspect",
    "types",
    "typing",
    "unittest.mock",
    "weakref",
)
_RECORD_DECORATOR = re.compile(
    r"(?:[\w.]+\.)?(?:dataclass|define|frozen|mutable|attrs)\b|attr\.s\b"
)
_CALLERS = frozenset(("functools.cmp_to_key", "functools.reduce"))
_CASTS = frozenset(("typing.cast", "typing_extensions.cast"))
_SPECIAL = (
    _TRANSPARENT
    | _CASTS
    | _GENERIC_BASES
    | _TYPE_VARIABLES
    | {
        "builtins.super",
        "builtins.type",
        "builtins.getattr",
        "builtins.property",
        "collections.abc.Callable",
        "builtins.__import__",
        "importlib.import_module",
    }
)
_ARITHMETIC = {
    "+": "add",
    "-": "sub",
    "*": "mul",
    "/": "truediv",
    "//": "floordiv",
    "%": "mod",
    "**": "pow",
    "@": "matmul",
    "&": "and",
    "|": "or",
    "^": "xor",
    "<<": "lshift",
    ">>": "rshift",
}
_COMPARISONS = {
    "==": ("__eq__", "__eq__"),
    "!=": ("__ne__ __eq__", "__ne__ __eq__"),
    "<": ("__lt__", "__gt__"),
    "<=": ("__le__", "__ge__"),
    ">": ("__gt__", "__lt__"),
    ">=": ("__ge__", "__le__"),
    "in": ("", "__contains__ __iter__ __getitem__"),
    "not in": ("", "__contains__ __iter__ __getitem__"),
}
_OPERATORS = _COMPARISONS | {
    sign: (f"__{name}__", f"__r{name}__") for sign, name in _ARITHMETIC.items()
}
_OPERATORS |= {
    f"{sign}=": (f"__i{name}__ __{name}__", f"__r{name}__") for sign, name in _ARITHMETIC.items()
}
_PREFIXES = {
    "-": ("__neg__",),
    "+": ("__pos__",),
    "~": ("__invert__",),
    "if": ("__bool__", "__len__"),
    "format": ("__format__", "__str__", "__repr__"),
    "repr": ("__repr__",),
    "await": ("__await__",),
}
_COMMON_METHODS = frozenset(
    " ".join(
        (
            "__aenter__ __aexit__ __aiter__ __anext__ __await__ __call__ __contains__ __delattr__",
            "__delitem__ __enter__ __exit__ __getattr__ __getitem__ __hash__ __init__ __iter__",
            "__len__ __next__ __setattr__ __setitem__ __str__",
            *(names for sides in _OPERATORS.values() for names in sides),
            *(name for names in _PREFIXES.values() for name in names),
        )
    ).split()
)
_PLAIN = frozenset(
    f"builtins.{name}" for name in ("str", "bytes", "int", "float", "complex", "bool")
)
_CONTAINERS = frozenset(
    f"builtins.{name}" for name in ("dict", "list", "tuple", "set", "frozenset", "bytearray")
)
_DISPATCHERS = {
    "functools.singledispatch": "register",
    "functools.singledispatchmethod": "register",
}
_LITERALS = {"none": "NoneType", "generator": "generator"}


class _Names(LibraryCalls, frozen=True):
    """The lists of names that are shipped as data."""

    builtins: frozenset[str]
    classes: frozenset[str]
    stdlib: frozenset[str]
    structural: frozenset[str]


class PythonRules(LanguageRules):
    """Python's data model, as far as names go; sources: the language reference, chapters 3 to 5."""

    name = "python"
    constructors = ("__init__", "__new__")
    completing_methods = ("__post_init__", "__attrs_post_init__")
    call_method = "__call__"
    declarations_run = False
    enter_methods = ("__enter__",)
    iterate_methods = ("__iter__", "__getitem__")
    next_methods = ("__next__", "__anext__")
    key_argument = "key"
    index_method = "__getitem__"
    class_index_method = "__class_getitem__"
    keyed_class = "typing.TypedDict"
    missing_method = "__missing__"
    set_index_method = "__setitem__"
    element_fillers = MappingProxyType(
        dict.fromkeys(
            ("heappush", "heappushpop", "heapreplace", "insort", "insort_left", "insort_right"),
            "append",
        )
    )
    delete_index_method = "__delitem__"
    leave_methods = ("__exit__",)
    async_methods = MappingProxyType(
        {
            enter_methods: ("__aenter__",),
            leave_methods: ("__aexit__",),
            iterate_methods: ("__aiter__",),
        }
    )
    get_method = "__get__"
    set_method = "__set__"
    delete_method = "__delete__"
    property_maker = "builtins.property"
    accessor_arguments = ("fget", "fset", "fdel")
    set_attribute_method = "__setattr__"
    delete_attribute_method = "__delattr__"
    subclasses_method = "__subclasses__"
    named_method = "__set_name__"
    extended_method = "__init_subclass__"
    rest_types = MappingProxyType({"*": "tuple", "**": "dict"})
    attribute_setter = "setattr"
    later_arguments = frozenset(("args", "kwargs"))
    appliers = _PARTIAL
    name_tables = frozenset(("globals", "vars"))
    names_attribute = "__dict__"
    dispatchers = _DISPATCHERS
    module_table = "sys.modules"
    module_name = "__name__"
    key_operators = frozenset(("==", "!=", "in", "not in"))
    joining = ("+", "%")
    builtin_module = "builtins"
    generator_class = "collections.abc.Generator"
    async_generator_class = "collections.abc.AsyncGenerator"
    coroutine_class = "collections.abc.Coroutine"
    await_method = "__await__"
    awaitable_class = "collections.abc.Awaitable"
    open_member = "__getattr__"
    root_class = "builtins.object"
    metaclass = "builtins.type"
    literal_form = "Literal"
    metaclass_keyword = "metaclass"
    class_attribute = "__class__"
    main_modules = ("__main__",)
    main_check = ("__name__", "==", "__main__")
    library_loaders = frozenset(_LOADERS.split())
    manifests = MANIFESTS

    @cached_property
    def injected(self) -> Injected:  # type: ignore[override]  # read from data when first asked
        return load_injected("python")

    @cached_property
    def frameworks(self) -> tuple[Framework, ...]:  # type: ignore[override]  # as above
        return load_frameworks("python")

    @cached_property
    def runners(self) -> tuple[Runner, ...]:  # type: ignore[override]  # as above
        return load_runners("python")

    @cached_property
    def _known(self) -> "_Names":
        text = files("mu.languages").joinpath("data/python.toml").read_text(encoding="utf-8")
        return msgspec.toml.decode(text, type=_Names)

    def module_finder(self, layout: Layout) -> ModuleFinder:
        native = native_modules(layout.manifests)
        return PythonModules(layout.paths, layout.roots, self._known.stdlib, native=native)

    def declared(self, path: str, text: str) -> Sequence[Declared]:
        return tuple(declared(path, text))

    def declared_in(self, path: str, facts: FileFacts) -> Sequence[Declared]:
        return tuple(declared_by_setup(path, facts))

    def wanted(self, dotted: str, facts: FileFacts) -> Wanted | None:  # noqa: ARG002 - whatever is in it
        return Wanted(Linkage.EXTENSION, dotted)

    def bound_name(self, row: Import) -> str:
        return row.local or row.module.partition(".")[0]

    def binds_first_part(self, row: Import) -> bool:
        return not row.local and "." in row.module

    def receiver(self, definition: Definition) -> Receiver | None:
        names = decorator_names(definition) if definition.decorators else ()
        if "staticmethod" in names:
            return None
        if "classmethod" in names or definition.name in _IMPLICIT_CLASS_METHODS:
            return Receiver.CLASS
        return Receiver.INSTANCE

    def is_property(self, definition: Definition) -> bool:
        return any(_decorator_name(text) in _PROPERTIES for _, _, text in definition.decorators)

    def continues(self, definition: Definition) -> bool:
        last = {text.rpartition(".")[2] for _, _, text in definition.decorators}
        return bool(last & {"setter", "deleter", "register"})

    def is_set_through(self, definition: Definition) -> bool:
        return bool(definition.decorators and decorator_names(definition) & _DATA_PROPERTIES)

    def accesses(self, definition: Definition) -> str:
        last = [text.rpartition(".")[2] for _, _, text in definition.decorators]
        return next((_ACCESSORS[name] for name in last if name in _ACCESSORS), "")

    def builtin(self, name: str) -> str | None:
        return f"builtins.{name}" if name in self._known.builtins else None

    def is_placed(self, name: str) -> bool:
        return name == "super"

    def is_common_method(self, name: str) -> bool:
        return name in _COMMON_METHODS

    def is_private_to_class(self, name: str) -> bool:
        return name.startswith("__") and not name.endswith("__")

    def library(self, dotted: str) -> FileFacts | None:
        return python_stubs().facts(dotted)

    def library_exports(self, dotted: str) -> frozenset[str]:
        return python_stubs().exports(dotted)

    def is_library_package(self, dotted: str) -> bool:
        return python_stubs().is_package(dotted)

    def is_special(self, dotted: str) -> bool:
        if dotted in _SPECIAL:
            return True
        return dotted.startswith(_TYPING) and dotted.rpartition(".")[2] in _TYPE_FORMS

    def operator_methods(self, operator: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        left, right = _OPERATORS.get(operator, ("", ""))
        return tuple(left.split()), tuple(right.split())

    def prefix_methods(self, operator: str) -> tuple[str, ...]:
        return _PREFIXES.get(operator, ())

    def literal_type(self, kind: str) -> str:
        return f"builtins.{_LITERALS.get(kind, kind)}"

    def is_class_name(self, dotted: str) -> bool:
        module, _, last = dotted.rpartition(".")
        if module == "builtins":
            return last in self._known.classes or last[:1].isupper()
        return last.lstrip("_")[:1].isupper() and not last.isupper()

    def is_stdlib(self, dotted: str) -> bool:
        return dotted.partition(".")[0] in self._known.stdlib

    def type_form(self, dotted: str) -> TypeForm | None:
        form = _FORMS.get(dotted)
        if form is None and dotted.startswith(_TYPING):
            return _TYPE_FORMS.get(dotted.rpartition(".")[2])
        return form

    def is_generic_base(self, dotted: str) -> bool:
        return dotted in _GENERIC_BASES

    def is_type_variable(self, dotted: str) -> bool:
        return dotted in _TYPE_VARIABLES

    def is_record(self, definition: Definition) -> bool:
        heads = [text for _, _, text in definition.decorators]
        return any(_RECORD_DECORATOR.match(text) for text in heads)

    def is_record_base(self, dotted: str) -> bool:
        return dotted == "typing.NamedTuple"

    def keeps_callables(self, dotted: str) -> bool:
        module = dotted.rpartition(".")[0]
        return dotted not in _CALLERS and module.startswith(_KEEPERS)

    def methods_called(self, dotted: str) -> tuple[tuple[str, ...], ...]:
        return self._known.on_receiver(dotted)

    def methods_called_on_arguments(self, dotted: str) -> tuple[tuple[str, ...], ...]:
        return self._known.on_arguments(dotted)

    def methods_called_on_result(self, dotted: str) -> tuple[tuple[str, ...], ...]:
        return self._known.on_result(dotted)

    def methods_called_on_elements(self, dotted: str) -> tuple[tuple[str, ...], ...]:
        return self._known.on_elements(dotted)

    def compares_arguments(self, name: str) -> bool:
        return name in _COMPARING

    def is_abstract_class(self, dotted: str) -> bool:
        return dotted in self._known.structural or dotted.startswith(_ABSTRACT_CLASSES)

    def is_structural(self, dotted: str) -> bool:
        return dotted in self._known.structural

    def is_plain(self, dotted: str) -> bool:
        return dotted in _PLAIN

    def is_rarely_extended(self, dotted: str) -> bool:
        return dotted in _PLAIN or dotted in _CONTAINERS

    def is_protocol(self, dotted: str) -> bool:
        return dotted in _GENERIC_BASES and dotted.endswith(".Protocol")

    def is_instance_maker(self, name: str) -> bool:
        return name == "__new__"

    def is_attribute_read(self, dotted: str) -> bool:
        return dotted == "builtins.getattr"

    def is_cast(self, dotted: str) -> bool:
        return dotted in _CASTS

    def is_module_load(self, dotted: str, name: str) -> bool:
        return dotted == "importlib.import_module" or (
            dotted == "builtins.__import__" and "." not in name
        )

    def loaded_name(self, name: str) -> tuple[str, int]:
        inside = name.lstrip(".")
        return inside, len(name) - len(inside)

    def is_enumeration(self, dotted: str) -> bool:
        return dotted.startswith("enum.")

    def is_super(self, dotted: str) -> bool:
        return dotted == "builtins.super"

    def is_type_of(self, dotted: str) -> bool:
        return dotted == "builtins.type"

    def is_transparent(self, dotted: str) -> bool:
        return dotted in _TRANSPARENT

    def visibility(self, name: str) -> str:
        if not name.startswith("_"):
            return "public"
        return "public" if name.startswith("__") and name.endswith("__") else "private"

    def is_abstract(self, definition: Definition) -> bool:
        return bool(definition.decorators and decorator_names(definition) & _ABSTRACT)

    def is_static(self, definition: Definition) -> bool:
        return bool(definition.decorators) and "staticmethod" in decorator_names(definition)

    def is_exported(self, name: str) -> bool:
        return not name.startswith("_")

    def exports_name(self) -> str:
        return "__all__"

    def subkind(self, definition: Definition, *, in_class: bool) -> str:
        if in_class and definition.kind == "function":
            if definition.decorators and self.is_property(definition):
                return "property"
            if definition.name in self.constructors:
                return "constructor"
        return super().subkind(definition, in_class=in_class)


def decorator_names(definition: Definition) -> set[str]:
    """The last names of a definition's decorators, without their arguments."""
    return {_decorator_name(text) for _, _, text in definition.decorators}


@lru_cache(maxsize=4096)
def _decorator_name(text: str) -> str:
    return text.partition("(")[0].rpartition(".")[2].strip()


RULES = PythonRules()
