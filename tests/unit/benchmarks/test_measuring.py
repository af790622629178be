"""What a command cost counts its children."""

import sys

import pytest
from benchmarks.measuring import CommandError, Usage, median_usage, peak_memory, run, time_calls

PYTHON = [sys.executable, "-c"]
CHILD = "import subprocess, sys; subprocess.run([sys.executable, '-c', {!r}], check=True)"
SPIN = "import time\nwhile time.process_time() < 0.3: pass"
HOLD = "block = b'x' * 60_000_000\n" + SPIN


def test_processor_time_of_children_counts() -> None:
    assert run([*PYTHON, CHILD.format(SPIN)]).usage.cpu >= 0.3


def test_memory_of_children_counts() -> None:
    assert peak_memory([*PYTHON, CHILD.format(HOLD)]) > 60_000_000


def test_output_is_kept() -> None:
    assert run([*PYTHON, "print('x' * 100_000)"]).output == "x" * 100_000 + "\n"


def test_failure_tells_the_last_lines() -> None:
    with pytest.raises(CommandError, match="ended with 3:\nbroken"):
        run([*PYTHON, "import sys; sys.stderr.write('broken\\n'); sys.exit(3)"])


def test_another_status_may_be_accepted() -> None:
    assert run([*PYTHON, "import sys; sys.exit(5)"], accept=(0, 5)).output == ""


def test_each_figure_has_its_own_median() -> None:
    runs = [Usage(1, 30), Usage(2, 10), Usage(30, 20)]

    assert median_usage(runs) == Usage(2, 20)


def test_call_is_warmed_up_before_it_is_timed() -> None:
    calls: list[None] = []

    time_calls(lambda: calls.append(None), runs=3)

    assert len(calls) == 4
