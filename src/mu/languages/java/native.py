"""The linker symbols of Java's native methods.

A method that a library registers at run time (`RegisterNatives`) has no such symbol. Source: the
Java Native Interface specification, "Resolving Native Method Names".
"""

from mu.model.facts import FileFacts, Flag
from mu.resolve import Linkage, Wanted

_ESCAPES = {".": "_", "/": "_", "$": "_00024", "_": "_1", ";": "_2", "[": "_3"}


def native_symbol(facts: FileFacts, number: int) -> Wanted | None:
    """Return the symbol of a native method; None for other methods and for overloaded ones."""
    row = facts.definitions[number]
    is_native = row.flags & Flag.BODILESS and "native" in _modifiers(row.signature, row.name)
    if not is_native:
        return None
    overloads = [
        other
        for other in facts.definitions
        if other.scope == row.scope
        and other.name == row.name
        and "native" in _modifiers(other.signature, other.name)
    ]
    if len(overloads) > 1:
        return None
    classes: list[str] = []
    scope = row.scope
    while scope > 0 and facts.scopes[scope].definition >= 0:
        enclosing = facts.definitions[facts.scopes[scope].definition]
        classes.insert(0, enclosing.name)
        scope = enclosing.scope
    owner = ".".join(filter(None, (facts.package, "$".join(classes))))
    return Wanted(Linkage.SYMBOL, f"Java_{_mangle(owner)}_{_mangle(row.name)}")


def _modifiers(signature: str, name: str) -> list[str]:
    """Return the modifiers and types before the name of a method."""
    return signature.partition(f" {name}")[0].split()


def _mangle(name: str) -> str:
    return "".join(
        _ESCAPES.get(char, char if char.isascii() else f"_0{ord(char):04x}") for char in name
    )
