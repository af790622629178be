"""Checks as JUnit XML."""

from xml.etree import ElementTree

from mu.render.formats.junit import junit_document


def test_a_broken_rule_is_a_failed_test_with_its_violations() -> None:
    text = junit_document("mu check", {"down": ["a.py:1  <b> & \x1b[31mc"], "free": []})

    root = ElementTree.fromstring(text)
    assert (root.get("tests"), root.get("failures")) == ("2", "1")
    first, second = root.findall("testcase")
    failure = first.find("failure")
    assert failure is not None
    assert (failure.get("message"), failure.text) == ("1 violation", "a.py:1  <b> & \\x1b[31mc")
    assert second.find("failure") is None
