"""Extraction of facts from the source of one file: grammars, queries and the facts they yield.

Names that need a parser are imported on first use. A build that takes all its facts from worker
processes and caches never loads tree-sitter.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from mu.syntax.grammars.manifest import Manifest, ManifestError, lineage, load_manifests

if TYPE_CHECKING:
    from mu.syntax.encoding import FactsDecoder, FactsError, decode_facts, encode_facts
    from mu.syntax.extractor import Extractor
    from mu.syntax.grammars.distributions import versions_of
    from mu.syntax.grammars.fingerprint import extraction_digest
    from mu.syntax.grammars.grammar import load_grammar
    from mu.syntax.grammars.installation import GrammarError, InstalledGrammar, installed_grammar
    from mu.syntax.matching.vocabulary import InvalidQueryError
    from mu.syntax.text.text_classification import text_kinds

__all__ = [
    "Extractor",
    "FactsDecoder",
    "FactsError",
    "GrammarError",
    "InstalledGrammar",
    "InvalidQueryError",
    "Manifest",
    "ManifestError",
    "decode_facts",
    "encode_facts",
    "extraction_digest",
    "installed_grammar",
    "lineage",
    "load_grammar",
    "load_manifests",
    "text_kinds",
    "versions_of",
]

_PLACES = {
    "Extractor": "mu.syntax.extractor",
    "FactsDecoder": "mu.syntax.encoding",
    "FactsError": "mu.syntax.encoding",
    "GrammarError": "mu.syntax.grammars.installation",
    "InstalledGrammar": "mu.syntax.grammars.installation",
    "InvalidQueryError": "mu.syntax.matching.vocabulary",
    "decode_facts": "mu.syntax.encoding",
    "encode_facts": "mu.syntax.encoding",
    "extraction_digest": "mu.syntax.grammars.fingerprint",
    "installed_grammar": "mu.syntax.grammars.installation",
    "load_grammar": "mu.syntax.grammars.grammar",
    "text_kinds": "mu.syntax.text.text_classification",
    "versions_of": "mu.syntax.grammars.distributions",
}


def __getattr__(name: str) -> object:
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_PLACES[name]), name)
