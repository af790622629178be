"""A repository in one text: to a budget, without secrets, in four forms, and page by page."""

import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from fakes.built import built_tree
from mu.context.codebase import Form
from mu.errors import ExitCode, MuError
from mu.operations.packing.context import context
from mu.operations.packing.pack import compress, pack
from mu.operations.workspace import Workspace

SECRET = "sk-ant-" + "api03-AbCdEfGh1234567890AbCdEfGh"

SHOP = {
    "README.md": "# Shop\n\nSells.\n\n## Install\n\nRun it.\n",
    "shop/__init__.py": "",
    "shop/store.py": '''\
"""Keeps what is sold. Nobody else writes."""

LIMIT = 3


class Store:
    """All that is sold."""

    def save(self, item: str, *, twice: bool = False) -> None:
        """Write an item. It stays.

        More is said
        that nobody
        has to read.
        """
        self.write(item)

    def write(self, item: str) -> None:
        self._check(item)

    def _check(self, item: str) -> None:
        assert item
''',
    "shop/cart.py": """\
from shop.store import Store


def put(store: Store, item: str) -> None:
    store.save(item)


def pay(store: Store) -> None:
    put(store, "receipt")
""",
    "tests/test_cart.py": "from shop.cart import pay\n\n\ndef test_pay():\n    pay(None)\n",
}

HOSTILE = {
    "keys.py": (
        f'KEY = "{SECRET}"\n\n\ndef login(password="hunter2hunter2"):\n    return "{SECRET}"\n'
    ),
    "ticks.py": (
        'def quote():\n    """Give ticks."""\n    return """\n````\n]]></source> & <b>\n"""\n'
    ),
    "long.py": f'def data():\n    return "{"x" * 100_000}"\n',
    "words.py": "".join(
        f"def say_{n}(a, b={n}):\n    return a * b * {n}\n\n\n" for n in range(400)
    ),
    "plain.py": "".join(f"print({n})\n" for n in range(3_000)),
    "emoji.py": 'def smile():\n    return "\U0001f600\\x07 \x0c\x1b[31m"\n' + "# ü\n" * 50,
}


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    return built_tree(tmp_path_factory.mktemp("shop"), SHOP)


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    folder = tmp_path_factory.mktemp("hostile")
    (folder / "latin.py").write_bytes(
        b"# coding: latin-1\ndef na\xefve():\n    return '\xe9\xff'\n"
    )
    (folder / "broken.py").write_bytes(b"def f():\n    return '\xff\xfe'\n")
    return built_tree(folder, HOSTILE)


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    files = {f"part_{n}/module_{n}.py": f"def said_{n}():\n    return {n}\n" for n in range(40)}
    return built_tree(tmp_path_factory.mktemp("many"), files)


def test_a_small_part_is_told_whole(shop: Workspace) -> None:
    result = pack(shop, "shop/cart.py", tokens=2_000)

    head, outline, source = result.text.rstrip("\n").split("\n\n", 2)
    assert head.splitlines()[0] == (
        "@ path=shop/cart.py file_count=1 total_lines=9 size_kb=0 estimated_tokens=39"
    )
    assert outline == (
        "! shop/cart.py  1-9\n"
        "  # put(store: Store, item: str) -> None  4-5\n"
        "  # pay(store: Store) -> None  8-9"
    )
    assert source == f"= shop/cart.py:1-9\n{SHOP['shop/cart.py']}".rstrip("\n")
    assert result.next_offset is None
    assert (result.file_count, result.total_lines, result.remaining_count) == (1, 9, 0)
    assert result.sample_files == ("shop/cart.py",)


def test_what_others_stand_on_comes_first_and_tests_last(shop: Workspace) -> None:
    result = compress(shop, tokens=4_000)

    assert result.files == (
        "README.md", "shop/store.py", "shop/cart.py", "shop/__init__.py", "tests/test_cart.py"
    )  # fmt: skip


def test_compressed_text_has_signatures_words_and_what_is_private_but_no_body(
    shop: Workspace,
) -> None:
    text = compress(shop, "shop/store.py").text

    assert "! shop/store.py  1-22 :: Keeps what is sold." in text
    assert (
        "  $ Store  6-22 :: All that is sold.\n"
        "    # save(self, item: str, *, twice: bool = False) -> None  9-16 :: Write an item.\n"
        "    # write(self, item: str) -> None  18-19\n"
        "    # _check(self, item: str) -> None  21-22\n"
    ) in text
    assert "self.write(item)" not in text
    assert "% LIMIT" in text


def test_what_has_no_room_is_named_at_least(hostile: Workspace) -> None:
    text = compress(hostile, "words.py", tokens=500).text

    assert "... also say_0, say_1" in text
    assert "more definitions" in text


def test_a_focus_comes_first(shop: Workspace) -> None:
    result = pack(shop, focus="pay()", tokens=400)

    assert result.files[0] == "shop/cart.py"
    assert "def pay(store: Store) -> None:" in result.text
    assert not result.notes


def test_a_focus_that_nothing_speaks_of_is_told(shop: Workspace) -> None:
    result = pack(shop, focus="zzyzx")

    assert result.notes == ("nothing here says anything about 'zzyzx'",)
    assert result.files


