"""Python's type forms; source: the documentation of `typing` and `collections.abc`."""

from mu.languages.python.library_data import python_data
from mu.resolve import DeclaredMethods, TypeForm, TypeForms

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
_ABSTRACT_CLASSES = ("collections.abc.", "numbers.", "io.IOBase", "io.RawIOBase")
_PLAIN = frozenset(
    f"builtins.{name}" for name in ("str", "bytes", "int", "float", "complex", "bool")
)
_PROMOTED = frozenset(("builtins.float", "builtins.complex", "builtins.bytes"))
"""Types that also admit others: `float` admits `int`; source: PEP 484, "The numeric tower"."""
_CONTAINERS = frozenset(
    f"builtins.{name}" for name in ("dict", "list", "tuple", "set", "frozenset", "bytearray")
)
_LITERALS = {"none": "NoneType", "generator": "generator"}
SPECIAL_FORMS = _GENERIC_BASES | _TYPE_VARIABLES | frozenset(("collections.abc.Callable",))
"""External names with a special meaning in type expressions, which stubs do not override."""


class PythonTypes(TypeForms):
    """Annotations, literals, and the abstract classes of the library as structural types."""

    generator_class = "collections.abc.Generator"
    async_generator_class = "collections.abc.AsyncGenerator"
    coroutine_class = "collections.abc.Coroutine"
    declared_methods = DeclaredMethods.HIDDEN

    def type_form(self, dotted: str) -> TypeForm | None:
        form = _FORMS.get(dotted)
        if form is None and dotted.startswith(_TYPING):
            return _TYPE_FORMS.get(dotted.rpartition(".")[2])
        return form

    def literal_type(self, kind: str) -> str:
        return f"builtins.{_LITERALS.get(kind, kind)}"

    def is_type_variable(self, dotted: str) -> bool:
        return dotted in _TYPE_VARIABLES

    def is_generic_base(self, dotted: str) -> bool:
        return dotted in _GENERIC_BASES

    def is_enumeration(self, dotted: str) -> bool:
        return dotted.startswith("enum.")

    def is_plain(self, dotted: str) -> bool:
        return dotted in _PLAIN

    def is_rarely_extended(self, dotted: str) -> bool:
        return dotted in _PLAIN or dotted in _CONTAINERS

    def is_open(self, dotted: str) -> bool:
        return dotted in _PROMOTED

    def is_abstract_class(self, dotted: str) -> bool:
        return dotted in python_data().structural or dotted.startswith(_ABSTRACT_CLASSES)

    def is_structural(self, dotted: str) -> bool:
        return dotted in python_data().structural

    def is_protocol(self, dotted: str) -> bool:
        return dotted in _GENERIC_BASES and dotted.endswith(".Protocol")


def is_typing_form(dotted: str) -> bool:
    """Return whether an external name is a special form of `typing`."""
    return dotted.startswith(_TYPING) and dotted.rpartition(".")[2] in _TYPE_FORMS
