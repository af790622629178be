"""Lines that speak to tools: kept with their places, and only where a line begins so."""

from mu.syntax.text.directives import read_directives


def test_lines_are_kept_as_they_stand() -> None:
    text = b"package a\n\n//export Add \nfunc Add() {}\n\t#cgo LDFLAGS: -lm\n"
    found = read_directives(text, ("//export ", "#cgo "))
    assert found == ((3, "//export Add"), (5, "#cgo LDFLAGS: -lm"))


def test_what_stands_inside_a_line_is_no_directive() -> None:
    assert read_directives(b'x = "//export Add"  //export Add\n', ("//export ",)) == ()


def test_a_language_without_directives_has_none() -> None:
    assert read_directives(b"//export Add\n", ()) == ()
