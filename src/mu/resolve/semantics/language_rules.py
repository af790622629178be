"""Language rules: the strategies of one language family, chosen once for each file.

A language implements the strategies in which it differs from the defaults, in `mu.languages`.
Strategies see facts and paths, never text or syntax trees.
"""

from dataclasses import dataclass, field

from mu.resolve.semantics.call_semantics import CallSemantics
from mu.resolve.semantics.entry_rules import EntryRules
from mu.resolve.semantics.implicit_calls import ImplicitCalls
from mu.resolve.semantics.library_models import LibraryModels
from mu.resolve.semantics.member_semantics import MemberSemantics
from mu.resolve.semantics.module_names import ModuleNames
from mu.resolve.semantics.type_forms import TypeForms


@dataclass(frozen=True, slots=True, eq=False)
class LanguageRules:
    """One strategy for each question; the defaults suit most languages.

    `name` is that of the language's library: dialects that share one share it. Two are equal only
    if they are the same object.
    """

    name: str = ""
    members: MemberSemantics = field(default_factory=MemberSemantics)
    calls: CallSemantics = field(default_factory=CallSemantics)
    implicit: ImplicitCalls = field(default_factory=ImplicitCalls)
    types: TypeForms = field(default_factory=TypeForms)
    modules: ModuleNames = field(default_factory=ModuleNames)
    library: LibraryModels = field(default_factory=LibraryModels)
    entries: EntryRules = field(default_factory=EntryRules)

    def is_called_implicitly(self, name: str) -> bool:
        """Return whether a method of this name, no constructor, is called without naming it."""
        return name not in self.calls.constructors and (
            name in {*self.implicit.methods(), *self._called_elsewhere()}
            or self.implicit.is_common_method(name)
        )

    def is_operation(self, name: str) -> bool:
        """Return whether operations, statements or library functions call this method implicitly.

        Hooks, and methods that calls and reads of members call, do not count.
        """
        others = {*self.implicit.hooks(), *self._called_elsewhere()}
        return self.is_called_implicitly(name) and name not in others

    def _called_elsewhere(self) -> tuple[str, ...]:
        """Return the methods that calls and reads of members call implicitly."""
        members, calls = self.members, self.calls
        others = (members.deref_method, members.fallback_member, calls.call_method)
        return (*others, *calls.completing_methods)
