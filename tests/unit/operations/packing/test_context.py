"""What is read for a question: to a budget, without secrets, from files as they were built."""

from collections.abc import Iterator

import pytest

from fakes.built import built_tree
from mu.context import Style
from mu.errors import ExitCode, MuError
from mu.operations.packing.context import context
from mu.operations.workspace import Workspace

KEY = "sk-ant-" + "a1b2c3d4" * 4

TREE = {
    "app/auth.py": (
        "class Login:\n"
        '    """Let people in.\n\n    By their password."""\n\n'
        f"    KEY = '{KEY}'\n\n"
        f"    def check_password(self, user):\n        return user.ask('{KEY}')\n"
        + "".join(
            f"\n    def step_{n}(self, user):\n        # what is done in step {n}\n"
            f"        return self.check_password(user)[{n}] + 'x\x1b[2J'\n"
            for n in range(60)
        )
    ),
    "docs/auth.md": "# Passwords\n\nA password is checked by `Login.check_password`.\n",
}


@pytest.fixture
def auth(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    with built_tree(tmp_path_factory.mktemp("auth"), TREE) as workspace:
        yield workspace


@pytest.mark.parametrize("style", Style)
@pytest.mark.parametrize("tokens", [500, 2_000])
def test_a_budget_is_kept_and_used(auth: Workspace, tokens: int, style: Style) -> None:
    found = context(auth, "how is a password checked?", tokens=tokens, style=style)
    assert 0.7 * tokens <= found.tokens <= tokens
    assert len(found.text) <= 4 * tokens


def test_every_item_has_its_place_and_the_best_its_source(auth: Workspace) -> None:
    found = context(auth, "how is a password checked?")
    first = found.items[0]
    assert first.id == "fn:app/auth.py:Login.check_password"
    assert first.lines[0] == "    def check_password(self, user):"
    assert all(f"{item.path}:{item.line}-{item.end_line}" in found.text for item in found.items)


def test_a_long_class_is_its_first_words_and_its_members(auth: Workspace) -> None:
    found = {item.id: item for item in context(auth, "what lets people in?").items}
    lines = found["cls:app/auth.py:Login"].lines
    assert lines[:2] == ("Let people in.", "  8: def check_password(self, user)")


def test_a_page_that_explains_is_there(auth: Workspace) -> None:
    items = context(auth, "how is a password checked?").items
    assert any(item.id == "sec:docs/auth.md#passwords" and item.lines for item in items)


def test_secrets_and_what_acts_on_a_terminal_are_taken_out(auth: Workspace) -> None:
    found = context(auth, "how is a password checked?", tokens=32_000)
    assert KEY not in found.text
    assert KEY not in str(found.items)
    assert "[redacted: api key]" in found.text
    assert "\x1b" not in found.text
    assert r"x\x1b[2J" in found.text


def test_it_is_said_why_an_item_is_there_when_asked(auth: Workspace) -> None:
    question = "how is a password checked?"
    assert ":: " in context(auth, question, is_explained=True).text
    assert ":: " not in context(auth, question).text


def test_files_and_nodes_are_ranked_beside_the_text(auth: Workspace) -> None:
    found = context(auth, "how is a password checked?", tokens=500)
    assert [file.path for file in found.ranked_files] == ["app/auth.py", "docs/auth.md"]
    assert len(found.ranked_nodes) > len(found.items)
    assert found.ranked_nodes[0].why


def test_a_file_that_has_changed_since_gives_places_alone(auth: Workspace) -> None:
    (auth.root / "app" / "auth.py").write_text("x = 1\n")
    found = context(auth, "`Login.check_password`")
    shown = [item for item in found.items if item.path == "app/auth.py" and item.lines]
    assert all(item.kind in {"class", "module"} for item in shown)
    assert "user.ask" not in found.text


def test_a_question_that_finds_nothing_is_answered_with_nothing(auth: Workspace) -> None:
    found = context(auth, "zzyzx")
    assert (found.text, found.items, found.tokens) == ("", (), 0)


@pytest.mark.parametrize("tokens", [0, 199, 1_000_001])
def test_a_budget_out_of_range_is_refused(auth: Workspace, tokens: int) -> None:
    with pytest.raises(MuError, match="out of range") as caught:
        context(auth, "password", tokens=tokens)
    assert caught.value.code is ExitCode.USAGE
