"""Type forms: what type expressions and literals say of values, and what a type stands for."""

from collections.abc import Mapping, Sequence
from enum import Enum, StrEnum
from types import MappingProxyType

from mu.model.facts import Definition


class TypeForm(StrEnum):
    """What a generic form of annotation says of its arguments."""

    UNION = "union"  # any of them
    CALLABLE = "callable"  # something whose calls return the last
    TUPLE = "tuple"  # a value of these parts
    FIRST = "first"  # the first of them: Annotated, Final
    TYPE = "type"  # the class itself, not an instance
    SELF = "self"  # an instance of the class around
    NONE = "none"  # nothing that resolution could use


class Subtyping(Enum):
    """What may stand where a type of the library is declared that has only methods to implement."""

    STRUCTURAL = "structural"  # all that has its methods
    NOMINAL = "nominal"  # classes that say they extend it


class DeclaredMethods(Enum):
    """What a call runs where all that its receiver may be overrides the declared method."""

    CALLEES = "callees"  # the declared method, besides
    HIDDEN = "hidden"  # the methods that override it alone


class TypeForms:
    """Annotations, literals, and the difference between nominal and structural types."""

    generator_class = ""  # the class of generators; what they yield is its first parameter
    async_generator_class = ""  # the same of asynchronous ones
    coroutine_class = ""  # the class that calls of async functions return; the result is its last
    aliases: Mapping[str, str] = MappingProxyType({})  # types of the language that libraries alias,
    # by the last names of the aliases
    subtyping = Subtyping.STRUCTURAL
    declared_methods = DeclaredMethods.CALLEES

    def type_form(self, dotted: str) -> TypeForm | None:
        """What an external generic form means in an annotation."""
        return None

    def literal_type(self, kind: str) -> str:
        """The dotted name of the type of a literal or collection."""
        return kind

    def coroutine_of(self, *, is_declared: bool) -> str:
        """The class that calls of an async function return, whose result type may be declared;
        empty: none is put around that.
        """
        return self.coroutine_class

    def is_tuple(self, kind: str, count: int) -> bool:
        """Tell whether a literal of a kind with so many elements has a type for each of them."""
        return kind == "tuple"

    def only_assigned(self, rows: Sequence[int]) -> int:
        """The row of the one value that a declared variable ever has, of those that are assigned to
        it; 0 where that is not known.
        """
        return rows[0] if len(rows) == 1 else 0

    def is_type_variable(self, dotted: str) -> bool:
        """Tell whether calling this external name makes a type variable."""
        return False

    def is_generic_base(self, dotted: str) -> bool:
        """Tell whether an external base only names the type parameters of its class."""
        return False

    def is_enumeration(self, dotted: str) -> bool:
        """Tell whether the members of classes that extend this external one are its instances."""
        return False

    def is_plain(self, dotted: str) -> bool:
        """Tell whether a class of the library is one of strings, numbers or truth values."""
        return False

    def is_rarely_extended(self, dotted: str) -> bool:
        """Tell whether what is declared to be of a class of the library is seldom of a subclass."""
        return self.is_plain(dotted)

    def is_abstract_class(self, dotted: str) -> bool:
        """Tell whether a class of the library has no instances of its own, only of subclasses."""
        return False

    def is_structural(self, dotted: str) -> bool:
        """Tell whether a class of the library stands for all that have its methods."""
        return False

    def is_protocol(self, dotted: str) -> bool:
        """Tell whether classes with this external base stand for all that have their members."""
        return False

    def is_shape(self, definition: Definition) -> bool:
        """Tell whether a class stands for all that have its methods: a structural type."""
        return False

    def is_open(self, dotted: str) -> bool:
        """Tell whether what does not extend a class may be taken for an instance of it. The name is
        empty for a class of the repository.
        """
        return False

    def is_interface(self, definition: Definition) -> bool:
        """Tell whether all instances of a class are of others that extend it or have its shape."""
        return self.is_shape(definition)
