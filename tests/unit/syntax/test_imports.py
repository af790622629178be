import pytest

from unit.syntax.reading import Reading

# What is written; the rows: local name <- module, name, then flags and scope.
IMPORTS = {
    "import a": ["1 - <- a"],
    "import a.b": ["1 - <- a.b"],
    "import a as b": ["1 b <- a"],
    "import a.b as c, d": ["1 c <- a.b", "1 - <- d"],
    "from a import b": ["1 b <- a, b"],
    "from a.b import c as d, e": ["1 d <- a.b, c", "1 e <- a.b, e"],
    "from a import (\n  b,\n  c as d,\n)": ["2 b <- a, b", "3 d <- a, c"],
    "from . import a": ["1 a <- ., a"],
    "from .. import a": ["1 a <- .., a"],
    "from .a import b": ["1 b <- .a, b"],
    "from ...a.b import c": ["1 c <- ...a.b, c"],
    "from . . import a": ["1 a <- .., a"],
    "from a import *": ["1 - <- a wildcard"],
    "from .a import *": ["1 - <- .a wildcard"],
    "from . import *": ["1 - <- . wildcard"],
    "def f():\n  import a\n  from b import c": ["2 - <- a in f", "3 c <- b, c in f"],
    "class C:\n  import a": ["2 - <- a in C"],
    "if X: import a\nelse: import b": ["1 - <- a conditional", "2 - <- b conditional"],
    "try: import a\nexcept E: import b": ["1 - <- a conditional", "2 - <- b conditional"],
    "if TYPE_CHECKING:\n  from a import b": ["2 b <- a, b type_only conditional"],
    "if typing.TYPE_CHECKING:\n  import a": ["2 - <- a type_only conditional"],
    "if TYPE_CHECKING: pass\nelse:\n  import a": ["3 - <- a conditional"],
    "if TYPE_CHECKING:\n  import a\nimport b": ["2 - <- a type_only conditional", "3 - <- b"],
    "def f():\n  if X:\n    import a": ["3 - <- a conditional in f"],
    "for i in x: import a": ["1 - <- a"],
    "import é": ["1 - <- é"],
    "import": [],
    "x = 'import a'": [],
}


@pytest.mark.parametrize(("source", "rows"), IMPORTS.items())
def test_import_has_a_row_for_each_name(source: str, rows: list[str]) -> None:
    assert Reading(source).imports() == rows


def test_imports_are_in_the_order_of_the_text() -> None:
    reading = Reading("from b import *\nimport a\nfrom c import d\nimport e as f\n")

    assert [row.line for row in reading.facts.imports] == [1, 2, 3, 4]
