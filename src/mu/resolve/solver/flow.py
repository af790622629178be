"""Interface of the evaluator to its parts.

The parts call one another in all directions, since an expression may contain any other; so each
part refers to this interface and none refers to another part.
"""

from typing import TYPE_CHECKING, Protocol

from mu.resolve.abstract_values import Symbol, Symbols, Values
from mu.resolve.program.file_symbols import FileSymbols

if TYPE_CHECKING:
    from mu.resolve.calls.argument_binding import ArgumentBinding
    from mu.resolve.calls.call_results import CallResults
    from mu.resolve.calls.contextual_typing import ContextualTyping
    from mu.resolve.calls.decorators import Decorators
    from mu.resolve.calls.injected_parameters import InjectedParameters
    from mu.resolve.calls.overload_resolution import OverloadResolution
    from mu.resolve.calls.record_classes import RecordClasses
    from mu.resolve.calls.variadic_parameters import VariadicParameters
    from mu.resolve.evaluation.attribute_loads import AttributeLoads
    from mu.resolve.evaluation.constant_keys import ConstantKeys
    from mu.resolve.evaluation.constant_strings import ConstantStrings
    from mu.resolve.evaluation.container_stores import ContainerStores
    from mu.resolve.evaluation.descriptors import Descriptors
    from mu.resolve.evaluation.field_stores import FieldStores
    from mu.resolve.evaluation.iteration import Iteration
    from mu.resolve.evaluation.object_literals import ObjectLiterals
    from mu.resolve.evaluation.parameter_propagation import ParameterPropagation
    from mu.resolve.evaluation.points_to import PointsTo
    from mu.resolve.lookup.class_hierarchy import ClassHierarchy
    from mu.resolve.lookup.implicit_this import ImplicitThis
    from mu.resolve.lookup.member_lookup import MemberLookup
    from mu.resolve.lookup.name_lookup import NameLookup
    from mu.resolve.lookup.widening import Widening
    from mu.resolve.solver.solver import Solver
    from mu.resolve.types.declared_types import DeclaredTypes
    from mu.resolve.types.functional_interfaces import FunctionalInterfaces
    from mu.resolve.types.return_summaries import ReturnSummaries
    from mu.resolve.types.type_expressions import TypeExpressions
    from mu.resolve.types.type_parameters import TypeParameters


class Flow(Protocol):
    """The evaluator as its parts see it."""

    solver: "Solver"
    names: "NameLookup"
    members: "MemberLookup"
    implicit_this: "ImplicitThis"
    hierarchy: "ClassHierarchy"
    widening: "Widening"
    type_expressions: "TypeExpressions"
    type_parameters: "TypeParameters"
    argument_binding: "ArgumentBinding"
    variadic_parameters: "VariadicParameters"
    contextual_typing: "ContextualTyping"
    attribute_loads: "AttributeLoads"
    record_classes: "RecordClasses"
    overload_resolution: "OverloadResolution"
    functional_interfaces: "FunctionalInterfaces"
    return_summaries: "ReturnSummaries"
    constant_strings: "ConstantStrings"
    decorators: "Decorators"
    call_results: "CallResults"
    parameter_propagation: "ParameterPropagation"
    iteration: "Iteration"
    constant_keys: "ConstantKeys"
    injected_parameters: "InjectedParameters"
    points_to: "PointsTo"
    field_stores: "FieldStores"
    container_stores: "ContainerStores"
    declared_types: "DeclaredTypes"
    object_literals: "ObjectLiterals"
    descriptors: "Descriptors"

    def values(self, unit: FileSymbols, number: int) -> Values:
        """Return the points-to set of expression `number` of a file."""

    def symbols(self, unit: FileSymbols, number: int) -> Symbols:
        """Return the symbols that expression `number` of a file names."""

    def called(self, unit: FileSymbols, number: int) -> Values:
        """Return the points-to set of expression `number` as a callee."""

    def meant(self, symbol: Symbol) -> Values:
        """Return the points-to set of a symbol."""

    def instance(self, unit: FileSymbols, dotted: str) -> Values:
        """Return an instance of an external class, by its dotted name."""
