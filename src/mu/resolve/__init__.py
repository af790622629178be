"""Linking: from the facts of all files to one graph. It reads facts, never text or syntax trees."""

from mu.resolve.documents.document_edges import add_documents
from mu.resolve.documents.symbol_index import CLEAR as CLEAR_NAME
from mu.resolve.emit.nodes import NodesOfFile, file_nodes
from mu.resolve.incremental.file_match import may_match
from mu.resolve.incremental.relinking import (
    AlteredElsewhereError,
    FileFinder,
    FileLinks,
    ProgramLinks,
    Relinked,
    relink,
)
from mu.resolve.incremental.state_encoding import decode_state, encode_state
from mu.resolve.pipeline import link
from mu.resolve.program.facts_diff import is_alike, moved_lines
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
from mu.resolve.program.program import ProgramText
from mu.resolve.program.prototypes import PrototypeWords
from mu.resolve.whole_program import WholeProgramState

__all__ = [
    "CLEAR_NAME",
    "AlteredElsewhereError",
    "Declared",
    "FileFinder",
    "FileLinks",
    "Framework",
    "Injected",
    "LanguageRules",
    "Layout",
    "Linkage",
    "ModuleFinder",
    "NodesOfFile",
    "ProgramLinks",
    "ProgramText",
    "PrototypeWords",
    "Provided",
    "Receiver",
    "Relinked",
    "Runner",
    "Target",
    "TypeForm",
    "Wanted",
    "WholeProgramState",
    "add_documents",
    "decode_state",
    "encode_state",
    "file_nodes",
    "is_alike",
    "link",
    "may_match",
    "moved_lines",
    "relink",
]
