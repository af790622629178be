"""Checks as JUnit XML, which continuous integration shows as tests.

There is no standard; the elements are those that Jenkins' xunit schema and pytest agree on.
"""

from collections.abc import Mapping, Sequence
from xml.etree import ElementTree

from mu.render.text import printable


def junit_document(suite: str, cases: Mapping[str, Sequence[str]]) -> str:
    """Write one suite; `cases` are the failures of each test by its name, none where it passed."""
    failed = sum(bool(failures) for failures in cases.values())
    root = ElementTree.Element(
        "testsuite", name=suite, tests=str(len(cases)), failures=str(failed), errors="0"
    )
    for name, failures in cases.items():
        case = ElementTree.SubElement(root, "testcase", classname=suite, name=printable(name))
        if failures:
            text = "1 violation" if len(failures) == 1 else f"{len(failures)} violations"
            failure = ElementTree.SubElement(case, "failure", message=text)
            lines = (line for each in failures for line in each.split("\n"))
            failure.text = "\n".join(map(printable, lines))
    ElementTree.indent(root)
    body = ElementTree.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{body}\n'
