"""The language rules of Python.

Source: the language reference, chapters 3 to 5.
"""

import re
from collections.abc import Sequence
from functools import cached_property, lru_cache
from types import MappingProxyType

from mu.languages.frameworks import load_frameworks, load_injected, load_runners
from mu.languages.python.implicit_calls import PythonImplicitCalls
from mu.languages.python.library_models import PythonLibrary
from mu.languages.python.manifests import MANIFESTS, entry_points, setup_entry_points
from mu.languages.python.module_names import PythonModuleNames
from mu.languages.python.type_forms import PythonTypes
from mu.model.facts import Definition, FileFacts
from mu.resolve import (
    CallSemantics,
    Declared,
    EntryRules,
    Framework,
    Injected,
    LanguageRules,
    MemberChoice,
    MemberSemantics,
    Receiver,
    Runner,
)

_CONSTRUCTORS = ("__init__", "__new__")
_IMPLICIT_CLASS_METHODS = frozenset(("__new__", "__init_subclass__", "__class_getitem__"))
_PROPERTIES = frozenset(
    ("property", "cached_property", "abstractproperty", "classproperty", "setter", "deleter")
)
_DATA_PROPERTIES = frozenset(("property", "abstractproperty", "setter", "deleter"))
_ACCESSORS = {"setter": "=", "deleter": "del"}
_ABSTRACT = frozenset(("abstractmethod", "abstractproperty"))
_RECORD_DECORATOR = re.compile(
    r"(?:[\w.]+\.)?(?:dataclass|define|frozen|mutable|attrs)\b|attr\.s\b"
)
_SINGLE_DISPATCH = {
    "functools.singledispatch": "register",
    "functools.singledispatchmethod": "register",
}


class PythonMembers(MemberSemantics):
    """Attributes: properties, metaclasses, `__getattr__` and private names."""

    choice = MemberChoice.DATA_DESCRIPTOR
    class_attribute = "__class__"
    namespace_attribute = "__dict__"
    root_class = "builtins.object"
    metaclass = "builtins.type"
    metaclass_keyword = "metaclass"
    fallback_member = "__getattr__"

    def is_property(self, definition: Definition) -> bool:
        return any(_decorator_name(text) in _PROPERTIES for _, _, text in definition.decorators)

    def is_data_property(self, definition: Definition) -> bool:
        return bool(definition.decorators and decorator_names(definition) & _DATA_PROPERTIES)

    def accessor(self, definition: Definition) -> str:
        names = [text.rpartition(".")[2] for _, _, text in definition.decorators]
        return next((_ACCESSORS[name] for name in names if name in _ACCESSORS), "")

    def continues(self, definition: Definition) -> bool:
        names = {text.rpartition(".")[2] for _, _, text in definition.decorators}
        return bool(names & {"setter", "deleter", "register"})

    def is_private_to_class(self, name: str) -> bool:
        return name.startswith("__") and not name.endswith("__")

    def is_abstract(self, definition: Definition) -> bool:
        return bool(definition.decorators and decorator_names(definition) & _ABSTRACT)

    def is_static(self, definition: Definition) -> bool:
        return bool(definition.decorators) and "staticmethod" in decorator_names(definition)

    def subkind(self, definition: Definition, *, in_class: bool) -> str:
        if in_class and definition.kind == "function":
            if definition.decorators and self.is_property(definition):
                return "property"
            if definition.name in _CONSTRUCTORS:
                return "constructor"
        return super().subkind(definition, in_class=in_class)


class PythonCalls(CallSemantics):
    """Constructors, receivers by decorator, and records such as data classes."""

    constructors = _CONSTRUCTORS
    completing_methods = ("__post_init__", "__attrs_post_init__")
    call_method = "__call__"
    single_dispatch = MappingProxyType(_SINGLE_DISPATCH)
    variadic_types = MappingProxyType({"*": "tuple", "**": "dict"})
    literal_form = "Literal"

    def receiver(self, definition: Definition) -> Receiver | None:
        names = decorator_names(definition) if definition.decorators else ()
        if "staticmethod" in names:
            return None
        if "classmethod" in names or definition.name in _IMPLICIT_CLASS_METHODS:
            return Receiver.CLASS
        return Receiver.INSTANCE

    def is_record(self, definition: Definition) -> bool:
        return any(_RECORD_DECORATOR.match(text) for _, _, text in definition.decorators)

    def is_record_base(self, dotted: str) -> bool:
        return dotted == "typing.NamedTuple"


class PythonEntries(EntryRules):
    """`__main__`, manifests, frameworks and test runners."""

    main_modules = ("__main__",)
    main_check = ("__name__", "==", "__main__")
    manifests = MANIFESTS

    @cached_property
    def injected(self) -> Injected:
        return load_injected("python")

    @cached_property
    def frameworks(self) -> tuple[Framework, ...]:
        return load_frameworks("python")

    @cached_property
    def runners(self) -> tuple[Runner, ...]:
        return load_runners("python")

    def declared(self, path: str, text: str) -> Sequence[Declared]:
        return tuple(entry_points(path, text))

    def declared_in(self, path: str, facts: FileFacts) -> Sequence[Declared]:
        return tuple(setup_entry_points(path, facts))


def decorator_names(definition: Definition) -> set[str]:
    """Return the last names of a definition's decorators, without their arguments."""
    return {_decorator_name(text) for _, _, text in definition.decorators}


@lru_cache(maxsize=4096)
def _decorator_name(text: str) -> str:
    return text.partition("(")[0].rpartition(".")[2].strip()


RULES = LanguageRules(
    "python",
    members=PythonMembers(),
    calls=PythonCalls(),
    implicit=PythonImplicitCalls(),
    types=PythonTypes(),
    modules=PythonModuleNames(),
    library=PythonLibrary(),
    entries=PythonEntries(),
)
