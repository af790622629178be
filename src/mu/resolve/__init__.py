"""Linking: from the facts of all files to one graph. It reads facts, never text or syntax trees."""

from mu.resolve.documents.document_edges import add_documents
from mu.resolve.emit.nodes import file_nodes
from mu.resolve.pipeline import link
from mu.resolve.program.facts_diff import moved_lines
from mu.resolve.program.foreign_symbols import Linkage, Provided, Wanted
from mu.resolve.program.framework_models import Framework
from mu.resolve.program.language_rules import (
    Declared,
    Injected,
    LanguageRules,
    Receiver,
    Runner,
    TypeForm,
)
from mu.resolve.program.module_resolver import Layout, ModuleFinder, Target
from mu.resolve.program.prototypes import PrototypeWords

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
