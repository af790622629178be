"""Judge the corpora and print the tables: `python -m tests.corpora.judging [PART OF A CASE]`.

A word keeps the cases whose page or heading holds it. Exits with 1 when a case fails.
"""

import sys
import tempfile
from pathlib import Path

from .cases import Case
from .format import read_corpora
from .judge import Outcome, judge
from .pipeline import index_case
from .score import summary

FOLDER = Path(__file__).parent.parent


def main(words: list[str]) -> int:
    """Judge every case that holds all words; 0 when none fails."""
    cases = [case for case in read_corpora(FOLDER) if _has_all(case, words)]
    outcomes = [_run(case) for case in cases]
    for outcome in outcomes:
        for failure in outcome.failures:
            print(f"{outcome.case.name}\n  {failure}")  # noqa: T201 - a command's output
    print("\n".join(summary(outcomes)))  # noqa: T201 - a command's output
    return 1 if any(outcome.failures for outcome in outcomes) else 0


def _has_all(case: Case, words: list[str]) -> bool:
    return all(word in f"{case.place} {case.name}" for word in words)


def _run(case: Case) -> Outcome:
    with tempfile.TemporaryDirectory() as folder:
        try:
            return judge(case, index_case(case, Path(folder)))
        except Exception as error:  # noqa: BLE001 - the other cases are still to be judged
            return Outcome(case, [f"{case.place}: {type(error).__name__}: {error}"])


sys.exit(main(sys.argv[1:]))
