"""How methods run without being named, by language, for questions, which load no semantics."""

from types import MappingProxyType
from typing import Final

CALL_METHODS: Final = MappingProxyType({"python": "__call__"})
"""The method that a call of an instance runs, as in `validator(value)`: the `call_method` of the
`CallSemantics`.
"""

IMPLICIT_INTERFACES: Final = frozenset(("go",))
"""Languages in which a type implements an interface of any module without naming it."""
