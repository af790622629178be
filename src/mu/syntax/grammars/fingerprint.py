"""A digest of everything that facts depend on, besides the bytes of their file.

Cached facts have it in their key, so that an upgrade of MU, of a grammar or of the parser, or an
edit of a query, makes all of them cache misses.
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
    """Return a hex digest of all code and data that may change the facts of a language; 3 ms.

    Empty if the installation cannot tell, for example without sources: then nothing may be cached.
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
