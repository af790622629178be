"""Library models: what functions and classes outside the repository do, where stubs do not say."""

from collections.abc import Mapping, Sequence
from enum import Enum
from types import MappingProxyType
from typing import NamedTuple

from mu.resolve.abstract_values import Values, result_of


class CallModel(Enum):
    """What a call of an external function does that no stub can express."""

    SUPER = "super"  # returns the receiver as an instance of its parent class
    TYPE_OF = "type of"  # returns the class of its one argument; with three, makes a class
    IDENTITY = "identity"  # returns its first argument, as far as it matters
    CAST = "cast"  # returns its second argument as a value of the type that is the first
    ATTRIBUTE = "attribute"  # reads the attribute of the first argument that the second names
    INSTANCE = "instance"  # returns a value of its first argument, which is a type


MethodGroups = Sequence[Sequence[str]]
"""The methods that run: of each group the first that exists."""


class MethodsCalled(NamedTuple):
    """The methods that a library function calls.

    `own` are called on its receiver or else its first argument, `of_result` on its result,
    `of_elements` on the elements of its first argument or else its receiver. `of_arguments` has a
    group for each position of an argument, on which all methods of the group are called.
    """

    own: MethodGroups = ()
    of_result: MethodGroups = ()
    of_elements: MethodGroups = ()
    of_arguments: MethodGroups = ()


NO_METHODS = MethodsCalled()


class LibraryModels:
    """External functions by their dotted names: what they return, call and store."""

    call_models: Mapping[str, CallModel] = MappingProxyType({})
    instance_maker = ""  # the constructor that returns an instance of the class passed to it
    partials: frozenset[str] = frozenset()  # functions that return their first argument with the
    # others bound
    forwarded_parameters: frozenset[str] = frozenset()  # parameters of library functions with
    # arguments that are forwarded to a callback
    fillers: frozenset[str] = frozenset()  # functions that append the other arguments to the first
    element_fillers: Mapping[str, str] = MappingProxyType({})  # functions that are like calls of
    # this method on their first argument
    attribute_setter = ""  # the builtin that sets an attribute by its name
    attribute_functions: frozenset[str] = frozenset()  # all builtins that take an object and the
    # name of an attribute
    copying_functions: frozenset[str] = frozenset()  # functions that copy their first argument,
    # and set the fields that keywords name
    copying_method = ""  # the method that does so with its receiver
    namespace_functions: frozenset[str] = frozenset()  # builtins that return a table of names
    mock_functions: frozenset[str] = frozenset()  # functions that return a mock object: of a class
    # made at run time, which overrides all methods of the class that is passed to the function
    mock_decorators: frozenset[str] = frozenset()  # decorators of fields that hold mock objects
    subclasses_method = ""  # the method of a class that lists its subclasses

    def call_model(self, dotted: str) -> CallModel | None:
        """Return the model of calls of this external name; None if there is none."""
        return self.call_models.get(dotted)

    def is_special(self, dotted: str) -> bool:
        """Return whether an external name has a model here, which takes precedence over stubs."""
        return self.call_model(dotted) is not None

    def is_class_name(self, dotted: str) -> bool:
        """Return whether an external name looks like that of a class."""
        return False

    def unknown_result(self, dotted: str, *, step: str = "()") -> Values:
        """Return the result of calling an external name without a stub.

        With the `step` `[]` it is an element of what has that name.
        """
        return ()

    def keeps_callables(self, dotted: str) -> bool:
        """Return whether a library function wraps or inspects the functions passed to it."""
        return False

    def takes_comparator(self, count: int) -> bool:
        """Return whether one of `count` arguments of a sorting function is the comparator."""
        return False

    def compares_arguments(self, name: str) -> bool:
        """Return whether a library function treats several arguments as its elements."""
        return False

    def methods_called(self, dotted: str) -> MethodsCalled:
        """Return the methods that a library function calls."""
        return NO_METHODS


class TracedLibrary(LibraryModels):
    """Models in which unknown results keep the path they came by: their members are external."""

    def unknown_result(self, dotted: str, *, step: str = "()") -> Values:
        return (result_of(dotted, step),)
