"""Call semantics: which function a call runs, and what its arguments are bound to."""

from collections.abc import Mapping
from enum import Enum
from types import MappingProxyType

from mu.model.facts import Definition


class Receiver(Enum):
    """What the first parameter of a method is bound to."""

    INSTANCE = "instance"
    CLASS = "class"


class Overloading(Enum):
    """How functions of one name in one scope or class are distinguished."""

    NONE = "none"  # they are parts of one function, or the last replaces the others
    BY_SIGNATURE = "by signature"  # by the arguments of the call
    BY_IMPLEMENTATION = "by implementation"  # each implements a member for another type


class FunctionTypes(Enum):
    """How a function becomes a value of a function type."""

    CALLABLE = "callable"  # as it is: any callable type accepts it
    CONVERTED = "converted"  # by a call of the type, which may have methods
    INTERFACE = "interface"  # as it is: an interface with one abstract method accepts it


class FieldKey(Enum):
    """How an argument of a composite literal selects the field that it sets."""

    NAME = "name"
    PLACE = "place"


class CallSemantics:
    """Constructors, overloads, decorators and the binding of arguments."""

    # What a call runs
    constructors: tuple[str, ...] = ()  # methods that run when a class is called; the first is
    # the name given to those that syntax marks
    completing_methods: tuple[str, ...] = ()  # methods that generated constructors call last
    call_method = ""  # the method that runs when an instance is called
    overloading = Overloading.NONE
    function_types = FunctionTypes.CALLABLE
    single_dispatch: Mapping[str, str] = MappingProxyType({})  # decorators that make a generic
    # function, with the method that registers an implementation

    # How arguments are bound
    variadic_types: Mapping[str, str] = MappingProxyType({})  # the kind of literal that a
    # variadic parameter is, by its marker
    literal_fields: frozenset[FieldKey] = frozenset()  # how composite literals, which are calls of
    # classes in the facts, select the fields that they set

    # How arguments choose between overloads
    plain_types: tuple[str, ...] = ()  # primitive types; each number converts to those after it
    literal_form = ""  # the generic form that lists the strings a parameter accepts
    types_of_literals: Mapping[str, frozenset[str]] = MappingProxyType({})  # the primitive types
    # of a kind of literal, where the library has no classes for them

    def applied_decorators(self, definition: Definition) -> tuple[tuple[int, int, str], ...]:
        """Return the decorators that are called with the definition, outermost first."""
        return definition.decorators

    def receiver(self, definition: Definition) -> Receiver | None:
        """Return what the first parameter of a method is bound to; None if it is no receiver."""
        return None

    def is_record(self, definition: Definition) -> bool:
        """Return whether the constructor of a class takes the fields that its body declares."""
        return False

    def is_record_base(self, dotted: str) -> bool:
        """Return whether classes that extend this external one are records."""
        return False

    def is_function_type(self, definition: Definition) -> bool:
        """Return whether a class is a function type, to which a call converts a function."""
        return False
