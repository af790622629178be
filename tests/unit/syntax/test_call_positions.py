"""A call is a call wherever it stands: programs of each language that have calls in all places.

Each `@(` in a file of `positions` is a call of a function of its own. The files only have to parse.
What a macro is handed that is not read as arguments counts, too: it is told of as a call.
"""

import re
from itertools import count
from pathlib import Path

import pytest

from mu.model.facts import ReferenceKind
from mu.syntax import Extractor

FOLDER = Path(__file__).parent / "positions"
MARK = re.compile(r"@(?=\()")
CALL = int(ReferenceKind.CALL)


@pytest.mark.parametrize("path", sorted(FOLDER.iterdir()), ids=lambda path: path.stem)
def test_calls_in_every_position_are_found(path: Path) -> None:
    numbers = count(1)
    text = MARK.sub(lambda _: f"called_{next(numbers)}", path.read_text(encoding="utf-8"))
    lines = {name: line for line in text.splitlines() for name in re.findall(r"called_\d+", line)}

    facts = Extractor().extract(text.encode(), path.stem.partition("_")[0])

    rows = facts.expressions
    found = {rows[rows[row][2]][1] for kind, row, *_ in facts.references if kind == CALL}
    assert facts.problems == ()
    assert lines
    assert {name: line for name, line in lines.items() if name not in found} == {}
