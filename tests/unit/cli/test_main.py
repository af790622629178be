"""The outermost frame: what a failure says, and the status it gives."""

import click
import pytest

from mu.cli import application, main
from mu.cli.error_report import report
from mu.errors import ExitCode, MuError


@pytest.mark.parametrize(
    ("error", "status", "text"),
    [
        (MuError("it broke", "mend it", ExitCode.BUSY), 6, "error: it broke\nhint: mend it\n"),
        (MuError("it broke"), 1, "error: it broke\n"),
        (KeyboardInterrupt(), 130, "error: interrupted\n"),
        (click.UsageError("No such thing."), 2, "error: no such thing\nhint: see `mu --help`\n"),
        (OSError(28, "No space left on device"), 1, "error: no space left on device\n"),
        (MuError("a\x1b[31mb", "c\x07"), 1, "error: a\\x1b[31mb\nhint: c\\x07\n"),
    ],
)
def test_an_error_is_a_line_and_a_hint(
    error: BaseException, status: int, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert report(error) == status
    assert capsys.readouterr() == ("", text)


def test_a_bug_is_one_line_that_asks_for_a_report(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("MU_DEBUG", raising=False)
    assert report(ZeroDivisionError("division by zero")) == 1
    shown = capsys.readouterr().err
    assert shown.splitlines() == [
        "error: unexpected ZeroDivisionError: division by zero",
        "hint: this is a bug in mu: run again with MU_DEBUG=1, and report what it shows",
    ]


def test_a_bug_shows_its_traceback_on_request(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MU_DEBUG", "1")
    report(ZeroDivisionError("division by zero"))
    assert "ZeroDivisionError: division by zero" in capsys.readouterr().err.split("error:")[0]


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["impact", "--help"]])
def test_help_and_version_are_answers(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 0
    assert capsys.readouterr().out


@pytest.mark.parametrize("arguments", [["frobnicate"], ["--frobnicate"], ["impact"]])
def test_wrong_usage_gives_two_and_nothing_on_standard_output(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    output, shown = capsys.readouterr()
    assert output == ""
    assert "mu" in shown


@pytest.mark.parametrize("name", application.COMMANDS)
def test_every_command_in_the_table_can_be_loaded(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([name, "--help"]) == 0
    assert f"Usage: mu {name}" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "error", "hint"),
    [
        (
            ["callers", "x", "--limit", "abc"],
            "invalid value for '--limit': 'abc' is not a whole number from 1 to 1000000",
            "see `mu callers --help`",
        ),
        (
            ["callers", "x", "--depth", "abc"],
            "invalid value for '--depth': 'abc' is not a whole number of at least 1",
            "see `mu callers --help`",
        ),
        (
            ["diff", "main", "HEAD"],
            "got unexpected extra argument (HEAD)",
            "two revisions are written A..B: `mu diff A..B`",
        ),
        (
            ["what-if", "move", "X", "args.go", "b"],
            "invalid value for 'to': 'args.go' is not 'to'",
            "the syntax is `mu what-if move NODE to PATH`",
        ),
    ],
)
def test_wrong_usage_says_what_is_right(
    arguments: list[str], error: str, hint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    assert capsys.readouterr().err.splitlines() == [f"error: {error}", f"hint: {hint}"]
