"""Library models: what functions and classes outside the repository do, where stubs do not tell."""

from collections.abc import Mapping, Sequence
from enum import Enum
from types import MappingProxyType
from typing import NamedTuple

from mu.resolve.abstract_values import Values, result_of


class CallModel(Enum):
    """What a call of an external function does that no stub could say."""

    SUPER = "super"  # returns the receiver as an instance of its parent class
    TYPE_OF = "type of"  # returns the class of its one argument; with three, makes a class
    IDENTITY = "identity"  # returns its first argument, as far as it matters
    CAST = "cast"  # returns its second argument as of the type that is the first
    ATTRIBUTE = "attribute"  # reads the attribute of the first that the second argument names
    INSTANCE = "instance"  # makes a value of its first argument, which is a type


MethodGroups = Sequence[Sequence[str]]
"""The methods that run; of several in one place, the first that exists."""


class MethodsCalled(NamedTuple):
    """The methods that a function of the library calls: on its receiver or else its first argument,
    on its result, on the elements of the first argument, and on each argument in its place.
    """

    own: MethodGroups = ()
    of_result: MethodGroups = ()
    of_elements: MethodGroups = ()
    of_arguments: MethodGroups = ()


NO_METHODS = MethodsCalled()


class LibraryModels:
    """External functions by their dotted names: what they return, call and store."""

    call_models: Mapping[str, CallModel] = MappingProxyType({})
    instance_maker = ""  # the constructor that returns an instance of the class it is passed
    partials: frozenset[str] = frozenset()  # functions that return their first argument with the
    # others bound
    forwarded_parameters: frozenset[str] = frozenset()  # parameters of the library that hold the
    # arguments of a callback
    fillers: frozenset[str] = frozenset()  # functions that append the other arguments to the first
    element_fillers: Mapping[str, str] = MappingProxyType({})  # functions that do to the first
    # argument what a method of it does
    attribute_setter = ""  # the builtin that sets an attribute by its name
    namespace_functions: frozenset[str] = frozenset()  # builtins that return a table of names
    mock_functions: frozenset[str] = frozenset()  # functions that return an object of a class made
    # at run time, which overrides all methods of the class it is passed
    mock_decorators: frozenset[str] = frozenset()  # decorators of fields that hold such objects
    subclasses_method = ""  # the method of a class that lists its subclasses

    def call_model(self, dotted: str) -> CallModel | None:
        """What a call of this external name does; None where its stub says it, if anything."""
        return self.call_models.get(dotted)

    def is_special(self, dotted: str) -> bool:
        """Tell whether an external name is modelled here, whatever the library's text says."""
        return self.call_model(dotted) is not None

    def is_class_name(self, dotted: str) -> bool:
        """Tell whether calling this external name makes an instance, as far as its name tells."""
        return False

    def unknown_result(self, dotted: str, *, step: str = "()") -> Values:
        """What calling an external name returns of which no stub says anything, or its element
        where `step` is `[]`.
        """
        return ()

    def keeps_callables(self, dotted: str) -> bool:
        """Tell whether a function of the library wraps or inspects the functions it is passed."""
        return False

    def takes_comparator(self, count: int) -> bool:
        """Tell whether one of `count` arguments of a sorting function is the comparison."""
        return False

    def compares_arguments(self, name: str) -> bool:
        """Tell whether a library function takes several arguments as elements."""
        return False

    def methods_called(self, dotted: str) -> MethodsCalled:
        """The methods that a function of the library calls."""
        return NO_METHODS


class TracedLibrary(LibraryModels):
    """Results of external functions keep the path that they came by: their members are external."""

    def unknown_result(self, dotted: str, *, step: str = "()") -> Values:
        return (result_of(dotted, step),)
