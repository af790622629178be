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
    """How functions of one name in one scope or class are told apart."""

    NONE = "none"  # they are the parts of one, or the last replaces the others
    BY_SIGNATURE = "by signature"  # each is called with other arguments
    BY_IMPLEMENTATION = "by implementation"  # each implements something for another type


class FunctionTypes(Enum):
    """How a function becomes a value of a type that functions may be declared to be of."""

    CALLABLE = "callable"  # as it is: any type of callables takes it
    CONVERTED = "converted"  # by a call of the type, which may have methods
    INTERFACE = "interface"  # as it is, for an interface that leaves one method open


class FieldKey(Enum):
    """How an argument of a composite literal says which field it sets."""

    NAME = "name"
    PLACE = "place"


class CallSemantics:
    """Constructors, overloads, decorators and the binding of arguments."""

    # What a call runs
    constructors: tuple[str, ...] = ()  # methods that run when a class is called; the first of
    # them is the name for those that syntax marks
    completing_methods: tuple[str, ...] = ()  # methods that generated constructors call last
    call_method = ""  # the method that runs when an instance is called
    overloading = Overloading.NONE
    function_types = FunctionTypes.CALLABLE
    single_dispatch: Mapping[str, str] = MappingProxyType({})  # decorators that make a generic
    # function, with the method that registers an implementation

    # How arguments are bound
    variadic_types: Mapping[str, str] = MappingProxyType({})  # the kinds of literals that
    # parameters for the rest of the arguments are, by their markers
    literal_fields: frozenset[FieldKey] = frozenset()  # how composite literals, which facts have
    # as calls of classes, name the fields that they set

    # How arguments choose between overloads
    plain_types: tuple[str, ...] = ()  # primitive types; each number converts to those after it
    literal_form = ""  # the form of types that lists the strings a parameter may be
    types_of_literals: Mapping[str, frozenset[str]] = MappingProxyType({})  # the primitive types
    # of a kind of literal, where the library has no classes for them

    def applied_decorators(self, definition: Definition) -> tuple[tuple[int, int, str], ...]:
        """The decorators that are called with the definition, outermost first."""
        return definition.decorators

    def receiver(self, definition: Definition) -> Receiver | None:
        """What the first parameter of this method is; None for a function like any other."""
        return None

    def is_record(self, definition: Definition) -> bool:
        """Tell whether the constructor of a class takes what its body declares."""
        return False

    def is_record_base(self, dotted: str) -> bool:
        """Tell whether that is so of classes that extend this external one."""
        return False

    def is_function_type(self, definition: Definition) -> bool:
        """Tell whether a class is a function type, to which a call converts another function."""
        return False
