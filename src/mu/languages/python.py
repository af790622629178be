"""Python: what its names mean, beyond what the syntax says."""

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from importlib.resources import files

from mu.languages.python_modules import PythonModules
from mu.model.facts import Definition, Import
from mu.resolve import LanguageRules, ModuleFinder, Receiver, TypeForm

_IMPLICIT_CLASS_METHODS = frozenset(("__new__", "__init_subclass__", "__class_getitem__"))
_PROPERTIES = frozenset(
    ("property", "cached_property", "abstractproperty", "classproperty", "setter", "deleter")
)
_ABSTRACT = frozenset(("abstractmethod", "abstractproperty"))
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
    "Any": TypeForm.NONE,
    "Literal": TypeForm.NONE,
    "NoReturn": TypeForm.NONE,
    "Never": TypeForm.NONE,
}
_TYPING = ("typing.", "typing_extensions.")
_EMPTY_BASES = frozenset(
    (
        "abc.ABC",
        "builtins.object",
        "typing.Generic",
        "typing.Protocol",
        "typing_extensions.Generic",
        "typing_extensions.Protocol",
    )
)
_TRANSPARENT = frozenset(
    (
        "builtins.staticmethod",
        "builtins.classmethod",
        "functools.cache",
        "functools.lru_cache",
        "functools.partial",
        "functools.partialmethod",
    )
)
_LITERALS = {"none": "NoneType", "generator": "generator"}


class PythonRules(LanguageRules):
    """Python's data model, as far as names go; sources: the language reference, chapters 3 to 5."""

    name = "python"
    constructors = ("__init__", "__new__")
    call_method = "__call__"
    enter_method = "__enter__"
    class_attribute = "__class__"

    @cached_property
    def _data(self) -> dict[str, dict[str, frozenset[str]]]:
        """The shipped lists of names: those of the table without a name, and of the named one."""
        text = files("mu.languages").joinpath("data/python.toml").read_text(encoding="utf-8")
        lists = tomllib.loads(text)
        members = lists.pop("members_of")
        return {"": _sets(lists), "members_of": _sets(members)}

    @cached_property
    def _known(self) -> dict[str, frozenset[str]]:
        return self._data[""]

    def module_finder(self, paths: Mapping[int, str], roots: Sequence[str]) -> ModuleFinder:
        return PythonModules(paths, roots, self._known["stdlib"])

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
        return bool(definition.decorators and decorator_names(definition) & _PROPERTIES)

    def continues(self, definition: Definition) -> bool:
        last = {text.rpartition(".")[2] for _, _, text in definition.decorators}
        return bool(last & {"setter", "deleter", "register"})

    def builtin(self, name: str) -> str | None:
        return f"builtins.{name}" if name in self._known["builtins"] else None

    def is_placed(self, name: str) -> bool:
        return name == "super"

    def is_private_to_class(self, name: str) -> bool:
        return name.startswith("__") and not name.endswith("__")

    def object_member(self, name: str) -> str | None:
        return f"builtins.object.{name}" if name in self._known["object"] else None

    def lacks_member(self, dotted: str, name: str) -> bool:
        members = self._data["members_of"].get(dotted)
        return members is not None and name not in members and name not in self._known["object"]

    def literal_type(self, kind: str) -> str:
        return f"builtins.{_LITERALS.get(kind, kind)}"

    def is_class_name(self, dotted: str) -> bool:
        module, _, last = dotted.rpartition(".")
        if module == "builtins":
            return last in self._known["classes"] or last[:1].isupper()
        return last.lstrip("_")[:1].isupper() and not last.isupper()

    def is_stdlib(self, dotted: str) -> bool:
        return dotted.partition(".")[0] in self._known["stdlib"]

    def type_form(self, dotted: str) -> TypeForm | None:
        if dotted == "builtins.type":
            return TypeForm.TYPE
        if dotted.startswith(_TYPING):
            return _TYPE_FORMS.get(dotted.rpartition(".")[2])
        return None

    def has_no_members(self, dotted: str) -> bool:
        return dotted in _EMPTY_BASES

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


def _sets(lists: Mapping[str, Iterable[str]]) -> dict[str, frozenset[str]]:
    return {key: frozenset(names) for key, names in lists.items()}


def decorator_names(definition: Definition) -> set[str]:
    """The last names of a definition's decorators, without their arguments."""
    return {
        text.partition("(")[0].rpartition(".")[2].strip() for _, _, text in definition.decorators
    }


RULES = PythonRules()
