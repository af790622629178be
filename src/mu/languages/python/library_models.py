"""Models of functions in Python's library, where stubs do not say enough."""

from types import MappingProxyType

from mu.languages.python.library_data import python_data
from mu.languages.python.type_forms import SPECIAL_FORMS, is_typing_form
from mu.resolve import CallModel, LibraryModels, MethodsCalled

_PARTIAL = frozenset(("functools.partial", "functools.partialmethod"))
_CALL_MODELS = {
    **dict.fromkeys(
        (
            *_PARTIAL,
            "builtins.staticmethod",
            "builtins.classmethod",
            "functools.cache",
            "functools.lru_cache",
        ),
        CallModel.IDENTITY,
    ),
    "typing.cast": CallModel.CAST,
    "typing_extensions.cast": CallModel.CAST,
    "builtins.super": CallModel.SUPER,
    "builtins.type": CallModel.TYPE_OF,
    "builtins.getattr": CallModel.ATTRIBUTE,
}
_WRAPPING_MODULES = (
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
_CALLBACK_CALLERS = frozenset(("functools.cmp_to_key", "functools.reduce"))
_COMPARING_FUNCTIONS = frozenset(("max", "min"))
_SPECIAL = SPECIAL_FORMS.union(
    _CALL_MODELS, ("builtins.property", "builtins.__import__", "importlib.import_module")
)


class PythonLibrary(LibraryModels):
    """Builtins, `functools` and similar modules, and library calls from the data file."""

    call_models = MappingProxyType(_CALL_MODELS)
    instance_maker = "__new__"
    partials = _PARTIAL
    forwarded_parameters = frozenset(("args", "kwargs"))
    element_fillers = MappingProxyType(
        dict.fromkeys(
            ("heappush", "heappushpop", "heapreplace", "insort", "insort_left", "insort_right"),
            "append",
        )
    )
    attribute_setter = "setattr"
    attribute_functions = frozenset(("getattr", "hasattr", "setattr", "delattr"))
    copying_functions = frozenset(
        ("dataclasses.replace", "copy.replace", "attr.evolve", "attrs.evolve")
    )
    copying_method = "_replace"
    namespace_functions = frozenset(("globals", "vars"))
    subclasses_method = "__subclasses__"

    def is_special(self, dotted: str) -> bool:
        return dotted in _SPECIAL or is_typing_form(dotted)

    def is_class_name(self, dotted: str) -> bool:
        module, _, last = dotted.rpartition(".")
        if module == "builtins":
            return last in python_data().classes or last[:1].isupper()
        return last.lstrip("_")[:1].isupper() and not last.isupper()

    def keeps_callables(self, dotted: str) -> bool:
        module = dotted.rpartition(".")[0]
        return dotted not in _CALLBACK_CALLERS and module.startswith(_WRAPPING_MODULES)

    def compares_arguments(self, name: str) -> bool:
        return name in _COMPARING_FUNCTIONS

    def methods_called(self, dotted: str) -> MethodsCalled:
        return python_data().methods_called(dotted)
