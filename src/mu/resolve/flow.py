"""What the parts of the evaluator find values with: each other.

They call one another in all directions, as an expression may stand in any other; so none holds
another, and all hold this.
"""

from typing import TYPE_CHECKING, Protocol

from mu.resolve.unit import Unit
from mu.resolve.values import Symbol, Symbols, Values

if TYPE_CHECKING:
    from mu.resolve.annotations import Annotations
    from mu.resolve.arguments import Arguments
    from mu.resolve.calls import Calls
    from mu.resolve.constants import Constants
    from mu.resolve.decorators import Decorators
    from mu.resolve.descriptors import Descriptors
    from mu.resolve.enclosing import Enclosing
    from mu.resolve.fields import OutsideFields
    from mu.resolve.filling import Filling
    from mu.resolve.functional import Functional
    from mu.resolve.generics import Generics
    from mu.resolve.hierarchy import Hierarchy
    from mu.resolve.holding import Holding
    from mu.resolve.injection import Injection
    from mu.resolve.iteration import Iteration
    from mu.resolve.members import Members
    from mu.resolve.names import Names
    from mu.resolve.objects import Objects
    from mu.resolve.overloads import Overloads
    from mu.resolve.passing import Passing
    from mu.resolve.placing import Placing
    from mu.resolve.reading import Reading
    from mu.resolve.records import Records
    from mu.resolve.rests import Rests
    from mu.resolve.returns import Returns
    from mu.resolve.search import Search
    from mu.resolve.standing import Standing
    from mu.resolve.tables import Tables
    from mu.resolve.widening import Widening


class Flow(Protocol):
    """The evaluator, as its parts see it."""

    search: "Search"
    names: "Names"
    members: "Members"
    enclosing: "Enclosing"
    hierarchy: "Hierarchy"
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

    def values(self, unit: Unit, number: int) -> Values:
        """What expression `number` of a file may give."""

    def symbols(self, unit: Unit, number: int) -> Symbols:
        """What expression `number` of a file names."""

    def called(self, unit: Unit, number: int) -> Values:
        """What expression `number` gives that is called."""

    def meant(self, symbol: Symbol) -> Values:
        """What a symbol may hold."""

    def instance(self, unit: Unit, dotted: str) -> Values:
        """An instance of a class outside, by its dotted name."""
