"""Language rules: the seam between linking and the languages.

`LanguageRules` holds the defaults; a language overrides what differs, in `mu.languages`. Rules see
facts and paths, never text or trees.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, StrEnum
from types import MappingProxyType

from mu.model.facts import Definition, FileFacts, Import
from mu.model.kinds import EntryRole
from mu.resolve.program.foreign_symbols import Wanted
from mu.resolve.program.framework_models import Framework
from mu.resolve.program.module_resolver import Layout, ModuleFinder
from mu.resolve.program.prototypes import PrototypeWords


class Receiver(Enum):
    """What the first parameter of a method is bound to."""

    INSTANCE = "instance"
    CLASS = "class"


class TypeForm(StrEnum):
    """What a generic form of annotation says of its arguments."""

    UNION = "union"  # any of them
    CALLABLE = "callable"  # something whose calls give the last
    TUPLE = "tuple"  # a value of these parts
    FIRST = "first"  # the first of them: Annotated, Final
    TYPE = "type"  # the class itself, not an instance
    SELF = "self"  # an instance of the class around
    NONE = "none"  # nothing that could be looked at


@dataclass(frozen=True, slots=True)
class Injected:
    """Which functions a framework gives arguments to, by the names of their parameters.

    `providers` are the dotted names of decorators that make a function a provider of what it
    returns, under its own name or the one of the argument `named`; with the argument `automatic` it
    runs for all it serves. Functions whose names begin with one of `receivers` are given what
    providers of the same file give, those that the file or the class has from elsewhere, those of
    files named in `shared`, for their folder and below, and those of modules that the variable
    `plugins` lists. Decorators `parametrized` give arguments themselves; decorators `marks` name
    providers in texts, as does the method `lookup` of the parameter `request`. In shared files and
    plugins, functions whose names begin with one of `hooks` are called by the framework.
    """

    framework: str = ""
    providers: frozenset[str] = frozenset()
    receivers: tuple[str, ...] = ()
    shared: frozenset[str] = frozenset()
    named: str = ""
    automatic: str = ""
    plugins: str = ""
    parametrized: frozenset[str] = frozenset()
    marks: frozenset[str] = frozenset()
    request: str = ""
    lookup: str = ""
    hooks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Runner:
    """Who runs tests: functions in files of tests, and methods of classes, by how names begin.

    Classes of tests are those whose names begin with one of `classes`, in files of tests, and those
    that extend one of `bases` (dotted names) anywhere.
    """

    name: str
    functions: tuple[str, ...] = ()
    methods: tuple[str, ...] = ()
    classes: tuple[str, ...] = ()
    bases: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Declared:
    """Code that a manifest names: `attribute`, which may be empty or dotted, of a module.

    A `module` that begins with `./` is the path of a file, seen from the manifest.

    `manifest` says what sort of file it is, `path` and `line` where it says so.
    """

    language: str
    manifest: str
    path: str
    line: int
    role: EntryRole
    label: str
    module: str
    attribute: str


class LanguageRules:
    """How one language gives meaning to names; the defaults suit most."""

    name = ""
    class_scopes_enclose = False  # whether functions in a class see its members by bare names
    own_name = ""  # the name by which any method reaches what it is called on
    prototypes: PrototypeWords | None = None  # where functions are classes, too
    own_class_name = ""  # the name by which any method reaches the class of that
    maker_name = ""  # the word behind a class for what makes an instance of it
    words_of_classes: frozenset[str] = frozenset()  # that, and the own name of an instance around
    parent_module = ""  # the name by which a module reaches the one it stands in
    module_words: Mapping[str, int] = {}  # that, and others: how many modules around they mean
    parent_name = ""  # the name by which any method reaches its parent's side of that
    knows_assignments = True  # whether facts have all that is assigned to declared variables
    literals_set_fields = False  # whether calls of classes set fields by keywords
    literals_list_fields = False  # with that, whether they set the others by their places
    bases_are_supertypes = True  # whether an instance of a class is one of its bases, too
    results_are_outside = False  # whether what is outside gives that, for names that none has here
    named_after: Mapping[str, str] = {}  # types that libraries name after one of the language's own
    has_function_types = False  # whether a type says that functions are of it
    functions_are_instances = False  # of interfaces that leave one method open
    is_nominal = False  # whether a class is what it says it extends, and nothing by its shape
    declarations_run = True  # whether a call is one of what its receiver is declared to have,
    # though all that may stand there has other methods in its place
    dispatchers: Mapping[str, str] = {}  # decorators that take several bodies: what adds one
    decorators_run = True  # whether a decorator is called with what it stands on
    literal_form = ""  # the form of types that lists the texts a parameter may be
    has_overloads = False  # whether functions of one name stand beside each other
    plain_types: tuple[str, ...] = ()  # types of literals that are no references; each number
    # becomes what follows it
    has_implementations = False  # whether a class has functions of one name that types tell apart
    types_of_literals: Mapping[str, frozenset[str]] = {}  # where classes of the library are none
    has_inherent_members = False  # whether what a class is given for a base comes after its own
    has_names_by_kind = False  # whether a type and a module may have one name
    has_function_names = False  # whether what is called and what is read are told apart by place
    has_function_values = False  # with that, whether a bare name that is read may be a function
    constructors: tuple[str, ...] = ()  # methods that run when a class is called; the first of
    # them is the name for those that syntax tells apart
    completing_methods: tuple[str, ...] = ()  # methods that generated constructors run at their end
    call_method = ""  # the method that runs when an instance is called
    class_attribute = ""  # the attribute by which an instance gives its class
    key_argument: str | None = None  # the argument that says what to compare elements by
    enter_methods: tuple[str, ...] = ()  # methods that give what a context manager enters
    iterate_methods: tuple[str, ...] = ()  # methods that give an iterator, best first
    key_methods: tuple[str, ...] = ()  # methods that give one of where the elements stand
    next_methods: tuple[str, ...] = ()  # methods by which an iterator gives the next one
    next_member = ""  # the member of what all but the first of these give that holds it
    more_methods: tuple[str, ...] = ()  # methods by which it tells whether there is one
    index_method = ""  # the method behind `x[key]`
    class_index_method = ""  # the one of a class behind `X[key]`
    keyed_class = ""  # the class of tables whose keys are the names of declared members
    missing_method = ""  # the one that is asked where a table has no such key
    set_index_method = ""  # the method behind `x[key] = value`
    fillers: frozenset[str] = frozenset()  # functions that put into the first argument the others,
    # as methods of their names do
    element_fillers: Mapping[str, str] = MappingProxyType({})  # functions that do to the first
    # argument what a method of it does
    delete_index_method = ""  # the method that takes `x[key]` away
    leave_methods: tuple[str, ...] = ()  # methods that run when a context manager is left
    async_methods: Mapping[tuple[str, ...], tuple[str, ...]] = MappingProxyType({})
    """The methods that run in the place of such others where the text says `async`."""
    get_method = ""  # the method of an object in a class that runs when its attribute is read
    set_method = ""  # the one that runs when the attribute is set
    delete_method = ""  # the one that runs when the attribute is deleted
    property_maker = ""  # the class of the library whose instances call functions they are handed
    accessor_arguments = ("", "", "")  # the names of those that get, set and delete
    set_attribute_method = ""  # the method that sets all attributes of an instance
    delete_attribute_method = ""  # the method that deletes them
    subclasses_method = ""  # the method of a class that lists those which extend it
    named_method = ""  # the method of an object in a class that runs when the class is made
    extended_method = ""  # the method of a class that runs when another extends it
    rest_types: Mapping[str, str] = MappingProxyType({})  # the literals that parameters which
    # take the rest of the arguments are like, by their markers
    attribute_setter = ""  # the builtin that sets an attribute by its name
    later_arguments: frozenset[str] = frozenset()  # names of parameters of the library that hold
    # what a function is called with later
    name_tables: frozenset[str] = frozenset()  # builtins that give a table of what has names
    names_attribute = ""  # the attribute that is such a table of what it stands behind
    module_table = ""  # the table of all modules that are loaded
    module_name = ""  # the variable that holds the name of the module around it
    appliers: frozenset[str] = frozenset()  # what gives its first argument with the others put in
    key_operators: frozenset[str] = frozenset()  # operators that look for one side, or compare it
    joining: tuple[str, ...] = ()  # operators by which a text goes on after its left side
    builtin_module = ""  # the dotted name of the module that builtins live in
    generator_class = ""  # the class of what generators give; yields are its first parameter
    async_generator_class = ""  # the same of those that are asynchronous
    coroutine_class = ""  # the class of what calls of async functions give; the result is its last
    await_method = ""  # the method that what is awaited has to have; empty if anything may be
    awaitable_class = ""  # the class of what can be awaited; the result is its only parameter
    merges_classes = False  # whether classes of one name and scope are one
    has_fixed_lists = False  # whether lists that are written out serve as tuples
    has_static_names = False  # whether a class and its instances may each have a member of a name
    flattens_awaited = False  # whether nothing that can be awaited comes out of awaiting, and async
    # functions are declared to give what their calls do
    pointing_method = ""  # the method through which an instance has the members of what it gives
    converting_method = ""  # the method of a class that makes its instances of others, as it does
    # of errors that are handed on
    error_member = ""  # the member of what a function gives that is an error
    open_member = ""  # the method by which a class has more members than its text lists
    root_class = ""  # the class that all others extend
    implied_bases: Mapping[str, str] = MappingProxyType({})  # classes that those of a subkind
    # extend without saying so
    metaclass = ""  # the class of classes
    metaclass_keyword = ""  # the keyword by which a class names another
    export_objects: tuple[str, ...] = ()  # what a file sets members of to give them out; one that
    # is a member itself is all that is given out when it is set
    default_export = ""  # the name by which a module gives out what it gives out by no other
    injected = Injected()  # what frameworks fill in
    frameworks: tuple[Framework, ...] = ()  # what is known of frameworks
    runners: tuple[Runner, ...] = ()  # who runs tests
    test_mark: re.Pattern[str] | None = None  # decorators, as written, that make tests of functions
    main_modules: tuple[str, ...] = ()  # names of files that are run as programs
    main_check = ("", "", "")  # the comparison that asks whether a module is run: name, operator,
    # text
    library_loaders: frozenset[str] = frozenset()  # what outside gives a native library, whose
    # functions are its members, when it is called with the library's file
    manifests: frozenset[str] = frozenset()  # names of files that say where programs start, or
    # what modules are called

    def module_finder(self, layout: Layout) -> ModuleFinder:
        """A finder over the files of this language."""
        return ModuleFinder(layout.paths)

    def bound_name(self, row: Import) -> str:
        """The local name that an import binds."""
        return row.local or row.name or row.module

    def declared(self, path: str, text: str) -> Sequence[Declared]:
        """What a manifest names as the start of programs. Raises ValueError: it cannot be read."""
        return ()

    def declared_in(self, path: str, facts: FileFacts) -> Sequence[Declared]:
        """The same of a manifest that is a program itself."""
        return ()

    def wanted(self, dotted: str, facts: FileFacts) -> Wanted | None:
        """What an external name in a file is where another language of the repository has it."""
        return None

    def implemented(self, facts: FileFacts, number: int) -> Wanted | None:
        """What runs for a definition of a file that has no body here."""
        return None

    def taken_name(self, row: Import) -> str:
        """The name that an import takes out of the module it names; empty for the module itself."""
        return row.name

    def binds_first_part(self, row: Import) -> bool:
        """Whether the import binds the first part of its dotted name and not the module itself."""
        return False

    def receiver(self, definition: Definition) -> Receiver | None:
        """What the first parameter of this method is; None for a function like any other."""
        return None

    def is_property(self, definition: Definition) -> bool:
        """Whether reading the attribute calls the function."""
        return False

    def is_main(self, definition: Definition, *, package: str) -> bool:
        """Whether a function is where a program starts, in a file of this package."""
        return False

    def is_marked(self, definition: Definition) -> bool:
        """Whether a decorator says that it is a test."""
        mark = self.test_mark
        return mark is not None and any(mark.match(text) for _, _, text in definition.decorators)

    def continues(self, definition: Definition) -> bool:
        """Whether it adds to the earlier definition of its name and does not replace it."""
        return False

    def is_set_through(self, definition: Definition) -> bool:
        """Whether setting the attribute goes through the function, too, and not around it."""
        return False

    def accesses(self, definition: Definition) -> str:
        """What the function of a property does beside reading: `=` sets it, `del` deletes it."""
        return ""

    def builtin(self, name: str) -> str | None:
        """The dotted name of a builtin, None for any other name."""
        return None

    def library(self, dotted: str) -> FileFacts | None:
        """The facts of a module outside the repository, None where its text is not known."""
        return None

    def library_exports(self, dotted: str) -> frozenset[str]:
        """The names that a module of the library takes from others to give them out itself."""
        return frozenset()

    def is_library_package(self, dotted: str) -> bool:
        """Whether a module of the library holds other modules."""
        return False

    def is_special(self, dotted: str) -> bool:
        """Whether an external name has a meaning of its own here, whatever the library's text."""
        return False

    def operator_methods(self, operator: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The methods an infix operator calls on its left side, and on its right; best first."""
        return (), ()

    def prefix_methods(self, operator: str) -> tuple[str, ...]:
        """The methods that an operator with one side calls on it, best first; so do what tests a
        value (`if`) and what makes a text of it (`format`, `repr`).
        """
        return ()

    def is_common_method(self, name: str) -> bool:
        """Whether the language calls a method of this name on objects of all sorts."""
        return False

    def is_placed(self, name: str) -> bool:
        """Whether what a builtin name means depends on where it is read."""
        return False

    def is_private_to_class(self, name: str) -> bool:
        """Whether a member of this name belongs to its class alone, not to subclasses."""
        return False

    def is_type_variable(self, dotted: str) -> bool:
        """Whether calling this external name makes a type variable."""
        return False

    def is_generic_base(self, dotted: str) -> bool:
        """Whether an external base only names the type parameters of its class."""
        return False

    def is_record(self, definition: Definition) -> bool:
        """Whether the constructor of a class takes what its body declares."""
        return False

    def is_record_base(self, dotted: str) -> bool:
        """Whether that is so of classes that extend this external one."""
        return False

    def is_function_type(self, definition: Definition) -> bool:
        """Whether a class is a type of functions, which a call makes of another function."""
        return False

    def keeps_callables(self, dotted: str) -> bool:
        """Whether a function of the library wraps the functions it is passed, or looks at them."""
        return False

    def methods_of(self, methods: tuple[str, ...], how: str) -> tuple[str, ...]:
        """The methods that run where some are asked for; `how` is the text of the expression."""
        return self.async_methods.get(methods, methods) if how else methods

    def methods_called(self, dotted: str) -> tuple[tuple[str, ...], ...]:
        """The methods a function of the library calls on its first argument; of several in one
        place, the first that there is.
        """
        return ()

    def methods_called_on_arguments(self, dotted: str) -> tuple[tuple[str, ...], ...]:
        """The methods a function of the library calls on each of its arguments, all of them."""
        return ()

    def methods_called_on_result(self, dotted: str) -> tuple[tuple[str, ...], ...]:
        """The same of the methods it calls on what it gives."""
        return ()

    def methods_called_on_elements(self, dotted: str) -> tuple[tuple[str, ...], ...]:
        """The same of the methods it calls on the elements of its first argument, or of what it is
        a method of.
        """
        return ()

    def compares_arguments(self, name: str) -> bool:
        """Whether a function of the library takes its arguments for elements if there are many."""
        return False

    def is_abstract_class(self, dotted: str) -> bool:
        """Whether a class of the library has no instances of its own, only of others."""
        return False

    def is_structural(self, dotted: str) -> bool:
        """Whether a class of the library stands for all that can do what it says, whatever they
        extend.
        """
        return False

    def is_plain(self, dotted: str) -> bool:
        """Whether a class of the library is one of texts, numbers or truth values."""
        return False

    def is_rarely_extended(self, dotted: str) -> bool:
        """Whether what is declared to be of a class of the library is seldom of one below it."""
        return self.is_plain(dotted)

    def is_protocol(self, dotted: str) -> bool:
        """Whether classes with this external base stand for all that have their members."""
        return False

    def is_interface(self, definition: Definition) -> bool:
        """Whether all instances of a class are of others, which extend it or have its shape."""
        return self.is_shape(definition)

    def is_shape(self, definition: Definition) -> bool:
        """Whether a class stands for all that have its methods, whatever they extend."""
        return False

    def is_made_of_type(self, dotted: str) -> bool:
        """Whether calling this external name makes what its first argument, a type, says."""
        return False

    def is_instance_maker(self, name: str) -> bool:
        """Whether the library's method `name` gives an instance of the class it is passed."""
        return False

    def is_attribute_read(self, dotted: str) -> bool:
        """Whether calling this external name reads the attribute its second argument names."""
        return False

    def is_cast(self, dotted: str) -> bool:
        """Whether calling this external name gives its second argument as of the first's type."""
        return False

    def is_module_load(self, dotted: str, name: str) -> bool:
        """Whether calling this external name with the text `name` gives the module of that name."""
        return False

    def loaded_name(self, name: str) -> tuple[str, int]:
        """The module that such a text means, and how many leading dots it has."""
        return name, 0

    def is_enumeration(self, dotted: str) -> bool:
        """Whether the members of classes that extend this external one are its instances."""
        return False

    def literal_type(self, kind: str) -> str:
        """The dotted name of the type of a literal or collection."""
        return kind

    def is_class_name(self, dotted: str) -> bool:
        """Whether calling this external name makes an instance of it, as far as its name tells."""
        return False

    def is_stdlib(self, dotted: str) -> bool:
        """Whether an external name belongs to the standard library."""
        return False

    def type_form(self, dotted: str) -> TypeForm | None:
        """What an external generic form means in an annotation."""
        return None

    def is_super(self, dotted: str) -> bool:
        """Whether calling this external name gives the parent's side of the instance."""
        return False

    def is_type_of(self, dotted: str) -> bool:
        """Whether calling this external name with one argument gives the argument's class."""
        return False

    def is_transparent(self, dotted: str) -> bool:
        """Whether calling this external name gives its first argument, for all that matters."""
        return False

    def visibility(self, name: str) -> str:
        """`public`, or `private` by the language's own rule or custom."""
        return "public"

    def is_private(self, definition: Definition) -> bool:
        """Whether a method is no member of classes further down."""
        return False

    def is_overridable(self, definition: Definition) -> bool:
        """Whether a method may have another in its place on instances of a class further down."""
        return True

    def is_abstract(self, definition: Definition) -> bool:
        """Whether a subclass has to provide it."""
        return False

    def is_static(self, definition: Definition) -> bool:
        """Whether it is called without an instance."""
        return False

    def is_component(self, path: str) -> bool:
        """Whether a file is by itself what it gives out, if it gives out nothing else."""
        return False

    def is_exported(self, name: str) -> bool:
        """Whether a wildcard import takes the name when the module does not say."""
        return True

    def exports_name(self) -> str:
        """The variable in which a module lists what a wildcard takes; empty: none."""
        return ""

    def subkind(self, definition: Definition, *, in_class: bool) -> str:
        """The subkind of a definition's node."""
        if definition.subkind:
            return definition.subkind
        if definition.kind == "class":
            return "class"
        return "method" if in_class else "function"
