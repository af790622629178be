"""The names under which the Java virtual machine looks for native methods.

Source: the Java Native Interface specification, "Resolving Native Method Names". A method that a
library registers by itself (`RegisterNatives`) has none of these names.
"""

from mu.model.facts import FileFacts, Flag
from mu.resolve import Linkage, Wanted

_ESCAPES = {".": "_", "/": "_", "$": "_00024", "_": "_1", ";": "_2", "[": "_3"}


def native_symbol(facts: FileFacts, number: int) -> Wanted | None:
    """The symbol of a native method; None for any other, and for one with overloads."""
    row = facts.definitions[number]
    is_native = row.flags & Flag.BODILESS and "native" in _before(row.signature, row.name)
    if not is_native:
        return None
    alike = [
        other
        for other in facts.definitions
        if other.scope == row.scope
        and other.name == row.name
        and "native" in _before(other.signature, other.name)
    ]
    if len(alike) > 1:
        return None
    classes: list[str] = []
    scope = row.scope
    while scope > 0 and facts.scopes[scope].definition >= 0:
        around = facts.definitions[facts.scopes[scope].definition]
        classes.insert(0, around.name)
        scope = around.scope
    owner = ".".join(filter(None, (facts.package, "$".join(classes))))
    return Wanted(Linkage.SYMBOL, f"Java_{_mangled(owner)}_{_mangled(row.name)}")


def _before(signature: str, name: str) -> list[str]:
    """The words before the name of a method."""
    return signature.partition(f" {name}")[0].split()


def _mangled(name: str) -> str:
    return "".join(_ESCAPES.get(one, one if one.isascii() else f"_0{ord(one):04x}") for one in name)
