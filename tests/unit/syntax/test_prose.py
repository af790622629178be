"""What is kept of comments and strings, and whose they are."""

import pytest

from mu.syntax import Extractor


def prose(text: str, language: str = "python") -> dict[str, tuple[str, str]]:
    facts = Extractor().extract(text.encode(), language)
    names = [row.name for row in facts.definitions]
    return {
        names[owner] if owner >= 0 else "": (comments, strings)
        for owner, comments, strings in facts.prose
    }


def test_what_is_said_belongs_to_the_innermost_definition() -> None:
    text = """# of the file

class Shop:
    limit = get("SHOP_LIMIT")
    def pay(self):
        raise ValueError("not enough money")  # tell them
"""
    assert prose(text) == {
        "": (" of the file", ""),
        "Shop": ("", "SHOP_LIMIT"),
        "pay": (" tell them", "not enough money"),
    }


def test_a_comment_above_a_definition_is_about_it_but_not_one_beside_code() -> None:
    text = """
LIMIT = 1  # of the file

def first(): pass

# about the second
@decorated("/pay/<int:id>")
def second(): pass
"""
    assert prose(text) == {
        "": (" of the file", ""),
        "second": (" about the second", "/pay/<int:id>"),
    }


@pytest.mark.parametrize(
    ("string", "is_kept"),
    [
        ("/login", True),
        ("--dry-run", True),
        ("-v", False),
        ("SECRET_KEY", True),
        ("ID", False),
        ("cache.timeout", True),
        ("max-age", True),
        ("not enough money", True),
        ("utf-8", True),
        ("a.b-c_d", True),
        ("_name", False),
        ("name_", False),
        ("a.b.", False),
        (".a.b", False),
        ("a..b", False),
        ("--_", True),
        ("a-b c", False),
        ("name", False),
        ("Name", False),
        ("%s: %d", False),
        ("", False),
        ("x" * 150 + " " + "y" * 150, False),
    ],
)
def test_strings_of_note_are_messages_routes_options_and_keys(string: str, is_kept: bool) -> None:
    expected = {"": ("", string)} if is_kept else {}
    assert prose(f"f('{string}')\n") == expected
    assert prose(f'f("{string}")\n') == expected


@pytest.mark.parametrize("marks", ["-", "_", "-_", ".-", "a_", "a.", "/", "a", " ", "a "])
def test_a_long_line_of_marks_is_told_at_once(marks: str) -> None:
    line = (marks * 200)[:199] + "!"  # a choice at each of them would take for ever
    assert prose(f"print('{line}')\n") == {}


def test_texts_of_many_lines_are_passed_over_with_the_signs_in_them() -> None:
    text = (
        'def f():\n    """It\'s # not a comment, "nor" a string."""\n    g(\'\'\'/a/b " # \'\'\')\n'
    )
    assert prose(text) == {}


def test_both_sorts_of_comment_are_read_where_a_language_has_both() -> None:
    text = """/** Sells things. */
class Shop {
  /** Pays
   *  the bill. */
  void pay() { throw new Error("no money, sorry"); } // done
}
"""
    assert prose(text, "java") == {
        "Shop": ("* Sells things. ", ""),
        "pay": ("* Pays\n   *  the bill.   done", "no money, sorry"),
    }


@pytest.mark.parametrize("text", ['"', "'''", '"\\', "# \xff", '"a b\\', "'" * 5, "#", "\\"])
def test_unclosed_strings_are_nothing(text: str) -> None:
    assert all(strings == "" for _, strings in prose(text + "\nx = 1\n").values())


def test_one_definition_keeps_a_bounded_text() -> None:
    ((comments, _),) = prose(
        "# said again and again\n" * 3 + "".join(f"# {n}\n" for n in range(9999))
    ).values()
    assert comments.count("said again") == 1
    assert len(comments) <= 4_000
