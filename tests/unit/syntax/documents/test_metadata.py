"""What pages say of themselves before their text."""

import pytest

from mu.syntax.documents import read_metadata
from mu.syntax.documents.metadata import read_frontmatter

CASES = {
    "plain": ("title: Login\nowner: ann", {"title": "Login", "owner": "ann"}),
    "quoted": ("title: 'It''s: here'\nb: \"x\\ty\"", {"title": "It's: here", "b": "x\ty"}),
    "scalars stay texts": (
        "date: 2024-01-02\ndraft: yes\nversion: 1.10\nempty: ~\nnone: null\nalso: 'null'",
        {"date": "2024-01-02", "draft": "yes", "version": "1.10", "also": "null"},
    ),
    "lists": (
        "tags: [a, 'b c']\nmore:\n  - one\n  - two",
        {"tags": "a, b c", "more": "one, two"},
    ),
    "nested": (
        "author:\n  name: Ann\n  site: {url: 'https://x.org'}",
        {"author.name": "Ann", "author.site.url": "https://x.org"},
    ),
    "a list of mappings": ("by:\n  - name: a\n  - name: b", {"by.name": "a"}),
    "folded": (
        "title: >\n  A long\n  title\nnext: |\n  l1\n  l2",
        {"title": "A long title", "next": "l1\nl2"},
    ),
    "upper case": ("Title: T\nTYPE: guide", {"title": "T", "type": "guide"}),
    "the first counts": ("a: 1\na: 2", {"a": "1"}),
    "comments": ("# said\na: 1 # more", {"a": "1"}),
    "no yaml, but lines": (
        "title: Login: how\nowner: ann",
        {"title": "Login: how", "owner": "ann"},
    ),
    "no mapping": ("- a\n- b", {}),
    "a text": ("words", {}),
    "tags do nothing": ("a: !!python/object/apply:os.system ['x']", {"a": "x"}),
    "aliases are not followed": ("a: &x [1, 2]\nb: *x\nc: 3", {"a": "1, 2", "c": "3"}),
    "a key that is a list": ("? [a, b]\n: c\ntitle: T", {"title": "T"}),
    "empty": ("", {}),
    "two documents": ("a: 1\n--- \nb: 2", {"a": "1", "b": "2"}),
}


@pytest.mark.parametrize("name", CASES)
def test_yaml_becomes_texts_by_dotted_names(name: str) -> None:
    text, wanted = CASES[name]

    assert dict(read_frontmatter(f"---\n{text}\n---\n")) == wanted


def test_toml_stands_between_plusses() -> None:
    text = '+++\ntitle = "T"\ndraft = true\ntags = ["a", "b"]\n[extra]\nn = 1.5\n+++\n'

    assert dict(read_frontmatter(text)) == {
        "title": "T", "draft": "true", "tags": "a, b", "extra.n": "1.5"
    }  # fmt: skip


def test_toml_that_is_none_is_read_by_lines() -> None:
    assert dict(read_frontmatter("+++\ntitle = T\n+++\n")) == {"title": "T"}


@pytest.mark.parametrize(
    "text",
    [
        "a: " + "[" * 9_000,
        "a: " + "{b: " * 2_000,
        "- " * 4_000,
        "a: &a [x]\nb: &b [*a, *a]\nc: &c [*b, *b]\n" * 50,
        "\x00\x01\ud800",
        "a: 'never closed",
        "? " * 3_000,
        "\t: \t",
        "%YAML 9.9\n---\na: 1",
    ],
)
@pytest.mark.parametrize("mark", ["---", "+++"])
def test_nothing_that_is_read_does_harm(text: str, mark: str) -> None:
    found = read_frontmatter(f"{mark}\n{text}\n{mark}\n")

    assert sum(map(len, found.values())) < 20_000


def test_deep_names_and_many_are_left_out() -> None:
    deep = "".join(f"{' ' * n}k{n}:\n" for n in range(30)) + " " * 30 + "x: 1"
    many = "\n".join(f"k{n}: v" for n in range(1_000))

    assert dict(read_frontmatter(f"---\n{deep}\nlast: 2\n---\n")) == {"last": "2"}
    assert len(read_frontmatter(f"---\n{many}\n---\n")) == 200


def test_a_page_has_title_and_category_of_its_frontmatter() -> None:
    page = b"---\ntitle: >-\n  How to\n  log in\ncategory: [guide]\n---\n# Other\n\ntext\n"

    assert read_metadata(page, "markdown") == {"title": "How to log in", "category": "guide"}
