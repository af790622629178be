"""Override edges, and edges to the interfaces that a class implements structurally."""

from collections.abc import Iterator, Mapping, Sequence

from mu.model.facts import Definition
from mu.model.kinds import Rule
from mu.resolve.abstract_values import CLASS, DEFINITION, number_of
from mu.resolve.evaluator import Evaluator
from mu.resolve.lookup.signatures import may_be_same, taken
from mu.resolve.program.file_symbols import CONSTRUCTOR, EXTENSION, FileSymbols
from mu.resolve.program.program import Program
from mu.resolve.semantics.call_semantics import Overloading
from mu.resolve.semantics.member_semantics import Inheritance


class OverrideEdges:
    """A finder of overridden methods and implemented interfaces, one file at a time."""

    def __init__(self, program: Program, evaluator: Evaluator) -> None:
        self._program = program
        self._evaluator = evaluator
        self._shapes: Mapping[int, Sequence[int]] | None = None

    def shapes(self, unit: FileSymbols) -> Iterator[tuple[int, int]]:
        """Yield (class, interface) for classes of a file that satisfy it without declaring so."""
        shapes = self._all_shapes()
        for number in range(unit.first, unit.first + len(unit.facts.definitions)):
            for shape in shapes.get(number, ()):
                if shape not in self._evaluator.members.order(number):
                    yield number, shape

    def of(self, unit: FileSymbols) -> Iterator[tuple[int, int, Rule]]:
        """Yield (method, overridden method, rule) for the methods of a file.

        A method overrides that of the nearest ancestor, and that of each interface its class
        satisfies structurally.
        """
        ancestors: dict[int, list[int]] = {}
        shapes = self._all_shapes()
        for local, row in enumerate(unit.facts.definitions):
            owner = unit.owner(row.scope)
            if row.kind != "function" or not row.name or row.subkind == CONSTRUCTOR or owner < 0:
                continue
            if not unit.members.is_overridable(row):  # it hides the one above
                continue
            if owner not in ancestors:
                ancestors[owner] = self._ancestors(unit, owner)
            above = ancestors[owner]
            if above and unit.members.inheritance is Inheritance.IMPLEMENTING:
                above = self._implemented(unit, row, owner=owner, ancestors=above)
            overridden = self._overridden(unit, unit.first + local, above)
            if overridden >= 0:
                yield unit.first + local, overridden, Rule.INHERITED
            for shape in shapes.get(owner, ()):
                for kind, key, _ in self._evaluator.members.own(shape, row.name, rule=Rule.SHAPE):
                    if kind == DEFINITION:
                        yield unit.first + local, number_of(key), Rule.SHAPE

    def _all_shapes(self) -> Mapping[int, Sequence[int]]:
        if self._shapes is None:
            self._shapes = self._evaluator.hierarchy.shapes()
        return self._shapes

    def _ancestors(self, unit: FileSymbols, owner: int) -> list[int]:
        """Return the ancestors in the repository whose methods a class may override."""
        is_class = self._program.definitions[owner].kind == "class"
        if not is_class or not unit.members.inheritance.makes_subtypes:
            return []
        order = self._evaluator.members.order(owner)[1:]
        left_out = self._evaluator.members.merged(owner)
        found = [n for n in order if isinstance(n, int) and not self._program.is_library(n)]
        blankets = self._program.blankets
        return [n for n in found if n not in left_out and blankets.base(n) < 0]

    def _implemented(
        self, unit: FileSymbols, row: Definition, *, owner: int, ancestors: list[int]
    ) -> list[int]:
        """Return those of the ancestors that a method implements.

        This is the base that its extension names; none for a method that its class has by itself.
        """
        holder = unit.facts.definitions[unit.scopes[row.scope].definition]
        if holder.kind != EXTENSION:
            return ancestors if self._program.blankets.base(owner) >= 0 else []
        if len(holder.bases) < 2:
            return []
        values = self._evaluator.values(unit, holder.bases[1][0])
        named = [number_of(key) for kind, key, _ in values if kind == CLASS]
        return [number for number in ancestors if number in named]

    def _overridden(self, unit: FileSymbols, number: int, ancestors: Sequence[int]) -> int:
        """Return the function of the nearest ancestor that a method overrides; -1 for none."""
        unit_of, definitions = self._program.unit_of, self._program.definitions
        row = definitions[number]
        for ancestor in ancestors:
            holder = unit_of[ancestor]
            entry = holder.names[definitions[ancestor].body].get(row.name)
            if entry is None:
                continue
            found = [local + holder.first for local in entry.definitions]
            found = [one for one in found if definitions[one].kind == "function"]
            if unit.calls.overloading is not Overloading.BY_SIGNATURE:
                return (
                    found[-1] if found and found[-1] == holder.first + entry.definitions[-1] else -1
                )
            own = taken(self._program, (DEFINITION, number, Rule.INHERITED)) or ()
            for other in found:
                types = taken(self._program, (DEFINITION, other, Rule.INHERITED))
                is_open = holder.members.is_overridable(definitions[other])
                if is_open and types is not None and may_be_same(own, types):
                    return other
        return -1
