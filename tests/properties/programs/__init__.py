"""Programs that a grammar of few words makes: the same names everywhere, bound and bound again.

They compile to nothing. What counts is that names, scopes, calls, bases and imports meet each other
in every way that a language has, circles among them.
"""

from properties.programs.go import GO
from properties.programs.java import JAVA
from properties.programs.javascript import JAVASCRIPT
from properties.programs.python import PYTHON
from properties.programs.rust import RUST
from properties.programs.typescript import TYPESCRIPT
from properties.programs.writing import Grammar, write_program

GRAMMARS: dict[str, Grammar] = {
    "python": PYTHON,
    "javascript": JAVASCRIPT,
    "typescript": TYPESCRIPT,
    "go": GO,
    "java": JAVA,
    "rust": RUST,
}

__all__ = ["GRAMMARS", "Grammar", "write_program"]
