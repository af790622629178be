"""Library models: what functions and classes outside the repository do, where stubs do not tell."""

from collections.abc import Mapping
from types import MappingProxyType


class LibraryModels:
    """External functions by their dotted names: what they return, call and store."""

    partials: frozenset[str] = frozenset()  # functions that return their first argument with the
    # others bound
    forwarded_parameters: frozenset[str] = frozenset()  # parameters of the library that hold the
    # arguments of a callback
    fillers: frozenset[str] = frozenset()  # functions that append the other arguments to the first
    element_fillers: Mapping[str, str] = MappingProxyType({})  # functions that do to the first
    # argument what a method of it does
    attribute_setter = ""  # the builtin that sets an attribute by its name
    namespace_functions: frozenset[str] = frozenset()  # builtins that return a table of names
    subclasses_method = ""  # the method of a class that lists its subclasses
    results_are_outside = (
        False  # whether names that nothing here has are results of what is outside
    )

    def is_special(self, dotted: str) -> bool:
        """Whether an external name has a meaning of its own here, whatever the library's text."""
        return False

    def is_class_name(self, dotted: str) -> bool:
        """Whether calling this external name makes an instance of it, as far as its name tells."""
        return False

    def is_super(self, dotted: str) -> bool:
        """Whether calling this external name returns the receiver as the parent's instance."""
        return False

    def is_type_of(self, dotted: str) -> bool:
        """Whether calling this external name with one argument returns the argument's class."""
        return False

    def is_transparent(self, dotted: str) -> bool:
        """Whether calling this external name returns its first argument, as far as it matters."""
        return False

    def is_cast(self, dotted: str) -> bool:
        """Whether calling this external name returns its second argument as of the first's type."""
        return False

    def is_attribute_read(self, dotted: str) -> bool:
        """Whether calling this external name reads the attribute its second argument names."""
        return False

    def is_made_of_type(self, dotted: str) -> bool:
        """Whether calling this external name makes a value of its first argument, a type."""
        return False

    def is_instance_maker(self, name: str) -> bool:
        """Whether the library's method `name` returns an instance of the class it is passed."""
        return False

    def keeps_callables(self, dotted: str) -> bool:
        """Whether a function of the library wraps or inspects the functions it is passed."""
        return False

    def compares_arguments(self, name: str) -> bool:
        """Whether a function of the library takes its arguments for elements if there are many."""
        return False

    def methods_called(self, dotted: str) -> tuple[tuple[str, ...], ...]:
        """Methods that a function of the library calls on its first argument; of several in one
        place, the first that exists.
        """
        return ()

    def methods_called_on_arguments(self, dotted: str) -> tuple[tuple[str, ...], ...]:
        """Methods that a function of the library calls on each of its arguments."""
        return ()

    def methods_called_on_result(self, dotted: str) -> tuple[tuple[str, ...], ...]:
        """Methods that a function of the library calls on its return value."""
        return ()

    def methods_called_on_elements(self, dotted: str) -> tuple[tuple[str, ...], ...]:
        """Methods that a function of the library calls on the elements of its first argument or
        receiver.
        """
        return ()
