"""Member semantics: lookup on an instance, a class or `super`, and inheritance."""

from collections.abc import Mapping
from enum import Enum
from types import MappingProxyType

from mu.model.facts import Definition, FileFacts
from mu.resolve.semantics.prototypes import Prototypes, PrototypeWords


class Scoping(Enum):
    """Where a bare name in a method is looked up."""

    LEXICAL = "lexical"  # in enclosing functions and modules
    CLASS = "class"  # among the members of enclosing classes, too: implicit `this`


class Namespaces(Enum):
    """Which definitions may share a name in one scope, and are distinguished by how it is used."""

    SHARED = "shared"  # none
    METHODS = "methods"  # methods, which are called, and variables, which are read
    KINDS = "kinds"  # types and values; also methods and fields, but not as bare names

    def __init__(self, kind: str) -> None:
        self.are_apart = kind != "shared"  # functions, which calls refer to, and variables


class MemberChoice(Enum):
    """Which member a lookup resolves to, of those in the first class of the MRO with the name."""

    LATEST = "latest"  # the one that is bound last
    DATA_DESCRIPTOR = "data descriptor"  # a property of a class before an attribute of the instance
    SIDE = "side"  # a static one for classes, another for instances
    INHERENT = "inherent"  # those of the type itself before those that it implements for traits
    OVERLOADS = "overloads"  # all of them, and those of ancestors with other parameters


class Inheritance(Enum):
    """What a class inherits from its bases."""

    SUBCLASSING = "subclassing"  # their members, which it may override; it is a subtype of theirs
    EMBEDDING = "embedding"  # their members only: it is no subtype of theirs
    IMPLEMENTING = "implementing"  # as a subclass, but overrides only what it implements by name

    def __init__(self, kind: str) -> None:
        self.makes_subtypes = kind != "embedding"  # instances of a class are instances of its bases


class MemberSemantics:
    """The members of classes and their instances; the defaults are those of plain inheritance."""

    # Keywords and special names
    this_name = ""  # the keyword for the receiver; empty where it is a parameter
    super_name = ""  # the keyword for the receiver as an instance of the parent class
    self_type_name = ""  # the name for the enclosing class, in its own methods
    constructor_reference = ""  # the member of a class that refers to its constructor: `X::new`
    class_words: frozenset[str] = frozenset()  # that, and `this_name` as a member: `X.this`
    class_attribute = ""  # the attribute of an instance that is its class
    namespace_attribute = ""  # the attribute that is the dictionary of an object's attributes
    prototypes: PrototypeWords | None = None  # where functions are classes, too

    # Where lookup starts
    scoping = Scoping.LEXICAL
    namespaces = Namespaces.SHARED
    choice = MemberChoice.LATEST  # which of several members of a class a name refers to

    # Where lookup continues
    root_class = ""  # the class that all others extend
    implied_bases: Mapping[str, str] = MappingProxyType({})  # the implicit base, by subkind
    inheritance = Inheritance.SUBCLASSING
    metaclass = ""  # the metaclass of classes that declare none
    metaclass_keyword = ""  # the keyword argument by which a class declares another metaclass
    deref_method = ""  # the method whose result lends an instance its members: smart pointers
    fallback_member = ""  # the member that provides all undefined ones: `__getattr__`

    def prototypes_in(self, facts: FileFacts) -> Prototypes | None:
        """Return what a file says of functions as classes; None in languages without these."""
        return None

    def is_property(self, definition: Definition) -> bool:
        """Return whether reading the attribute calls the function."""
        return False

    def is_data_property(self, definition: Definition) -> bool:
        """Return whether setting the attribute calls a function, too: a data descriptor."""
        return False

    def accessor(self, definition: Definition) -> str:
        """Return `=` for the setter of a property, `del` for the deleter, empty for the getter."""
        return ""

    def continues(self, definition: Definition) -> bool:
        """Return whether it adds to the earlier definition of its name, and does not replace it."""
        return False

    def merges_with(self, definition: Definition, earlier: Definition) -> bool:
        """Return whether it declares the same thing as an earlier one of its name and scope."""
        return False

    def is_defined_by_base(self, definition: Definition) -> bool:
        """Return whether a class has the fields of its only base, and the methods of none."""
        return False

    def is_private_to_class(self, name: str) -> bool:
        """Return whether a member of this name belongs only to its class, not to subclasses."""
        return False

    def visibility(
        self, definition: Definition | None, around: Definition | None, *, modifier: str | None
    ) -> str:
        """Return what the text says of the visibility of a name; empty where the name decides.

        `definition` is None for a variable. `around` is the definition that it stands in, or the
        one that an extension there adds to its class. `modifier` is what the text says of the name
        in `FileFacts.visibilities`: empty where it shows others of the scope alone, None where it
        shows none.
        """
        return ""

    def is_private(self, definition: Definition) -> bool:
        """Return whether a method is not inherited by subclasses."""
        return False

    def is_overridable(self, definition: Definition) -> bool:
        """Return whether subclasses may override a method."""
        return True

    def is_abstract(self, definition: Definition) -> bool:
        """Return whether a subclass has to implement a method or class."""
        return False

    def is_static(self, definition: Definition) -> bool:
        """Return whether a method is called without an instance."""
        return False

    def subkind(self, definition: Definition, *, in_class: bool) -> str:
        """Return the subkind of a definition's node."""
        if definition.subkind:
            return definition.subkind
        if definition.kind == "class":
            return "class"
        return "method" if in_class else "function"
