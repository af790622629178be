"""Interface of the evaluator, as its parts see it.

They call one another in all directions, as an expression may stand in any other; so none holds
another, and all hold this.
"""

from typing import TYPE_CHECKING, Protocol

from mu.resolve.abstract_values import Symbol, Symbols, Values
from mu.resolve.program.file_symbols import FileSymbols

if TYPE_CHECKING:
    from mu.resolve.annotations import Annotations
    from mu.resolve.arguments import Arguments
    from mu.resolve.calls import Calls
    from mu.resolve.constants import Constants
    from mu.resolve.decorators import Decorators
    from mu.resolve.descriptors import Descriptors
    from mu.resolve.fields import OutsideFields
    from mu.resolve.filling import Filling
    from mu.resolve.functional import Functional
    from mu.resolve.generics import Generics
    from mu.resolve.holding import Holding
    from mu.resolve.injection import Injection
    from mu.resolve.iteration import Iteration
    from mu.resolve.lookup.class_hierarchy import ClassHierarchy
    from mu.resolve.lookup.implicit_this import ImplicitThis
    from mu.resolve.lookup.member_lookup import MemberLookup
    from mu.resolve.lookup.name_lookup import NameLookup
    from mu.resolve.lookup.widening import Widening
    from mu.resolve.objects import Objects
    from mu.resolve.overloads import Overloads
    from mu.resolve.passing import Passing
    from mu.resolve.placing import Placing
    from mu.resolve.reading import Reading
    from mu.resolve.records import Records
    from mu.resolve.rests import Rests
    from mu.resolve.returns import Returns
    from mu.resolve.solver.solver import Solver
    from mu.resolve.standing import Standing
    from mu.resolve.tables import Tables


class Flow(Protocol):
    """The evaluator, as its parts see it."""

    search: "Solver"
    names: "NameLookup"
    members: "MemberLookup"
    enclosing: "ImplicitThis"
    hierarchy: "ClassHierarchy"
    widening: "Widening"
    annotations: "Annotations"
    generics: "Generics"
    passing: "Passing"
    rests: "Rests"
    placing: "Placing"
    reading: "Reading"
    records: "Records"
    overloads: "Overloads"
    functional: "Functional"
    returns: "Returns"
    constants: "Constants"
    decorators: "Decorators"
    calls: "Calls"
    arguments: "Arguments"
    iteration: "Iteration"
    tables: "Tables"
    injection: "Injection"
    holding: "Holding"
    fields: "OutsideFields"
    filling: "Filling"
    standing: "Standing"
    objects: "Objects"
    descriptors: "Descriptors"

    def values(self, unit: FileSymbols, number: int) -> Values:
        """What expression `number` of a file may give."""

    def symbols(self, unit: FileSymbols, number: int) -> Symbols:
        """What expression `number` of a file names."""

    def called(self, unit: FileSymbols, number: int) -> Values:
        """What expression `number` gives that is called."""

    def meant(self, symbol: Symbol) -> Values:
        """What a symbol may hold."""

    def instance(self, unit: FileSymbols, dotted: str) -> Values:
        """An instance of a class outside, by its dotted name."""
