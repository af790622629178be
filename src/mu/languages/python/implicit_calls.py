"""Python's implicit calls; source: the language reference, 3.3 "Special method names"."""

from types import MappingProxyType

from mu.resolve import ImplicitCalls

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
_OPERATORS = {
    **_COMPARISONS,
    **{sign: (f"__{name}__", f"__r{name}__") for sign, name in _ARITHMETIC.items()},
    **{
        f"{sign}=": (f"__i{name}__ __{name}__", f"__r{name}__")
        for sign, name in _ARITHMETIC.items()
    },
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


class PythonImplicitCalls(ImplicitCalls):
    """The special methods behind operators, loops, `with`, `await`, subscripts and attributes."""

    iterate_methods = ("__iter__", "__getitem__")
    next_methods = ("__next__", "__anext__")
    enter_methods = ("__enter__",)
    leave_methods = ("__exit__",)
    async_methods = MappingProxyType(
        {
            enter_methods: ("__aenter__",),
            leave_methods: ("__aexit__",),
            iterate_methods: ("__aiter__",),
        }
    )
    await_method = "__await__"
    awaitable_class = "collections.abc.Awaitable"
    index_method = "__getitem__"
    class_index_method = "__class_getitem__"
    missing_method = "__missing__"
    set_index_method = "__setitem__"
    delete_index_method = "__delitem__"
    keyed_class = "typing.TypedDict"
    key_argument = "key"
    get_method = "__get__"
    set_method = "__set__"
    delete_method = "__delete__"
    property_class = "builtins.property"
    accessor_arguments = ("fget", "fset", "fdel")
    set_attribute_method = "__setattr__"
    delete_attribute_method = "__delattr__"
    set_name_method = "__set_name__"
    subclass_hook = "__init_subclass__"
    infix = MappingProxyType(
        {sign: (tuple(a.split()), tuple(b.split())) for sign, (a, b) in _OPERATORS.items()}
    )
    prefix = MappingProxyType(_PREFIXES)
    key_operators = frozenset(("==", "!=", "in", "not in"))
    concatenations = ("+", "%")

    def is_common_method(self, name: str) -> bool:
        return name in _COMMON_METHODS
