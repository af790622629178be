import pytest

from mu.muql.text import locate, locate_bytes, locate_word, shown, tokens


def texts(query: str) -> list[str]:
    return [token.text for token in tokens(query)]


def test_space_and_comments_are_not_tokens() -> None:
    assert texts("a -- b\n/* c /* d */ e */ f") == ["a", "f"]


@pytest.mark.parametrize("piece", ["'a;b''--c'", '"a;""b"', "$$a;b$$", "$x$a;$$b$x$", r"E'a\';b'"])
def test_quoted_text_is_one_token(piece: str) -> None:
    assert texts(f"x {piece};") == ["x", piece, ";"]


@pytest.mark.parametrize("query", ["'abc", '"abc', "/* abc", "$$abc", "\x00", "é", "\\"])
def test_anything_can_be_split(query: str) -> None:
    assert isinstance(texts(query), list)


def test_a_place_counts_lines_and_columns_from_one() -> None:
    place = locate("SELECT a,\n  é, bad", 15, length=3)

    assert (place.line, place.column, place.length) == (2, 6, 3)
    assert place.pointer() == "  line 2, column 6\n      é, bad\n         ^^^"


def test_bytes_become_characters() -> None:
    query = "é é bad"
    assert locate_bytes(query, query.encode().index(b"bad"), length=3) == locate(query, 4, length=3)


def test_a_long_line_is_cut_around_the_place() -> None:
    pointer = locate("x" * 500 + "bad" + "y" * 500, 500, length=3).pointer()
    _, line, carets = pointer.split("\n")

    assert len(line) <= 104
    assert line[carets.index("^") :][:3] == "bad"


def test_what_a_terminal_would_obey_is_not_shown() -> None:
    assert "\x1b" not in locate("SELECT \x1b[2J", 0, length=1).pointer()
    assert shown("a\x1b[2Jb\n") == "a [2Jb "
    assert len(shown("x" * 100)) == 60


def test_a_word_is_found_outside_strings() -> None:
    place = locate_word("SELECT 'insert' /* insert */, INSERT", {"insert"})

    assert place is not None
    assert place.column == 31