@pytest.mark.parametrize("form", Form)
@pytest.mark.parametrize("tokens", [200, 500, 999, 2_000, 8_000, 32_000, 100_000])
def test_a_budget_is_never_passed_and_used_where_there_is_enough(
    hostile: Workspace, form: Form, tokens: int
) -> None:
    result = pack(hostile, tokens=tokens, form=form)

    assert len(result.text) <= 4 * tokens
    assert result.tokens == -(-len(result.text) // 4)
    if tokens <= 8_000:  # there are some 12,000 tokens of lines that are not cut
        assert result.tokens >= 0.7 * tokens


@pytest.mark.parametrize("tokens", [200, 500, 2_000, 8_000, 100_000])
def test_a_compressed_text_is_never_over_its_budget(hostile: Workspace, tokens: int) -> None:
    result = compress(hostile, tokens=tokens)

    assert len(result.text) <= 4 * tokens
    if tokens <= 2_000:
        assert result.tokens >= 0.7 * tokens


def test_json_and_xml_can_be_read_back(hostile: Workspace) -> None:
    document = json.loads(pack(hostile, tokens=100_000, form=Form.JSON).text)
    tree = ElementTree.fromstring(pack(hostile, tokens=100_000, form=Form.XML).text)

    assert document["summary"]["file_count"] == "8"
    assert {each["path"] for each in document["signatures"]} >= {"keys.py", "words.py"}
    (ticks,) = (each for each in document["sources"] if each["path"] == "ticks.py")
    assert "````\n]]></source> & <b>" in ticks["blocks"][0]["text"]
    (source,) = (each for each in tree.iter("source") if each.get("path") == "ticks.py")
    assert "````\n]]></source> & <b>" in (source.text or "")


def test_a_fence_in_the_text_does_not_end_the_fence_around_it(hostile: Workspace) -> None:
    text = pack(hostile, "ticks.py", form=Form.MARKDOWN).text

    assert "`````python\ndef quote():" in text


@pytest.mark.parametrize("form", Form)
def test_no_secret_is_told(hostile: Workspace, form: Form) -> None:
    text = pack(hostile, tokens=100_000, form=form).text

    assert SECRET not in text
    assert "hunter2" not in text
    assert "[redacted: api key]" in text


def test_long_lines_are_cut_and_bytes_of_other_encodings_read(hostile: Workspace) -> None:
    text = pack(hostile, tokens=100_000).text

    assert "x" * 300 in text
    assert "x" * 500 not in text
    assert "naïve" in text
    assert "\x1b" not in text


def test_pages_tell_of_each_file_once(many: Workspace) -> None:
    told: list[str] = []
    offset: int | None = 0
    while offset is not None:
        page = compress(many, tokens=300, offset=offset)
        assert page.files
        told += page.files
        offset = page.next_offset

    assert sorted(told) == sorted(f"part_{n}/module_{n}.py" for n in range(40))


def test_the_last_line_is_the_command_that_reads_on(many: Workspace) -> None:
    result = pack(many, tokens=200, focus="what's said", form=Form.MARKDOWN)

    assert result.text.splitlines()[-1] == (
        "mu pack --tokens 200 --focus 'what'\"'\"'s said' --format markdown "
        f"--offset {result.next_offset}"
    )


@pytest.mark.parametrize("form", Form)
def test_a_part_without_anything_to_read_is_told_as_such(tmp_path: Path, form: Form) -> None:
    (tmp_path / "pictures").mkdir()
    workspace = built_tree(tmp_path, SHOP)

    result = pack(workspace, "pictures", form=form)

    assert (result.file_count, result.files, result.next_offset) == (0, (), None)
    assert "nothing here that MU reads" in result.notes[0]
    assert "file_count" in result.text


def test_an_empty_file_is_told(tmp_path: Path) -> None:
    assert "! only.py  1-0\n" in pack(built_tree(tmp_path, {"only.py": ""})).text


def test_source_of_a_changed_file_is_not_shown(tmp_path: Path) -> None:
    workspace = built_tree(tmp_path, SHOP)
    (tmp_path / "shop/cart.py").write_text("def other():\n    return 1\n")

    result = pack(workspace)

    assert result.notes == (
        "1 file changed since the graph was built: shop/cart.py; `mu kernel build` brings it up to "
        "date",
        "1 file changed after the build, so no source is shown of them: `mu kernel build`",
    )
    assert "shop/cart.py" not in result.sources
    assert "shop/store.py" in result.sources


@pytest.mark.parametrize(
    "path", ["", ".", "./", "shop/..", "/shop", "../shop", "a\0b", "door/x.py"]
)
def test_a_path_is_of_the_repository(tmp_path: Path, path: str) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "x.py").write_text("secret = 1\n")
    workspace = built_tree(tmp_path / "tree", SHOP)
    (tmp_path / "tree/door").symlink_to(outside)

    if path in {"", ".", "./"}:
        assert pack(workspace, path).file_count == len(SHOP)
        return
    with pytest.raises(MuError) as caught:
        pack(workspace, path)
    assert caught.value.code is ExitCode.USAGE


def test_a_missing_path_is_told_with_the_nearest(shop: Workspace) -> None:
    with pytest.raises(MuError) as caught:
        pack(shop, "shop/stor.py")

    assert (caught.value.message, caught.value.hint, caught.value.code) == (
        "there is no shop/stor.py here",
        "did you mean shop/store.py?",
        ExitCode.NO_NODE,
    )


@pytest.mark.parametrize("tokens", [0, 199, 1_000_001])
def test_a_budget_out_of_range_is_refused(shop: Workspace, tokens: int) -> None:
    with pytest.raises(MuError, match="out of range"):
        pack(shop, tokens=tokens)


def test_headings_without_text_or_with_a_dot_are_told(tmp_path: Path) -> None:
    page = "# Top.\n\nsome words\n\n##\n\nmore words\n\n## v1.\n\n" + "last words\n" * 300
    workspace = built_tree(tmp_path, {"page.md": page})

    told = compress(workspace).text
    found = context(workspace, "words", tokens=200)

    assert "! page.md  1-310 :: Top.\n  & Top.  1-310\n    & section  5-8\n    & v1.  9-310" in told
    assert found.items
