"""Member lookup: what a name means on an instance, a class or `super`, and what is inherited."""

from collections.abc import Mapping
from enum import Enum
from types import MappingProxyType

from mu.model.facts import Definition, FileFacts
from mu.resolve.semantics.prototypes import Prototypes, PrototypeWords


class Scoping(Enum):
    """Where a bare name in a method is looked for."""

    LEXICAL = "lexical"  # in functions and modules around it
    CLASS = "class"  # among the members of the classes around it, too: implicit `this`


class Namespaces(Enum):
    """Which things may have one name in one scope and are told apart by how the name is used."""

    SHARED = "shared"  # none
    METHODS = "methods"  # methods, which are called, and variables, which are read
    KINDS = "kinds"  # types and values; and methods and fields, though not bare names

    def __init__(self, kind: str) -> None:
        self.are_apart = kind != "shared"  # functions and variables: a call means the former


class MemberChoice(Enum):
    """Which member a lookup means at the first class of the MRO that has some under a name."""

    LATEST = "latest"  # the one that is bound last
    DATA_DESCRIPTOR = "data descriptor"  # a property of a class before an attribute of the instance
    SIDE = "side"  # a static one for classes, another for instances
    INHERENT = "inherent"  # those of the type itself before those that it implements for traits
    OVERLOADS = "overloads"  # all of them, and those of ancestors that take other parameters


class Inheritance(Enum):
    """What a class has from its bases."""

    SUBCLASSING = "subclassing"  # their members, which it may override; it is one of their subtypes
    EMBEDDING = "embedding"  # their members alone: an instance is none of theirs
    IMPLEMENTING = "implementing"  # as a subclass, but overrides only what it implements by name

    def __init__(self, kind: str) -> None:
        self.makes_subtypes = kind != "embedding"  # an instance of a class is one of its bases


class MemberSemantics:
    """The members of classes and their instances; the defaults are those of plain inheritance."""

    # Keywords and special names
    this_name = ""  # the keyword for the receiver; empty where it is a parameter
    super_name = ""  # the keyword for the receiver as an instance of the parent class
    self_type_name = ""  # the name for the class around, in its own methods
    constructor_reference = ""  # the member of a class that refers to its constructor: `X::new`
    class_words: frozenset[str] = frozenset()  # that, and `this_name` as a member: `X.this`
    class_attribute = ""  # the attribute of an instance that is its class
    namespace_attribute = ""  # the attribute that is the dictionary of an object's attributes
    prototypes: PrototypeWords | None = None  # where functions are classes, too

    # Where lookup starts
    scoping = Scoping.LEXICAL
    namespaces = Namespaces.SHARED
    choice = MemberChoice.LATEST  # which member is meant where a class has several of a name

    # Where lookup goes on
    root_class = ""  # the class that all others extend
    implied_bases: Mapping[str, str] = MappingProxyType({})  # those of classes of a subkind
    inheritance = Inheritance.SUBCLASSING
    metaclass = ""  # the class of classes
    metaclass_keyword = ""  # the keyword argument by which a class names another
    deref_method = ""  # the method whose result lends an instance its members: smart pointers
    fallback_member = ""  # the member that is asked for all others: `__getattr__`

    def prototypes_in(self, facts: FileFacts) -> Prototypes | None:
        """What a file says of functions as classes, where `prototypes` are."""
        return None

    def is_property(self, definition: Definition) -> bool:
        """Tell whether reading the attribute calls the function."""
        return False

    def is_data_property(self, definition: Definition) -> bool:
        """Tell whether setting the attribute calls the function, too: a data descriptor."""
        return False

    def accessor(self, definition: Definition) -> str:
        """What the function of a property does beside reading: `=` sets it, `del` deletes it."""
        return ""

    def continues(self, definition: Definition) -> bool:
        """Tell whether it adds to the earlier definition of its name and does not replace it."""
        return False

    def merges_with(self, definition: Definition, earlier: Definition) -> bool:
        """Tell whether it declares the same thing as an earlier one of its name and scope."""
        return False

    def is_private_to_class(self, name: str) -> bool:
        """Tell whether a member of this name belongs to its class alone, not to subclasses."""
        return False

    def is_private(self, definition: Definition) -> bool:
        """Tell whether a method is no member of subclasses."""
        return False

    def is_overridable(self, definition: Definition) -> bool:
        """Tell whether subclasses may override a method."""
        return True

    def is_abstract(self, definition: Definition) -> bool:
        """Tell whether a subclass has to provide it."""
        return False

    def is_static(self, definition: Definition) -> bool:
        """Tell whether it is called without an instance."""
        return False

    def subkind(self, definition: Definition, *, in_class: bool) -> str:
        """The subkind of a definition's node."""
        if definition.subkind:
            return definition.subkind
        if definition.kind == "class":
            return "class"
        return "method" if in_class else "function"
