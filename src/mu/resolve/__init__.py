"""Linking: from the facts of all files to one graph. It reads facts, no source or syntax trees."""

from mu.resolve.documents.document_edges import add_documents, link_documents, names_asked
from mu.resolve.documents.document_nodes import link_targets, said_by
from mu.resolve.documents.symbol_index import CLEAR as CLEAR_NAME
from mu.resolve.emit.nodes import NodesOfFile, file_nodes
from mu.resolve.incremental.comparison.file_match import may_match
from mu.resolve.incremental.comparison.name_uses import FileFinder
from mu.resolve.incremental.file_set import NeedsBuildError
from mu.resolve.incremental.program_version import (
    FileLinks,
    ProgramLinks,
    ProgramVersion,
    Relinked,
)
from mu.resolve.incremental.relinking import relink
from mu.resolve.incremental.state_encoding import decoding_state, encode_state
from mu.resolve.pipeline import link
from mu.resolve.program.facts_diff import is_alike, moved_lines
from mu.resolve.program.file_symbols import EXTENSION
from mu.resolve.program.program import ProgramText
from mu.resolve.semantics.call_semantics import (
    CallSemantics,
    FieldKey,
    FunctionTypes,
    Overloading,
    Receiver,
)
from mu.resolve.semantics.entry_rules import Declared, EntryRules, Injected, Runner
from mu.resolve.semantics.foreign_symbols import Linkage, Provided, Wanted
from mu.resolve.semantics.framework_models import Framework
from mu.resolve.semantics.implicit_calls import ImplicitCalls
from mu.resolve.semantics.language_rules import LanguageRules
from mu.resolve.semantics.library_models import (
    NO_METHODS,
    CallModel,
    LibraryModels,
    MethodsCalled,
    TracedLibrary,
)
from mu.resolve.semantics.member_semantics import (
    Inheritance,
    MemberChoice,
    MemberSemantics,
    Namespaces,
    Scoping,
)
from mu.resolve.semantics.module_names import ModuleNames, Wildcards
from mu.resolve.semantics.module_resolver import Layout, ModuleFinder, Target
from mu.resolve.semantics.prototypes import Prototypes, PrototypeWords
from mu.resolve.semantics.type_forms import DeclaredMethods, Subtyping, TypeForm, TypeForms
from mu.resolve.whole_program import WholeProgramState

__all__ = [
    "CLEAR_NAME",
    "EXTENSION",
    "NO_METHODS",
    "CallModel",
    "CallSemantics",
    "Declared",
    "DeclaredMethods",
    "EntryRules",
    "FieldKey",
    "FileFinder",
    "FileLinks",
    "Framework",
    "FunctionTypes",
    "ImplicitCalls",
    "Inheritance",
    "Injected",
    "LanguageRules",
    "Layout",
    "LibraryModels",
    "Linkage",
    "MemberChoice",
    "MemberSemantics",
    "MethodsCalled",
    "ModuleFinder",
    "ModuleNames",
    "Namespaces",
    "NeedsBuildError",
    "NodesOfFile",
    "Overloading",
    "ProgramLinks",
    "ProgramText",
    "ProgramVersion",
    "PrototypeWords",
    "Prototypes",
    "Provided",
    "Receiver",
    "Relinked",
    "Runner",
    "Scoping",
    "Subtyping",
    "Target",
    "TracedLibrary",
    "TypeForm",
    "TypeForms",
    "Wanted",
    "WholeProgramState",
    "Wildcards",
    "add_documents",
    "decoding_state",
    "encode_state",
    "file_nodes",
    "is_alike",
    "link",
    "link_documents",
    "link_targets",
    "may_match",
    "moved_lines",
    "names_asked",
    "relink",
    "said_by",
]
