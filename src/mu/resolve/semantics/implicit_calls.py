"""Implicit calls: the methods that operators, loops, context managers and attributes call."""

from collections.abc import Mapping
from itertools import chain
from types import MappingProxyType

Methods = tuple[str, ...]
"""Alternative methods: the first that an object has is called."""

Sides = tuple[Methods, Methods]
"""The methods of the left operand, and those of the right one if the left has none."""

NO_SIDES: Sides = (), ()


class ImplicitCalls:
    """The names of the methods behind each construct; of alternatives, the preferred one first."""

    # Iteration
    iterate_methods: Methods = ()  # methods that return an iterator
    key_methods: Methods = ()  # methods that return an iterator over keys
    next_methods: Methods = ()  # methods of an iterator that return the next element
    next_member = ""  # the member with the element, of what all but the first of these return
    more_methods: Methods = ()  # methods of an iterator that return whether there is one

    # Context managers and `await`
    enter_methods: Methods = ()  # methods of a context manager that run on entry, for its value
    leave_methods: Methods = ()  # methods that run on exit
    async_methods: Mapping[Methods, Methods] = MappingProxyType({})
    """The methods that replace others of these where the text says `async`."""
    await_method = ""  # the method that an awaited object must have; empty if none is needed
    awaitable_class = ""  # the generic class of awaitable objects; its parameter is the result
    await_depth = 1  # how many nested awaitable objects one `await` unwraps

    # Subscripts
    index_method = ""  # the method behind `x[key]`
    class_index_method = ""  # the method of a class behind `X[key]`
    missing_method = ""  # the method that is called for a key that is missing
    set_index_method = ""  # the method behind `x[key] = value`
    delete_index_method = ""  # the method behind `del x[key]`
    keyed_class = ""  # the base class of dictionaries whose keys are the names of declared members
    key_argument: str | None = None  # the argument whose results elements are compared by

    # Attributes: descriptors and the hooks of classes
    get_method = ""  # the method of a descriptor that runs when its attribute is read
    set_method = ""  # the one that runs when the attribute is set
    delete_method = ""  # the one that runs when the attribute is deleted
    property_class = ""  # the library's class of descriptors that call functions passed to them
    accessor_arguments = ("", "", "")  # its arguments that get, set and delete
    set_attribute_method = ""  # the method that sets all attributes of an instance
    delete_attribute_method = ""  # the method that deletes them
    set_name_method = ""  # the method of a descriptor that runs when its class is created
    subclass_hook = ""  # the method of a class that runs when another extends it

    # Operators
    infix: Mapping[str, Sides] = MappingProxyType({})
    prefix: Mapping[str, Methods] = MappingProxyType({})
    """The methods that operators with two operands and with one call; `if` is the truth test of a
    value; `format`, `repr` and `text` are its conversions to a string.
    """
    key_operators: frozenset[str] = frozenset()  # operators that only compare or look up an operand
    concatenations: Methods = ()  # operators that append to a string on their left side
    most_open = 2  # how many methods of a prefix operator count as possible where nothing is known
    # of the operand; 0 where most such operands are numbers and strings
    error_conversion = ""  # the class method that converts errors which `?` returns
    error_variant = ""  # the member of a result that is its error

    def methods_of(self, methods: Methods, how: str) -> Methods:
        """Return the asynchronous replacement of methods if the expression has a text, `how`."""
        return self.async_methods.get(methods, methods) if how else methods

    def is_common_method(self, name: str) -> bool:
        """Return whether the language calls a method of this name on objects of all sorts."""
        return False

    def hooks(self) -> frozenset[str]:
        """Return the methods among these that no operation on an object calls.

        They run when an attribute is read, set or deleted, an object is awaited, an error is
        converted, or a class is created.
        """
        return frozenset(
            (
                *(self.get_method, self.set_method, self.delete_method),
                *(self.set_attribute_method, self.delete_attribute_method),
                *(self.set_name_method, self.subclass_hook),
                *(self.await_method, self.error_conversion),
            )
        )

    def gives_value(self, name: str) -> bool:
        """Return whether a method returns the value of a loop, subscript or context manager."""
        several = self.iterate_methods, self.key_methods, self.next_methods, self.enter_methods
        single = self.index_method, self.class_index_method, self.missing_method
        return name in {*chain(*several, *self.async_methods.values()), *single}

    def methods(self) -> frozenset[str]:
        """Return all methods that a construct calls."""
        several = (
            *(self.iterate_methods, self.key_methods, self.next_methods, self.more_methods),
            *(self.enter_methods, self.leave_methods, *self.async_methods.values()),
            *(side for sides in self.infix.values() for side in sides),
            *self.prefix.values(),
        )
        single = (
            *(self.index_method, self.class_index_method, self.missing_method),
            *(self.set_index_method, self.delete_index_method, self.await_method),
            *(self.get_method, self.set_method, self.delete_method, self.error_conversion),
            *(self.set_attribute_method, self.delete_attribute_method),
            *(self.set_name_method, self.subclass_hook),
        )
        return frozenset(chain(single, *several)) - {""}
