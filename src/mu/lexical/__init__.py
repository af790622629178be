"""Words: splitting text into them, their variants, their weights, and the inverted index.

The index stores words as they are written, in lower case. Endings and abbreviations are handled
when a query is run (`variants`), so that their rules may change without a build.
"""

from mu.lexical.file_words import definition_words, section_words, unweighed_prose
from mu.lexical.meanings import IDENTIFIER, Meanings
from mu.lexical.postings import index_words
from mu.lexical.variants import Variant, content_words, prefixes, variants
from mu.lexical.weighing import FIELDS, SCALE, Field
from mu.lexical.words import split_words

__all__ = [
    "FIELDS",
    "IDENTIFIER",
    "SCALE",
    "Field",
    "Meanings",
    "Variant",
    "content_words",
    "definition_words",
    "index_words",
    "prefixes",
    "section_words",
    "split_words",
    "unweighed_prose",
    "variants",
]
