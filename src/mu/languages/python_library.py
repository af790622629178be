"""What functions of Python's library do, as far as stubs do not tell."""

from types import MappingProxyType

from mu.languages.python_data import python_data
from mu.languages.python_types import SPECIAL_FORMS, is_typing_form
from mu.resolve import LibraryModels

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
_CALLERS = frozenset(("functools.cmp_to_key", "functools.reduce"))
_CASTS = frozenset(("typing.cast", "typing_extensions.cast"))
_COMPARING = frozenset(("max", "min"))
_SPECIAL = (
    _TRANSPARENT
    | _CASTS
    | SPECIAL_FORMS
    | {
        "builtins.super",
        "builtins.type",
        "builtins.getattr",
        "builtins.property",
        "builtins.__import__",
        "importlib.import_module",
    }
)


class PythonLibrary(LibraryModels):
    """Builtins, `functools` and the like, and what the data file tells of methods called."""

    partials = _PARTIAL
    forwarded_parameters = frozenset(("args", "kwargs"))
    element_fillers = MappingProxyType(
        dict.fromkeys(
            ("heappush", "heappushpop", "heapreplace", "insort", "insort_left", "insort_right"),
            "append",
        )
    )
    attribute_setter = "setattr"
    namespace_functions = frozenset(("globals", "vars"))
    subclasses_method = "__subclasses__"

    def is_special(self, dotted: str) -> bool:
        return dotted in _SPECIAL or is_typing_form(dotted)

    def is_class_name(self, dotted: str) -> bool:
        module, _, last = dotted.rpartition(".")
        if module == "builtins":
            return last in python_data().classes or last[:1].isupper()
        return last.lstrip("_")[:1].isupper() and not last.isupper()

    def is_super(self, dotted: str) -> bool:
        return dotted == "builtins.super"

    def is_type_of(self, dotted: str) -> bool:
        return dotted == "builtins.type"

    def is_transparent(self, dotted: str) -> bool:
        return dotted in _TRANSPARENT

    def is_cast(self, dotted: str) -> bool:
        return dotted in _CASTS

    def is_attribute_read(self, dotted: str) -> bool:
        return dotted == "builtins.getattr"

    def is_instance_maker(self, name: str) -> bool:
        return name == "__new__"

    def keeps_callables(self, dotted: str) -> bool:
        module = dotted.rpartition(".")[0]
        return dotted not in _CALLERS and module.startswith(_KEEPERS)

    def compares_arguments(self, name: str) -> bool:
        return name in _COMPARING

    def methods_called(self, dotted: str) -> tuple[tuple[str, ...], ...]:
        return python_data().on_receiver(dotted)

    def methods_called_on_arguments(self, dotted: str) -> tuple[tuple[str, ...], ...]:
        return python_data().on_arguments(dotted)

    def methods_called_on_result(self, dotted: str) -> tuple[tuple[str, ...], ...]:
        return python_data().on_result(dotted)

    def methods_called_on_elements(self, dotted: str) -> tuple[tuple[str, ...], ...]:
        return python_data().on_elements(dotted)
