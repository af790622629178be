"""The languages with overload resolution."""

from typing import Final

OVERLOADING_LANGUAGES: Final = frozenset(("java",))
"""The languages in which functions of one name in one scope are overloads: the arguments of a call
select one of them. In all other languages they are parts of one function: the accessors of a
property, the signatures of an implementation, or the branches of a condition. This module is
separate from the rules because queries on a graph do not load these.
"""
