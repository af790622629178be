"""Bounds of linking, each with its unit, its reason and what happens where it is reached.

Reaching a bound is no error. A value beyond it is unknown, and a reference that needs the value is
a row of the ledger with a reason and no edge, so that answers say `at least`. Bounds marked
*counted* are also added up in `mu.model.graph.Limits`, stored with the build and shown by `mu
kernel audit`. All are constants and no settings: one repository has one graph.
"""

# Abstract values.

MOST_VALUES = 8
"""Values in one points-to set, functions apart. More are widened to a common ancestor in the
repository, or else dropped: the set is empty, as for an unknown expression. *Counted* as `values`,
for a parameter as `arguments`.
"""
MOST_PASSERS = 32
"""Things that are kept for a parameter which is passed too many, each with a file that passes it:
while enough of them are passed elsewhere, an edit does not make it hold any.
"""
MOST_FUNCTIONS = 2048
"""Functions in one points-to set, as a table of handlers is as long as it is; the rest are dropped.
*Counted* as `arguments` where it is that of a parameter.
"""
DEEPEST_VALUE = 4
"""Levels of values within values (`list[dict[str, list[User]]]`). Parts further in are unknown, so
that a container which is put into itself does not grow for ever.
"""

# The solver and the evaluator.

DEEPEST_QUERY = 60
"""Queries open at once, each asked by the one before, which bounds the stack. The next is answered
as an outermost one, and the outermost again after it.
"""
MOST_RESTARTS = 10
"""Queries that are answered so, each as too deep below the one before: chains of ten times
`DEEPEST_QUERY`. Beyond that, and where a query is too deep below itself, its answer is empty.
*Counted* as `depth`.
"""
MOST_QUERIES = 4000
"""Queries answered for one outermost query before provisional answers of a cycle are kept as final,
which bounds the work that a large cycle repeats.
"""
MOST_CYCLE_ITERATIONS = MOST_VALUES + 1
"""Evaluations of a query that depends on itself: one for each value that can be new, and one to see
that none is. The answer is what was found by then.
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
"""Frames of the interpreter that linking may use, so that it meets its own bounds first. With every
second one a generator that C runs, they fit into 1.5 MB of C's stack (measured with CPython 3.11 on
x86-64), which has 8 MB as a rule. Beyond it, linking fails for the file at hand and no other.
"""
MOST_ITERATIONS = 10
"""Iterations of interprocedural propagation, each over what the one before changed. Parameters that
are still growing keep what they have. *Counted* as `rounds`.
"""

# Classes and types.

LONGEST_MRO = 200
"""Classes in one method resolution order, which is cut there; for generated hierarchies."""
MOST_SUBCLASSES = 300
"""Subclasses of one class that are searched for overrides; those beyond it are not."""
MOST_CLASSES_BESIDE = 16
"""Classes with the bases of another that are looked at for one that runs what it inherits."""
MOST_CALLS_OF_MIXIN = 64
"""Calls of a function such as `(Base) => class extends Base {}` searched for its bases."""
DEEPEST_TYPE = 12
"""Levels of one annotation, and of the aliases it names. What is further in is unknown."""
MOST_OVERRIDES = 64
"""Overrides of one method that a call of it is linked to, and classes that one constructor call may
make. With more, the call keeps its direct callee alone. *Counted* as `overrides`; answers add such
calls as open. `LINKED_OVERRIDES` of `mu.analysis.completeness.unlinked_overrides` has to be equal.
"""
MOST_CANDIDATES = 10
"""Definitions that fit a reference of which no more than a name is known, as far as they are
counted: one more `name`, `run` or `__str__` among many changes no other reference.
"""
DEEPEST_RECEIVER = 12
"""Variables, calls and returned expressions through which the objects are followed that a method is
called on. Further on, what is declared stands for them.
"""

# Calls.

MOST_VARIADIC_ARGUMENTS = 6
"""Arguments of `*args` that are told apart by position; further ones are values of any position."""
MOST_RESULT_OVERRIDES = 16
"""Overrides whose results stand in for that of a method without a result of its own. With more, the
result is unknown.
"""
MOST_REPLACEMENTS = 2
"""Functions defined elsewhere that a decorator may put in place of what it decorates. More are
functions that were passed to it and come back, and none of them is taken.
"""

# Variables, fields and constants.

MOST_FIELD_STORES = 60
"""Stores to attributes of one name outside their classes. With more (`x.name = ...`), the name is
too common to tell the objects apart, and none of them is followed.
"""
DEEPEST_STORE = 3
"""Subscripts and calls between a variable and the container that is filled: two in
`d[key].setdefault(name, set()).add(x)`. Stores further in are not seen.
"""
MOST_STRINGS = 16
"""Strings that one expression may be, for names that are computed. With more it is not constant."""
DEEPEST_STRING = 6
"""Names, calls and subscripts through which a constant string is followed."""
DEEPEST_LITERAL = 5
"""Names, calls and subscripts between a subscript with a constant key and the literal it reads."""
MOST_LITERALS = 2
"""Object literals in one points-to set that are read as tables of their members. More are arguments
of many callers, and no caller means the members of all.
"""
DEEPEST_ALIAS = 4
"""Names through which a prototype or a member's name is followed: `const p = A.prototype`."""

# Incremental linking.

MOST_RELINKED_SHARE = 0.15
"""Share of the expressions of a program in files that are linked again without the rest. Of more,
all are: each is linked as it was and as it is, and looked at for what it passes on.
"""
MOST_RELINKED_IN_ALL = 0.4
"""Sum of these shares over the steps in which files are added: each step links all of them anew."""
SET_UP_SHARE = 0.03
"""Added to that for each step, which sets up a program and compares it: for the standard library
some 2 s of the 36 that a build takes.
"""
FEWEST_RELINKED_FILES = 4
"""Files that may be linked so whatever their share."""
MOST_RELINKING_STEPS = 12
"""Times that files are added to those to relink, since what is linked alters more of them."""
MOST_COMPARED_CLASSES = 200
"""Classes below one of which an attribute is set otherwise that are asked, in both programs, what
it gives them. Of more, all that may read it is linked again.
"""
MOST_ASKED_SHARE = 0.1
"""Share of the expressions of a program in files that are asked whether they pass arguments that
others pass no more. Of more, a build is made.
"""
FEWEST_ASKED_FILES = 100
"""Files that may be asked so whatever their share."""
MOST_TOLD_FILES = 4
"""Files that are asked whether they pass an argument when they are told those that do not depend on
it.
"""
MOST_HANDING_FILES = 30
"""Files that only hand on an argument and are linked again to see whether they still do. Of more, a
build is made.
"""

# Frameworks.

DEEPEST_ROUTER = 8
"""Names, calls, modules and functions through which a router is followed to where it is made. A
route on a router that is not found has the prefix `*`.
"""
MOST_MOUNTS = 64
"""Places that one router is mounted at, and full patterns of one route; the rest are dropped."""
DEEPEST_WRAPPING = 8
"""Calls around a handler (`wrap(log(handle))`) through which it is found."""
DEEPEST_PROVIDER = 6
"""Expressions and aliases through which a provider is found in a default value or an annotation."""

# What is written to the graph.

LONGEST_REFERENCE = 120
"""Characters of a reference's text in the ledger; of a longer one the end is kept, after `…`."""
DEEPEST_LIBRARY_ARGUMENT = 10
"""Levels of the arguments of a call that are searched for the file name of a foreign library."""
