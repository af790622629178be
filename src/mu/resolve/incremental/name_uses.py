"""Which files may mean a definition or variable of a name, as the texts of their facts say.

A name that is not in the text of a file leads to nothing there. It may be a part of a dotted name,
of the module that an import names or of a string, or begin with a string that a name is put
together of.
"""

from collections.abc import Iterable, Iterator, Mapping, Set

from mu.model.facts import FileFacts, Op

_BEGINNING, _STRING = int(Op.BEGINNING), int(Op.STRING)
_SEPARATORS = str.maketrans(dict.fromkeys("/:#-", "."))


class NameUses:
    """The names in the facts of files, by the keys of these.

    A definition of the same name counts, too, unless `is_meant` asks for what may mean another.
    """

    def __init__(self, facts: Mapping[int, FileFacts]) -> None:
        self._facts = facts
        self._names: dict[int, set[str]] = {}
        self._defined: dict[int, set[str]] = {}
        self._beginnings: dict[int, tuple[str, ...]] = {}

    def of(self, names: Set[str], *, is_meant: bool = False) -> set[int]:
        """The files whose texts have any of some names."""
        if not names:
            return set()
        found = {key for key in self._facts if self._has_any(key, names)}
        if not is_meant:
            found.update(key for key in self._facts if not self._defined[key].isdisjoint(names))
        return found

    def of_both(self, names: Set[str], others: Set[str]) -> set[int]:
        """The files whose texts have any of some names, and any of some others."""
        return {key for key in self.of(names) if self._has_any(key, others)}

    def _has_any(self, key: int, names: Set[str]) -> bool:
        known = self._names.get(key)
        if known is None:
            facts = self._facts[key]
            known = self._names[key] = set(_texts(facts))
            self._defined[key] = {definition.name for definition in facts.definitions}
            self._beginnings[key] = tuple(
                {text for op, text, _, _ in facts.expressions if op == _BEGINNING}
            )
        if not known.isdisjoint(names):
            return True
        begins = self._beginnings[key]
        return bool(begins) and any(name.startswith(begins) for name in names)


def _texts(facts: FileFacts) -> Iterator[str]:
    texts = {row[1] for row in facts.expressions}
    yield from texts
    yield from _parts(texts)
    for definition in facts.definitions:
        yield from (parameter.name for parameter in definition.parameters)
    for row in facts.imports:
        yield from (row.local, row.name)
        yield from _parts((row.module, row.name))
        yield row.module
    yield from (binding.name for binding in facts.bindings)


def _parts(texts: Iterable[str]) -> Iterator[str]:
    for text in texts:
        dotted = text.translate(_SEPARATORS)
        if "." in dotted:
            yield from dotted.split(".")
