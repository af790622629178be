"""What is found in packs, and that the comparison does without its rival."""

from pathlib import Path

import pytest
from benchmarks.packing import Question, found, main, read_questions

QUESTION = Question("how?", "src/app.py", "run", "if a < b:")

MU_XML = """\
<codebase>
<file path="src/app.py" lines="9">
# run(self)  3-9
</file>
<file path="src/other.py" lines="9">
... also stop
</file>
<source path="src/app.py" lines="3-9">
def run(self):
    if a &lt; b:
</source>
"""


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        (MU_XML, (True, True)),
        (MU_XML[: MU_XML.index("<source")], (True, False)),
        (MU_XML.replace("src/app.py", "src/else.py"), (False, False)),
        ('<file path="src/app.py">\ndef run(self):\n    if a < b:\n</file>\n', (True, True)),
        ('<file path="src/app.py">\ndef rerun(self):\n    if a < b:\n</file>\n', (False, False)),
        ('<file path="x.py">\ndef run(self):\n    if a < b:\n</file>\n', (False, False)),
        ("! src/app.py  1-9\n  # run(self)  3-9\n! src/other.py  1-9\n", (True, False)),
        ("! src/app.py  1-9\n! src/other.py  1-9\n  # run(self)  3-9\n", (False, False)),
        ("src/\n  app.py\n  run if a < b:\n", (False, False)),
    ],
)
def test_a_place_counts_under_its_file_and_an_answer_with_its_place(
    text: str, verdict: tuple[bool, bool]
) -> None:
    assert found(text, QUESTION) == verdict


def test_there_are_five_questions_to_each_repository() -> None:
    assert {name: len(each.question) for name, each in read_questions().items()} == {
        "flask": 5,
        "django": 5,
    }


@pytest.mark.slow(reason="runs the program for each question")
def test_without_its_rival_only_mu_is_measured(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "src/flask/app.py"
    path.parent.mkdir(parents=True)
    path.write_text("def dispatch_request(self):\n    self.view_functions[rule.endpoint]()\n")

    main([f"flask={tmp_path}", "--repomix", "no-such-program", "--runs", "1", "--budgets", "8000"])

    shown = capsys.readouterr()
    assert "there is no no-such-program, so only MU is measured" in shown.err
    assert "| repomix" not in shown.out
    (row,) = (line for line in shown.out.splitlines() if line.startswith("| mu pack  "))
    assert row.count("1 / 1") == 1
    assert not (tmp_path / ".mubase").exists()


def test_a_repository_without_questions_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SystemExit):
        main([f"other={tmp_path}"])
