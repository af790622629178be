"""Call semantics: which function a call runs, and what its arguments are bound to."""

from collections.abc import Mapping
from enum import Enum
from types import MappingProxyType

from mu.model.facts import Definition


class Receiver(Enum):
    """What the first parameter of a method is bound to."""

    INSTANCE = "instance"
    CLASS = "class"


class CallSemantics:
    """Constructors, overloads, decorators and the binding of arguments."""

    # What a call runs
    constructors: tuple[str, ...] = ()  # methods that run when a class is called; the first of
    # them is the name for those that syntax marks
    completing_methods: tuple[
        str, ...
    ] = ()  # methods that generated constructors call at their end
    call_method = ""  # the method that runs when an instance is called
    has_overloads = False  # whether functions of one name stand beside each other
    has_implementations = False  # whether a class has methods of one name that types tell apart
    decorators_run = True  # whether a decorator is called with what it stands on
    single_dispatch: Mapping[str, str] = MappingProxyType({})  # decorators that make a generic
    # function, with the method that registers an implementation
    has_function_types = False  # whether a type says that functions are of it
    functions_are_instances = False  # of interfaces that leave one method open

    # How arguments are bound
    variadic_types: Mapping[str, str] = MappingProxyType({})  # the kinds of literals that
    # parameters for the rest of the arguments are, by their markers
    literals_set_fields = False  # whether calls of classes set fields by keywords
    literals_list_fields = False  # with that, whether they set the others by their places

    # How arguments choose between overloads
    plain_types: tuple[str, ...] = ()  # primitive types; each number converts to those after it
    literal_form = ""  # the form of types that lists the strings a parameter may be
    types_of_literals: Mapping[str, frozenset[str]] = MappingProxyType({})  # the primitive types
    # of a kind of literal, where the library has no classes for them

    def receiver(self, definition: Definition) -> Receiver | None:
        """What the first parameter of this method is; None for a function like any other."""
        return None

    def is_record(self, definition: Definition) -> bool:
        """Whether the constructor of a class takes what its body declares."""
        return False

    def is_record_base(self, dotted: str) -> bool:
        """Whether that is so of classes that extend this external one."""
        return False

    def is_function_type(self, definition: Definition) -> bool:
        """Whether a class is a type of functions, to which a call converts another function."""
        return False
