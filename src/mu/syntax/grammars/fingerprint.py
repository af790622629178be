"""What the facts of a file depend on beside its bytes: all that reading and extraction are made of.

Facts that are kept from one run to the next are kept under this, so that no upgrade of MU, of a
grammar or of the parser, and no edit of a query, ever meets facts made by another.
"""

import sys
from hashlib import blake2b
from pathlib import Path

from mu import bundle
from mu.syntax.grammars.distributions import versions_of
from mu.syntax.grammars.manifest import lineage, load_manifests

_PACKAGE = Path(__file__).resolve().parents[1]
_FACTS = _PACKAGE.parent / "model" / "facts.py"
_SOURCE = _PACKAGE.parent / "source"
_WORDS = _PACKAGE.parent / "lexical"


def extraction_digest(language: str) -> str:
    """A hex digest of everything that may change the facts of a file in a language.

    Empty where the installation does not tell, such as one without sources: then nothing can be
    kept. Takes 3 ms.
    """
    manifests = load_manifests()
    names = lineage(language, manifests)
    files = [_FACTS, _FACTS.with_name("words.py")]
    files += [
        path for folder in (_SOURCE, _PACKAGE, _WORDS) for path in sorted(folder.rglob("*.py"))
    ]
    files += [bundle.grammars() / name / "language.toml" for name in names]
    files += [path for name in names for path in sorted((bundle.queries() / name).glob("*.scm"))]
    module = manifests[language].grammar.partition(":")[0]
    digest = blake2b(repr((names, sys.version_info[:2])).encode(), digest_size=16)
    parsers = ("tree-sitter", module.replace("_", "-"))
    versions = versions_of(parsers)
    if len(versions) < len(parsers):
        return ""
    try:
        for distribution in parsers:
            digest.update(f"\0{distribution}={versions[distribution]}".encode())
        for path in files:
            text = path.read_bytes()
            digest.update(f"\0{path.name}:{len(text)}\0".encode() + text)
    except OSError:
        return ""
    return digest.hexdigest()
