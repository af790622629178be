"""Type forms: what type expressions and literals say of values, and which values a type admits."""

from collections.abc import Mapping, Sequence
from enum import Enum, StrEnum
from types import MappingProxyType

from mu.model.facts import Definition


class TypeForm(StrEnum):
    """The value that a generic form of annotation describes, by its arguments."""

    UNION = "union"  # any of them
    CALLABLE = "callable"  # a callable that returns the last
    TUPLE = "tuple"  # a value of these parts
    FIRST = "first"  # the first of them: Annotated, Final
    TYPE = "type"  # the class itself, not an instance
    SELF = "self"  # an instance of the enclosing class
    NONE = "none"  # nothing that resolution could use


class Subtyping(Enum):
    """Which classes satisfy an interface of the library."""

    STRUCTURAL = "structural"  # all that have its methods
    NOMINAL = "nominal"  # those that declare that they extend it


class DeclaredMethods(Enum):
    """What a call runs if all classes that its receiver may be of override the declared method."""

    CALLEES = "callees"  # the overrides and the declared method
    HIDDEN = "hidden"  # the overrides only


class TypeForms:
    """Annotations, literals, and the difference between nominal and structural types."""

    generator_class = ""  # the class of generators; its first type parameter is what they yield
    async_generator_class = ""  # the class of asynchronous generators, with the same parameter
    coroutine_class = ""  # the class that async functions return; the result is its last parameter
    aliases: Mapping[str, str] = MappingProxyType({})  # types of the language that libraries alias,
    # by the last names of the aliases
    subtyping = Subtyping.STRUCTURAL
    declared_methods = DeclaredMethods.CALLEES

    def type_form(self, dotted: str) -> TypeForm | None:
        """Return the meaning of an external generic form in an annotation; None if it is none."""
        return None

    def literal_type(self, kind: str) -> str:
        """Return the dotted name of the type of a literal or collection."""
        return kind

    def coroutine_of(self, *, is_declared: bool) -> str:
        """Return the class that wraps the result of an async function; empty for none.

        `is_declared` says that the function declares the type of its result.
        """
        return self.coroutine_class

    def is_tuple(self, kind: str, count: int) -> bool:
        """Return whether a literal of a kind with `count` elements has a type for each of them."""
        return kind == "tuple"

    def only_assigned(self, rows: Sequence[int]) -> int:
        """Return the row of the only value that a declared variable ever has; 0 if unknown.

        `rows` are the values that are assigned to it.
        """
        return rows[0] if len(rows) == 1 else 0

    def is_type_variable(self, dotted: str) -> bool:
        """Return whether calling this external name creates a type variable."""
        return False

    def is_generic_base(self, dotted: str) -> bool:
        """Return whether an external base only declares the type parameters of its class."""
        return False

    def is_enumeration(self, dotted: str) -> bool:
        """Return whether the members of subclasses of this external class are their instances."""
        return False

    def is_plain(self, dotted: str) -> bool:
        """Return whether a library class is one of strings, numbers or booleans."""
        return False

    def is_rarely_extended(self, dotted: str) -> bool:
        """Return whether values declared to be of a library class are rarely of a subclass."""
        return self.is_plain(dotted)

    def is_abstract_class(self, dotted: str) -> bool:
        """Return whether a library class has no instances of its own, only those of subclasses."""
        return False

    def is_structural(self, dotted: str) -> bool:
        """Return whether a library class is a structural type: satisfied by having its methods."""
        return False

    def is_protocol(self, dotted: str) -> bool:
        """Return whether classes with this external base are satisfied by having their members."""
        return False

    def is_shape(self, definition: Definition) -> bool:
        """Return whether a class is a structural type: satisfied by having its methods."""
        return False

    def is_open(self, dotted: str) -> bool:
        """Return whether values that do not extend a class may be accepted as instances of it.

        The name is empty for a class of the repository.
        """
        return False

    def is_interface(self, definition: Definition) -> bool:
        """Return whether a class has only instances of others that extend it or have its shape."""
        return self.is_shape(definition)
