"""Text is found line by line in the files of the graph, with the definition around it."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from mu import api
from mu.analysis.node_search.listing_scope import Scope
from mu.errors import ExitCode, MuError
from mu.model.kinds import TextKind, Verdict
from mu.operations.navigation.grep import grep, grep_expression
from mu.operations.workspace import Workspace

FILES = {
    "shop/events.py": '''\
"""What is sent: `order_paid` and no more."""

# order_paid is the only one
PAID = "order_paid"


class Bus:
    def send(self, order_paid):
        token = "sk-abcdefghijklmnopqrstuvwxyz0123456789ABCD"
        return f"order_paid: {order_paid}"
''',
    "tests/test_events.py": 'def test_it():\n    assert "order_paid"\n',
    "web/app.ts": "// order_paid\nconst name = `é ${order_paid}`; /* order_paid */\n",
    "web/page.vue": "<template>order_paid</template>\n<script>\non('order_paid')\n</script>\n",
    "cmd/main.go": 'package main\n\nfunc main() {\n\tprint("order_paid", `order_paid`)\n}\n',
    "guide.md": "# Guide\n\n## Events\n\nListen to order_paid.\n",
}


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    folder = tmp_path_factory.mktemp("shop")
    for path, text in FILES.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    api.build(folder)
    with Workspace(folder) as workspace:
        yield workspace


def found(shop: Workspace, *kinds: TextKind, scope: Scope = Scope()) -> list[tuple[object, ...]]:  # noqa: B008
    answer = grep(shop, "order_paid", kinds=kinds, scope=scope).answer
    assert answer.verdict is Verdict.EXACT
    return [(row[2], row[3], row[5], row[0], row[1]) for row in answer.rows]


def test_a_line_comes_with_the_innermost_definition_and_the_first_match(shop: Workspace) -> None:
    assert found(shop) == [
        ("cmd/main.go", 4, 9, "string", "fn:cmd/main.go:main"),
        ("guide.md", 5, 11, "prose", "sec:guide.md#events"),
        ("shop/events.py", 1, 19, "string", "mod:shop/events.py"),
        ("shop/events.py", 3, 3, "comment", "mod:shop/events.py"),
        ("shop/events.py", 4, 9, "string", "mod:shop/events.py"),
        ("shop/events.py", 8, 20, "code", "fn:shop/events.py:Bus.send"),
        ("shop/events.py", 10, 18, "string", "fn:shop/events.py:Bus.send"),
        ("tests/test_events.py", 2, 13, "string", "fn:tests/test_events.py:test_it"),
        ("web/app.ts", 1, 4, "comment", "mod:web/app.ts"),
        ("web/app.ts", 2, 19, "code", "mod:web/app.ts"),
        ("web/page.vue", 1, 11, "code", "mod:web/page.vue"),
        ("web/page.vue", 3, 5, "string", "mod:web/page.vue"),
    ]


def test_a_kind_is_found_behind_another_in_the_same_line(shop: Workspace) -> None:
    assert ("shop/events.py", 10, 31, "code", "fn:shop/events.py:Bus.send") in found(
        shop, TextKind.CODE
    )
    assert found(shop, TextKind.COMMENT, scope=Scope("web")) == [
        ("web/app.ts", 1, 4, "comment", "mod:web/app.ts"),
        ("web/app.ts", 2, 36, "comment", "mod:web/app.ts"),
    ]


def test_tests_and_other_folders_are_left_out(shop: Workspace) -> None:
    paths = {str(path) for path, *_ in found(shop, scope=Scope(tests=False))}
    assert paths == {"cmd/main.go", "guide.md", "shop/events.py", "web/app.ts", "web/page.vue"}
    assert {path for path, *_ in found(shop, scope=Scope("shop"))} == {"shop/events.py"}


def test_pages_go_on_where_the_last_one_ended(shop: Workspace) -> None:
    whole = grep(shop, "order_paid").answer.rows
    first = grep(shop, "order_paid", limit=5)
    rest = grep(shop, "order_paid", offset=first.next_offset or 0)
    assert (*first.answer.rows, *rest.answer.rows) == whole
    assert (first.answer.total, first.answer.truncated, rest.next_offset) == (12, True, None)


def lines(shop: Workspace, expression: str) -> list[int]:
    return [int(str(row[3])) for row in grep(shop, expression, scope=Scope("shop")).answer.rows]


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        (grep_expression("{order", is_fixed=True), [10]),
        (grep_expression("ORDER_PAID: ", ignores_case=True), [10]),
        (grep_expression("order", whole_word=True), []),
        (grep_expression("(class|def) \\w+"), [7, 8]),
        ("^PAID|^class", [4, 7]),
        ("(?i)paid$|Bus:$", [7]),
    ],
)
def test_patterns(shop: Workspace, expression: str, expected: list[int]) -> None:
    assert lines(shop, expression) == expected


def test_a_pattern_that_would_take_for_ever_elsewhere_is_run(shop: Workspace) -> None:
    assert lines(shop, "(a|a|aa)+(a|a)+$(b+)+") == []


def test_secrets_do_not_leave(shop: Workspace) -> None:
    answer = grep(shop, "sk-[a-z]+").answer
    assert answer.total == 1
    assert "abcdefgh" not in str(answer.rows)


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda shop: grep(shop, "send("), "'send(' is not a valid regular expression"),
        (lambda shop: grep(shop, ""), "the pattern is empty"),
        (lambda shop: grep(shop, "x", scope=Scope("nowhere")), "no file in the graph lies in"),
    ],
)
def test_bad_input_is_a_usage_error(
    shop: Workspace, ask: Callable[[Workspace], object], message: str
) -> None:
    with pytest.raises(MuError) as raised:
        ask(shop)
    assert raised.value.message.startswith(message)
    assert raised.value.code is ExitCode.USAGE
    assert raised.value.hint


def test_what_could_not_be_searched_is_said(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("KEY = 1\n")
    (tmp_path / "b.py").write_text("KEY = 2\n")
    api.build(tmp_path)
    with Workspace(tmp_path) as workspace:
        (tmp_path / "b.py").write_text("KEY = 3  # changed\n")
        answer = grep(workspace, "KEY").answer
        assert [row[2] for row in answer.rows] == ["a.py"]
        assert answer.verdict is not Verdict.EXACT
        assert any(note.startswith("1 file could not be searched") for note in answer.notes)
        nothing = grep(workspace, "nothing").answer
        assert "no line in the 1 file of the graph matches" in nothing.notes
