"""Bounds of linking, each with its unit, its reason and the effect of reaching it.

Reaching a bound is no error. A value beyond it is unknown, and a reference that needs the value is
a row of the ledger with a reason and no edge, so that answers say `at least`. Bounds marked
*counted* are also added up in `mu.model.graph.Limits`, stored with the build and shown by `mu
kernel audit`. All are constants and no settings: one repository has one graph.
"""

# Abstract values.

MOST_VALUES = 8
"""Values in one points-to set, not counting functions and, except in parameters, classes. More are
widened to a common ancestor in the repository, or else dropped: the set is empty, as for an unknown
expression. *Counted* as `values`, for a parameter as `arguments`.
"""
MOST_PASSERS = 32
"""Values recorded for a parameter over the limit, each with a file that passes it: while enough of
them are passed by files that an edit does not affect, the parameter stays over the limit.
"""
MOST_FUNCTIONS = 2048
"""Functions in one points-to set (with the classes, except in parameters), so that long tables of
handlers fit; the rest are dropped. *Counted* as `arguments` for a parameter.
"""
DEEPEST_VALUE = 4
"""Levels of nested values (`list[dict[str, list[User]]]`). Deeper parts are unknown, so that a
container which is put into itself does not grow for ever.
"""

# The solver and the evaluator.

DEEPEST_QUERY = 60
"""Queries open at once, each asked by the one before, which bounds the stack. A deeper query is
postponed and answered as an outermost one, and then the outermost is asked again.
"""
MOST_RESTARTS = 10
"""Postponed queries that are being answered at once, each too deep below the one before: chains of
ten times `DEEPEST_QUERY`. Beyond that, and where a query is too deep below itself, its answer is
empty. *Counted* as `depth`.
"""
MOST_QUERIES = 4000
"""Queries answered for one outermost query before provisional answers of a cycle are kept as final,
which bounds the work that a large cycle repeats.
"""
MOST_CYCLE_ITERATIONS = MOST_VALUES + 1
"""Evaluations of a query that depends on itself: one for each value that can be new, and one to
find that none is. The answer is what was found by then.
"""
DEEPEST_EXPRESSION = 40
"""Expressions open at once before the parts of the next are evaluated from the innermost outwards,
which saves stack in long method chains. It changes no answer.
"""
MOST_OPEN_EXPRESSIONS = 150
"""Expressions open at once, three times what django needs. The next one has no values. *Counted* as
`depth`.
"""
STACK_FRAMES = 5000
"""Interpreter frames that linking may use, so that it reaches its own bounds first. If every second
one is a generator that C code runs, they fit into 1.5 MB of the C stack (measured with CPython 3.11
on x86-64), which usually has 8 MB. Beyond it, linking fails for the current file only.
"""
MOST_ITERATIONS = 10
"""Iterations of interprocedural propagation, each over what the one before changed. Parameters that
are still growing keep the values they have. *Counted* as `rounds`.
"""

# Classes and types.

LONGEST_MRO = 200
"""Classes in one method resolution order; the rest is cut, as in generated hierarchies."""
MOST_SUBCLASSES = 300
"""Subclasses of one class that are searched for overrides; those beyond it are not."""
MOST_CLASSES_BESIDE = 16
"""Earlier subclasses of the same base that are searched for one that inherits the same members."""
MOST_CALLS_OF_MIXIN = 64
"""Calls of a function such as `(Base) => class extends Base {}` searched for its bases."""
DEEPEST_TYPE = 12
"""Levels of one annotation, and of the aliases it names. Deeper parts are unknown."""
MOST_OVERRIDES = 64
"""Overrides of one method that a call of it is linked to, and classes that one constructor call may
instantiate. With more, the call keeps only its direct callee. *Counted* as `overrides`; answers add
such calls as open. `LINKED_OVERRIDES` of `mu.analysis.completeness.unlinked_overrides` must be
equal.
"""
MOST_CANDIDATES = 10
"""Maximum count of candidates for a reference of which only the name is known: so one more `name`,
`run` or `__str__` among many changes no other reference.
"""
DEEPEST_RECEIVER = 12
"""Variables, calls and returned expressions through which a receiver is followed. Beyond that, its
declared type is used.
"""

# Calls.

