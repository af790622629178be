"""Implicit calls: the methods that operators, loops, context managers and attributes call."""

from collections.abc import Mapping
from types import MappingProxyType


class ImplicitCalls:
    """The names of the methods behind each construct; where several are, the best comes first."""

    # Iteration
    iterate_methods: tuple[str, ...] = ()  # methods that return an iterator
    key_methods: tuple[str, ...] = ()  # methods that return an iterator over keys
    next_methods: tuple[str, ...] = ()  # methods of an iterator that return the next element
    next_member = ""  # the member of what all but the first of these return that is the element
    more_methods: tuple[str, ...] = ()  # methods of an iterator that tell whether there is one

    # Context managers and `await`
    enter_methods: tuple[str, ...] = ()  # methods that return what a context manager enters
    leave_methods: tuple[str, ...] = ()  # methods that run when it is left
    async_methods: Mapping[tuple[str, ...], tuple[str, ...]] = MappingProxyType({})
    """The methods that run in the place of such others where the text says `async`."""
    await_method = ""  # the method that an awaited object must have; empty if anything may be
    awaitable_class = ""  # the generic class of awaitable objects; its parameter is the result
    flattens_awaited = False  # whether the result of awaiting is never awaitable, and async
    # functions declare what their calls return

    # Subscripts
    index_method = ""  # the method behind `x[key]`
    class_index_method = ""  # the one of a class behind `X[key]`
    missing_method = ""  # the one that is asked where a table has no such key
    set_index_method = ""  # the method behind `x[key] = value`
    delete_index_method = ""  # the method behind `del x[key]`
    keyed_class = ""  # the class of dictionaries whose keys are the names of declared members
    key_argument: str | None = None  # the argument that says what to compare elements by

    # Attributes: descriptors and the hooks of classes
    get_method = ""  # the method of an object in a class that runs when its attribute is read
    set_method = ""  # the one that runs when the attribute is set
    delete_method = ""  # the one that runs when the attribute is deleted
    property_class = ""  # the library's class of descriptors that call functions they are passed
    accessor_arguments = ("", "", "")  # its arguments that get, set and delete
    set_attribute_method = ""  # the method that sets all attributes of an instance
    delete_attribute_method = ""  # the method that deletes them
    set_name_method = ""  # the method of an object in a class that runs when the class is made
    subclass_hook = ""  # the method of a class that runs when another extends it

    # Operators
    key_operators: frozenset[str] = frozenset()  # operators that look for one side, or compare it
    concatenations: tuple[str, ...] = ()  # operators that append to a string on their left side
    error_conversion = ""  # the class method that converts errors which `?` returns
    error_variant = ""  # the member of a result that is its error

    def operator_methods(self, operator: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The methods an infix operator calls on its left side, and on its right; best first."""
        return (), ()

    def prefix_methods(self, operator: str) -> tuple[str, ...]:
        """The methods that an operator with one operand calls on it, best first; so do tests of a
        value (`if`) and conversions to a string (`format`, `repr`).
        """
        return ()

    def methods_of(self, methods: tuple[str, ...], how: str) -> tuple[str, ...]:
        """The methods that run where some are asked for; `how` is the text of the expression."""
        return self.async_methods.get(methods, methods) if how else methods

    def is_common_method(self, name: str) -> bool:
        """Whether the language calls a method of this name on objects of all sorts."""
        return False
