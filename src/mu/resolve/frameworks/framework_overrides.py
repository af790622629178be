"""Framework overrides: methods of classes that extend a framework, and code named in strings."""

from collections.abc import Sequence

from mu.model.facts import Definition, Op
from mu.model.graph import Entry
from mu.model.kinds import EntryRole, Rule
from mu.resolve.abstract_values import DEFINITION, MODULE, Key, number_of
from mu.resolve.emit.nodes import NodeTable
from mu.resolve.evaluator import Evaluator
from mu.resolve.frameworks.entry_points import EntryPoints
from mu.resolve.frameworks.framework_detection import FrameworkDetection
from mu.resolve.program.file_symbols import FileSymbols
from mu.resolve.program.program import Program
from mu.resolve.semantics.framework_models import Extending, Framework, Naming
from mu.resolve.semantics.language_rules import LanguageRules

_STRING, _COLLECTION, _OPERATOR = int(Op.STRING), int(Op.COLLECTION), int(Op.OPERATOR)

_Extended = tuple[frozenset[Key], Framework, Extending]
"""(base classes of a framework, the framework, what it calls on subclasses of these)."""


class FrameworkOverrides:
    """Adds methods that a framework calls on subclasses as entry points."""

    def __init__(
        self, program: Program, evaluator: Evaluator, *, nodes: NodeTable, entries: EntryPoints
    ) -> None:
        self._program = program
        self._evaluator = evaluator
        self._nodes = nodes
        self._entries = entries
        self._keys: dict[LanguageRules, list[_Extended]] = {}

    def note(self, unit: FileSymbols, known: FrameworkDetection) -> bool:
        """Add the entry points of a file; return whether it may have any."""
        has_any = False
        extended = self._keys.get(unit.rules)
        if extended is None:
            extended = self._keys[unit.rules] = [
                (known.keys(each.names), framework, each)
                for framework in known.used
                for each in framework.extendings
            ]
        for local, row in enumerate(unit.facts.definitions):
            if row.kind == "class" and row.bases:
                above = self._evaluator.members.order(unit.first + local)[1:]
                met = [one for one in extended if not one[0].isdisjoint(above)]
                has_any = has_any or bool(met)
                self._note_class(unit, row, met)
        for framework in known.used:
            for naming in framework.namings:
                if all(name in unit.names[0] for name in naming.beside):
                    has_any = True
                    self._note_texts(unit, framework, naming)
        return has_any

    def _note_class(self, unit: FileSymbols, row: Definition, met: Sequence[_Extended]) -> None:
        module = unit.file.path.rpartition("/")[2].partition(".")[0]
        for _, framework, extending in met:
            if f"/{extending.folder}" not in f"/{unit.file.path}":
                continue
            for name in extending.methods:
                entry = unit.names[row.body].get(name)
                for number in entry.definitions if entry else ():
                    label = module if extending.is_module else f"{row.name}.{name}"
                    node = self._nodes.of_definition(unit.first + number)
                    line = unit.facts.definitions[number].start_line
                    self._enter(node, extending.role, label, framework, unit, line)

    def _note_texts(self, unit: FileSymbols, framework: Framework, naming: Naming) -> None:
        for variable in naming.variables:
            entry = unit.names[0].get(variable)
            for binding in entry.bindings if entry else ():
                for text in self._texts(unit, binding.value):
                    node = self._named(unit, text)
                    if node >= 0:
                        self._enter(node, EntryRole.HOOK, variable, framework, unit, binding.line)

    def _texts(self, unit: FileSymbols, row: int) -> list[str]:
        op, text, _, args = unit.expressions[row]
        if op == _STRING:
            return [text]
        if op in (_COLLECTION, _OPERATOR):
            return [text for arg in args for text in self._texts(unit, arg)]
        return []

    def _named(self, unit: FileSymbols, text: str) -> int:
        """Return the repository node that a dotted name in a file resolves to; -1 if none."""
        parts = text.split(".")
        for length in range(len(parts), 0, -1):
            target = unit.finder.find(unit.key, ".".join(parts[:length]))
            if target.file < 0:
                continue
            rest = parts[length:]
            if not rest:
                return self._nodes.of_module(target.file)
            values = self._evaluator.meant((MODULE, target.file, Rule.IMPORT))
            for name in rest:
                symbols = [
                    symbol
                    for value in values
                    for symbol in self._evaluator.members.of(unit, value, name=name)
                ]
                values = tuple(v for symbol in symbols for v in self._evaluator.meant(symbol))
            for kind, key, _ in symbols:
                if kind == DEFINITION and not self._program.is_library(number_of(key)):
                    return self._nodes.of_definition(number_of(key))
            return -1
        return -1

    def _enter(
        self,
        node: int,
        role: EntryRole,
        label: str,
        framework: Framework,
        unit: FileSymbols,
        line: int,
    ) -> None:
        if node >= 0:
            self._entries.add(Entry(node, role, "", label, framework.name, unit.file.path, line))
