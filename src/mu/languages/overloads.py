"""Which languages link each call to the overload that it means."""

from typing import Final

OVERLOADING: Final = frozenset(("java",))
"""The languages in which functions of one name in one scope are several, of which a call means the
one that its arguments fit. Elsewhere they are the parts of one: of a property, the signatures of an
implementation, the branches of a condition. Kept apart from the rules, which a question about a
graph does without.
"""
