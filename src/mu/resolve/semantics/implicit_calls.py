"""Implicit calls: the methods that operators, loops, context managers and attributes call."""

from collections.abc import Mapping
from itertools import chain
from types import MappingProxyType

Methods = tuple[str, ...]
"""Names of methods, of which the first that an object has is called."""

Sides = tuple[Methods, Methods]
"""The methods of a left operand, and of a right one where the left has none."""

NO_SIDES: Sides = (), ()


class ImplicitCalls:
    """The names of the methods behind each construct; where several are, the best comes first."""

    # Iteration
    iterate_methods: Methods = ()  # methods that return an iterator
    key_methods: Methods = ()  # methods that return an iterator over keys
    next_methods: Methods = ()  # methods of an iterator that return the next element
    next_member = ""  # the member of what all but the first of these return that is the element
    more_methods: Methods = ()  # methods of an iterator that tell whether there is one

    # Context managers and `await`
    enter_methods: Methods = ()  # methods that return what a context manager enters
    leave_methods: Methods = ()  # methods that run when it is left
    async_methods: Mapping[Methods, Methods] = MappingProxyType({})
    """The methods that run in the place of such others where the text says `async`."""
    await_method = ""  # the method that an awaited object must have; empty if anything may be
    awaitable_class = ""  # the generic class of awaitable objects; its parameter is the result
    await_depth = 1  # how many awaitable objects, one in the other, an `await` opens

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
    infix: Mapping[str, Sides] = MappingProxyType({})
    prefix: Mapping[str, Methods] = MappingProxyType({})
    """The methods that operators with two operands and with one call; `if` stands for tests of a
    value, `format` and `repr` for strings made of it.
    """
    key_operators: frozenset[str] = frozenset()  # operators that look for one side, or compare it
    concatenations: Methods = ()  # operators that append to a string on their left side
    most_open = 2  # of how many classes an operand may be that nothing is known of, for the method
    # of a prefix operator to count as possible; 0 where most of those are numbers and strings
    error_conversion = ""  # the class method that converts errors which `?` returns
    error_variant = ""  # the member of a result that is its error

    def methods_of(self, methods: Methods, how: str) -> Methods:
        """The methods that run where some are asked for; `how` is the text of the expression."""
        return self.async_methods.get(methods, methods) if how else methods

    def is_common_method(self, name: str) -> bool:
        """Tell whether the language calls a method of this name on objects of all sorts."""
        return False

    def hooks(self) -> frozenset[str]:
        """The methods among these that no operation on an object calls: what reads, sets or awaits
        something does, or what makes a class.
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
        """Tell whether a method of this name gives what a loop, a subscript or a context manager
        has.
        """
        several = self.iterate_methods, self.key_methods, self.next_methods, self.enter_methods
        single = self.index_method, self.class_index_method, self.missing_method
        return name in {*chain(*several, *self.async_methods.values()), *single}

    def methods(self) -> frozenset[str]:
        """All methods that a construct calls."""
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
