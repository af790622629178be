"""Event channels: edges from publishers to subscribers.

An event is an object that both sides name, or a constant name on such an object. Two objects are
the same if they are one variable of a module or class, one class of the repository, or results of
the same function for the same name.
"""

from collections.abc import Iterator

from mu.model.facts import Op
from mu.resolve.abstract_values import Key
from mu.resolve.evaluator import Evaluator
from mu.resolve.frameworks.argument_syntax import ArgumentSyntax, RegistrationCall
from mu.resolve.frameworks.test_isolation import TestIsolation
from mu.resolve.program.file_symbols import FileSymbols
from mu.resolve.semantics.framework_models import Argument, Listening, Sending

_COLLECTION = int(Op.COLLECTION)

Event = tuple[object, ...]
"""The key that identifies an event."""


class EventChannels:
    """Matches publishers and subscribers of events."""

    def __init__(
        self, evaluator: Evaluator, written: ArgumentSyntax, trials: TestIsolation
    ) -> None:
        self._evaluator = evaluator
        self._written = written
        self._trials = trials
        self._makers: frozenset[Key] = frozenset()
        self._listeners: dict[Event, dict[int, list[RegistrationCall]]] = {}

    def know_makers(self, keys: frozenset[Key]) -> None:
        """Add functions that return an event by its name."""
        self._makers |= keys

    def listen(self, event: Event, number: int, *, told: RegistrationCall) -> None:
        """Add a definition as a listener of an event, by the registration `told`."""
        self._listeners.setdefault(event, {}).setdefault(number, []).append(told)

    def listeners(self, told: RegistrationCall, meaning: Sending) -> tuple[int, ...]:
        """Return the listeners, by number, that a sending call runs."""
        found: dict[int, None] = {}
        for event, _ in self.of(told, meaning):
            for number, places in self._listeners.get(event, {}).items():
                if not all(self._trials.are_apart(place, told) for place in places):
                    found[number] = None
        return tuple(found)

    def of(
        self, told: RegistrationCall, meaning: Listening | Sending
    ) -> Iterator[tuple[Event, str]]:
        """Yield (event, its name as written) for each event that a call listens to or sends."""
        unit = told.unit
        source = (
            self._written.argument(unit, told.args, wanted=meaning.source)
            if isinstance(meaning.source, Argument)
            else told.receiver
        )
        name: str | None = ""
        if meaning.key is not None:
            name = self._written.text(
                unit, self._written.argument(unit, told.args, wanted=meaning.key)
            )
        if not source or name is None:
            return
        op, _, _, parts = unit.expressions[source]
        for row in parts if op == _COLLECTION else (source,):
            text = self._named(unit, row)
            identity = ("name", text) if text else self._written.identity(unit, row)
            if identity is not None:
                yield (*identity, name), name or text or unit.expressions[row][1]

    def _named(self, unit: FileSymbols, row: int) -> str:
        """Return the name by which a function returns the event; empty if none does."""
        called = self._written.call(unit, row)
        if called is None:
            return ""
        holder, number = called
        _, _, function, args = holder.expressions[number]
        if not args or not any(
            key in self._makers for _, key, _ in self._evaluator.values(holder, function)
        ):
            return ""
        return self._written.text(holder, args[0]) or ""
