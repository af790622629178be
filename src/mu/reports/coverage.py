"""Reads line coverage: Cobertura XML, the JSON of coverage.py, and the tracefiles of lcov.

Cobertura is what coverage.py, gcovr, Istanbul, JaCoCo's converters and others write:
https://raw.githubusercontent.com/cobertura/web/master/htdocs/xml/coverage-04.dtd. A tracefile is
described in geninfo(1). XML is read as a stream by expat, which loads nothing from outside; a
document that declares entities is refused, since a few lines of them can stand for gigabytes.
"""

import posixpath
import xml.parsers.expat
from collections.abc import Mapping
from pathlib import Path

import msgspec

from mu.reports.errors import ReportError
from mu.reports.reading import read_report

Covered = Mapping[str, Mapping[int, bool]]
"""Of each file, by its path in the report, whether each executable line (from 1) was run."""

_HINT = "known are Cobertura XML, the JSON of `coverage json`, and lcov"


def read_coverage(path: Path) -> Covered:
    """Read a coverage report; its beginning says which format it has. Raises ReportError."""
    data = read_report(path)
    start = data.removeprefix(b"\xef\xbb\xbf").lstrip()[:200]
    if start.startswith(b"<"):
        covered = _cobertura(data, path.name)
    elif start.startswith(b"{"):
        covered = _coverage_json(data, path.name)
    elif start.startswith((b"TN:", b"SF:", b"VER:", b"#")):
        covered = _lcov(data, path.name)
    else:
        raise ReportError(f"{path.name} is no coverage report", _HINT)
    if not any(covered.values()):
        raise ReportError(f"{path.name} has no line of any file", _HINT)
    return covered


class _Cobertura:
    """What was read of a document so far."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.root = ""
        self.sources: list[str] = []
        self.files: dict[str, dict[int, bool]] = {}
        self._lines: dict[int, bool] | None = None
        self._source: list[str] | None = None

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self.root = self.root or tag
        if tag == "source":
            self._source = []
        elif tag == "class" and "filename" in attributes:
            self._lines = self.files.setdefault(attributes["filename"], {})
        elif tag == "line" and self._lines is not None:
            try:
                number, hits = int(attributes["number"]), int(attributes["hits"])
            except (KeyError, ValueError) as error:
                what = f"{self.name} has a line without a number or hits"
                raise ReportError(what, "is it whole?") from error
            self._lines[number] = self._lines.get(number, False) or hits > 0

    def end(self, tag: str) -> None:
        if tag == "class":
            self._lines = None
        elif tag == "source" and self._source is not None:
            self.sources.append("".join(self._source).strip())
            self._source = None

    def text(self, data: str) -> None:
        if self._source is not None:
            self._source.append(data)

    def refuse(self, *_: object) -> None:
        what = f"{self.name} declares entities, which are not read"
        raise ReportError(what, "no coverage tool writes them")


def _cobertura(data: bytes, name: str) -> Covered:
    read = _Cobertura(name)
    parser = xml.parsers.expat.ParserCreate()
    parser.StartElementHandler = read.start
    parser.EndElementHandler = read.end
    parser.CharacterDataHandler = read.text
    parser.EntityDeclHandler = read.refuse
    try:
        parser.Parse(data, True)
    except xml.parsers.expat.ExpatError as error:
        what = f"{name} is not well-formed XML: line {error.lineno}"
        raise ReportError(what, "is it whole?") from error
    if read.root != "coverage":
        raise ReportError(f"{name} is XML, but no Cobertura report", _HINT)
    sources = [source for source in read.sources if source]
    if len(sources) != 1:
        return read.files
    return {posixpath.join(sources[0], file): lines for file, lines in read.files.items()}


class _FileCoverage(msgspec.Struct):
    executed_lines: list[int]
    missing_lines: list[int]


class _CoverageJson(msgspec.Struct):
    files: dict[str, _FileCoverage]


def _coverage_json(data: bytes, name: str) -> Covered:
    try:
        report = msgspec.json.decode(data, type=_CoverageJson)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
        what = f"{name} is not the JSON of coverage.py"
        raise ReportError(what, "`coverage json` writes it") from error
    return {
        path: {
            **dict.fromkeys(file.missing_lines, False),
            **dict.fromkeys(file.executed_lines, True),
        }
        for path, file in report.files.items()
    }


def _lcov(data: bytes, name: str) -> Covered:
    files: dict[str, dict[int, bool]] = {}
    lines: dict[int, bool] | None = None
    for number, text in enumerate(data.decode("utf-8", "replace").splitlines(), start=1):
        kind, _, rest = text.strip().partition(":")
        if kind == "SF":
            lines = files.setdefault(rest, {})
        elif kind == "end_of_record":
            lines = None
        elif kind == "DA" and lines is not None:
            line, _, hits = rest.partition(",")
            try:
                line_number, count = int(line), int(hits.partition(",")[0])
            except ValueError as error:
                what = f"{name} is no tracefile of lcov: line {number}"
                raise ReportError(what, "is it whole?") from error
            lines[line_number] = lines.get(line_number, False) or count > 0
    return files
