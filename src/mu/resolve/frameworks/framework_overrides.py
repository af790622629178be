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

_STRING, _COLLECTION, _OPERATOR = int(Op.STRING), int(Op.COLLECTION), int(Op.OPERATOR)


class FrameworkOverrides:
    """Adds methods that a framework calls on subclasses as entry points."""

    def __init__(
        self, program: Program, evaluator: Evaluator, *, nodes: NodeTable, entries: EntryPoints
    ) -> None:
        self._program = program
        self._evaluator = evaluator
        self._nodes = nodes
        self._entries = entries
        self._keys: list[tuple[frozenset[Key], Framework, Extending]] | None = None
        self._any: frozenset[Key] = frozenset()

    def note(self, unit: FileSymbols, known: FrameworkDetection) -> bool:
        """Note those of a file; give whether it may have any."""
        has_any = False
        if self._keys is None:
            extendings = [(f, each) for f in known.used for each in f.extendings]
            self._keys = [(known.keys(each.names), f, each) for f, each in extendings]
            self._any = frozenset(key for keys, _, _ in self._keys for key in keys)
        for local, row in enumerate(unit.facts.definitions):
            if row.kind == "class" and row.bases:
                above = self._evaluator.members.order(unit.first + local)[1:]
                if not self._any.isdisjoint(above):
                    has_any = True
                    self._note_class(unit, row, above)
        for framework in known.used:
            for naming in framework.namings:
                if all(name in unit.names[0] for name in naming.beside):
                    has_any = True
                    self._note_texts(unit, framework, naming)
        return has_any

    def _note_class(self, unit: FileSymbols, row: Definition, above: Sequence[object]) -> None:
        module = unit.file.path.rpartition("/")[2].partition(".")[0]
        for keys, framework, extending in self._keys or ():
            if keys.isdisjoint(above) or f"/{extending.folder}" not in f"/{unit.file.path}":
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
        """The node of the repository that a dotted name means in a file; -1: none."""
        parts = text.split(".")
        for length in range(len(parts), 0, -1):
            target = unit.finder.find(unit.file.key, ".".join(parts[:length]))
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