MOST_VARIADIC_ARGUMENTS = 6
"""Arguments of `*args` that are distinguished by position; further ones may be at any position."""
MOST_RESULT_OVERRIDES = 16
"""Overrides whose results are used for a method without a result of its own. With more, the result
is unknown.
"""
MOST_REPLACEMENTS = 2
"""Functions defined elsewhere that a decorator may replace what it decorates with. More are likely
functions that were passed to the decorator and are returned by it, so none of them is used.
"""

# Variables, fields and constants.

MOST_FIELD_STORES = 60
"""Stores to attributes of one name outside their classes. With more (`x.name = ...`), the name is
too common to distinguish the objects, and none of the stores is followed.
"""
DEEPEST_STORE = 3
"""Subscripts and calls between a variable and the container that is filled: two in
`d[key].setdefault(name, set()).add(x)`. Deeper stores are ignored.
"""
MOST_STRINGS = 16
"""Strings that one expression may be, for computed names. With more, it is no constant."""
DEEPEST_STRING = 6
"""Names, calls and subscripts through which a constant string is followed."""
DEEPEST_LITERAL = 5
"""Names, calls and subscripts between a subscript with a constant key and the literal it reads."""
MOST_LITERALS = 2
"""Object literals in one points-to set that are treated as tables of their members. More are
arguments of many callers, none of which means the members of all.
"""
DEEPEST_ALIAS = 4
"""Names through which a prototype or a member's name is followed: `const p = A.prototype`."""

# Incremental linking.

MOST_RELINKED_SHARE = 0.15
"""Share of the expressions of a program that an update relinks at most; beyond that, all files are
linked. Relinked files are linked in both programs, and what they pass is compared.
"""
MOST_RELINKED_IN_ALL = 0.4
"""Sum of these shares over the steps in which files are added: each step relinks all of them."""
SET_UP_SHARE = 0.03
"""Share added to that sum for each step, which sets up a program and compares it: for the standard
library some 2 s of the 36 that a build takes.
"""
DERIVATION_SHARE = 0.33
"""Part of the cost of such a step that is added for each evaluation of the relinked functions which
shows what they pass only because of one another (`MOST_DERIVATION_STEPS`).
"""
FEWEST_RELINKED_FILES = 4
"""Files that may be relinked whatever their share."""
MOST_RELINKING_STEPS = 12
"""Times that files are added to those to relink, because relinked ones affect more of them."""
MOST_DERIVATION_STEPS = 8
"""Times that relinked functions are evaluated to see which arguments they pass only because of one
another. Arguments that would take more steps are withheld, and linked again where files pass them.
"""
MOST_COMPARED_CLASSES = 200
"""Subclasses for which an attribute is compared in both programs, if a store to it on a superclass
changed. With more, everything that may read the attribute is relinked.
"""
MOST_ASKED_SHARE = 0.1
"""Share of the expressions of a program in files that are searched for arguments that other files
no longer pass. With more, a build is made.
"""
FEWEST_ASKED_FILES = 100
"""Files that may be searched for them whatever their share."""
MOST_RECHECKED_FILES = 4
"""Files that are checked for whether they still forward an argument in a program with only those
arguments that do not depend on it.
"""
MOST_FORWARDING_FILES = 30
"""Files that only forward withheld arguments and are relinked to see whether they still do. With
more, a build is made.
"""

# Processes.

FEWEST_EXPRESSIONS_PER_PROCESS = 20_000
"""Expressions of a program for each process that links it: below that, what all of them do alike
takes more than is saved.
"""

# Frameworks.

DEEPEST_ROUTER = 8
"""Names, calls, modules and functions through which a router is followed to its instantiation. A
route on a router that is not found has the prefix `*`.
"""
MOST_MOUNTS = 64
"""Mount points of one router, and full patterns of one route; the rest are dropped."""
DEEPEST_WRAPPING = 8
"""Calls around a handler (`wrap(log(handle))`) through which it is found."""
DEEPEST_PROVIDER = 6
"""Expressions and aliases through which a provider is found in a default value or an annotation."""

# What is written to the graph.

LONGEST_REFERENCE = 120
"""Characters of a reference's text in the ledger; a longer one is cut to its end, after `…`."""
DEEPEST_LIBRARY_ARGUMENT = 10
"""Levels of the arguments of a call that are searched for the file name of a foreign library."""
