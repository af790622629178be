"""From the facts of all files to one graph; it sees rows, never text or trees."""

from mu.resolve.linking import link
from mu.resolve.rules import Injected, LanguageRules, ModuleFinder, Receiver, Target, TypeForm

__all__ = ["Injected", "LanguageRules", "ModuleFinder", "Receiver", "Target", "TypeForm", "link"]
