"""From the bytes of one file to its facts: grammars, queries and what is made of their captures."""

from mu.syntax.encoding import FactsError, decode_facts, encode_facts
from mu.syntax.extract import Extractor
from mu.syntax.grammar import GrammarError, load_grammar
from mu.syntax.manifest import Manifest, ManifestError, lineage, load_manifests
from mu.syntax.vocabulary import QueryMistakeError

__all__ = [
    "Extractor",
    "FactsError",
    "GrammarError",
    "Manifest",
    "ManifestError",
    "QueryMistakeError",
    "decode_facts",
    "encode_facts",
    "lineage",
    "load_grammar",
    "load_manifests",
]
