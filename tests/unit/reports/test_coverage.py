"""Coverage reports as their tools write them, and those that are damaged or made to harm."""

from pathlib import Path

import pytest

from mu.reports.coverage import read_coverage
from mu.reports.errors import ReportError

XML = """<?xml version="1.0" ?>
<!DOCTYPE coverage SYSTEM "http://cobertura.sourceforge.net/xml/coverage-04.dtd">
<coverage version="7.6"><sources><source>/ci/src</source></sources><packages><package name="a">
<classes><class name="a.py" filename="a.py"><methods><method name="f"><lines>
<line number="2" hits="0"/></lines></method></methods>
<lines><line number="1" hits="3"/><line number="2" hits="0"/></lines></class>
<class name="a.py$inner" filename="a.py"><lines><line number="3" hits="1"/></lines></class>
</classes></package></packages></coverage>
"""
JSON = (
    '{"meta": {"format": 3}, "files": {"a.py": {"executed_lines": [1, 3], "missing_lines": [2],'
    ' "excluded_lines": [9]}}, "totals": {}}'
)
LCOV = (
    "TN:\nSF:a.py\nFN:1,f\nDA:1,3,hash\nDA:2,0\nLF:2\nend_of_record\n"
    "SF:a.py\nDA:2,0\nDA:3,1\nend_of_record\n"
)
BOMB = (
    '<?xml version="1.0"?><!DOCTYPE coverage [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]>'
    "<coverage>&b;</coverage>"
)


def written(folder: Path, text: str) -> Path:
    """A report with this text."""
    path = folder / "report"
    path.write_text(text)
    return path


@pytest.mark.parametrize(
    ("text", "path"), [(XML, "/ci/src/a.py"), (JSON, "a.py"), (LCOV, "a.py")], ids=["x", "j", "l"]
)
def test_a_report_gives_the_lines_that_ran_and_those_that_did_not(
    tmp_path: Path, text: str, path: str
) -> None:
    assert read_coverage(written(tmp_path, text)) == {path: {1: True, 2: False, 3: True}}


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (BOMB, "declares entities"),
        (BOMB.replace('a "aaaa"', 'a SYSTEM "file:///etc/passwd"'), "declares entities"),
        (XML[:-40], "is not well-formed XML: line 8"),
        (XML.replace('hits="3"', 'hits="x"'), "has a line without a number or hits"),
        ("<html></html>", "is XML, but no Cobertura report"),
        ("<coverage></coverage>", "has no line of any file"),
        ('{"files": {"a.py": {"lines": 3}}}', "is not the JSON of coverage.py"),
        ("[" * 100_000, "is no coverage report"),
        ('{"files":' * 100_000, "is not the JSON of coverage.py"),
        ("TN:\nSF:a.py\nDA:1;2\n", "is no tracefile of lcov: line 3"),
        ("hello", "is no coverage report"),
        ("", "is no coverage report"),
    ],
)
def test_what_is_no_report_is_refused(tmp_path: Path, text: str, what: str) -> None:
    with pytest.raises(ReportError, match=what):
        read_coverage(written(tmp_path, text))
