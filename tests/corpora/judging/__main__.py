"""Judge the corpora and print the tables: `python -m tests.corpora.judging [PART OF A CASE]`.

A word keeps the cases whose page or heading holds it. Exits with 1 when a case fails.
"""

import sys
import tempfile
from pathlib import Path

from .format import read_corpora
from .judge import judge
from .pipeline import index_case
from .score import summary

FOLDER = Path(__file__).parent.parent


def main(words: list[str]) -> int:
    """Judge every case that holds all words; 0 when none fails."""
    outcomes = []
    for case in read_corpora(FOLDER):
        if all(word in f"{case.place} {case.name}" for word in words):
            with tempfile.TemporaryDirectory() as folder:
                outcomes.append(judge(case, index_case(case, Path(folder))))
    for outcome in outcomes:
        for failure in outcome.failures:
            print(f"{outcome.case.name}\n  {failure}")  # noqa: T201 - a command's output
    print("\n".join(summary(outcomes)))  # noqa: T201 - a command's output
    return 1 if any(outcome.failures for outcome in outcomes) else 0


sys.exit(main(sys.argv[1:]))
