"""From the facts of all files to one graph; it sees rows, never text or trees."""

from mu.resolve.documents import add_documents
from mu.resolve.file_nodes import file_nodes
from mu.resolve.finding import Layout, ModuleFinder, Target
from mu.resolve.likeness import moved_lines
from mu.resolve.linkage import Linkage, Provided, Wanted
from mu.resolve.linking import link
from mu.resolve.prototypes import PrototypeWords
from mu.resolve.registry import Framework
from mu.resolve.rules import Declared, Injected, LanguageRules, Receiver, Runner, TypeForm

__all__ = [
    "Declared",
    "Framework",
    "Injected",
    "LanguageRules",
    "Layout",
    "Linkage",
    "ModuleFinder",
    "PrototypeWords",
    "Provided",
    "Receiver",
    "Runner",
    "Target",
    "TypeForm",
    "Wanted",
    "add_documents",
    "file_nodes",
    "link",
    "moved_lines",
]
