"""Every case of the corpora is a test; the pages are the specification of what MU finds."""

from pathlib import Path

import pytest
from judging.cases import Case
from judging.format import read_corpora
from judging.judge import Outcome, judge
from judging.pipeline import index_case

CASES = read_corpora(Path(__file__).parent)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.place} {case.name}")
def test_graph_of_the_case_is_as_the_page_says(
    case: Case, tmp_path: Path, outcomes: list[Outcome]
) -> None:
    outcome = judge(case, index_case(case, tmp_path))
    outcomes.append(outcome)
    if outcome.failures:
        pytest.fail("\n".join(outcome.failures), pytrace=False)
