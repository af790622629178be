"""The page about answers has a row for every reason and every exit status."""

import re
from pathlib import Path

from mu.errors import ExitCode
from mu.model.kinds import Reason

PAGE = Path(__file__).parents[3] / "docs" / "reference" / "answers.md"


def test_every_reason_and_exit_status_is_documented() -> None:
    first_cells = re.findall(r"^\| `?(\w+)`? \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert {str(code.value) for code in ExitCode} <= set(first_cells)
    assert {reason.value for reason in Reason} <= set(first_cells)
