"""What an answer names is looked up: places, ids, names, and references in the text."""

from pathlib import Path

import pytest

from fakes.graphs import AUTH, make_graph, write
from mu.agent.grounding import ground
from mu.operations.workspace import Workspace

GRAPH = f"""\
{AUTH}? app/views.py:page call self.store.find_user unknown 8
"""


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    write(make_graph(GRAPH), tmp_path)
    return Workspace(tmp_path)


@pytest.mark.parametrize(
    ("text", "unverified"),
    [
        ("app/auth.py:5 and app/auth.py:5-12", ()),
        ("app/auth.py:500", ("app/auth.py:500",)),
        ("app/gone.py:1", ("app/gone.py:1",)),
        ("fn:app/auth.py:AuthService.login", ()),
        ("fn:app/auth.py:AuthService.logout", ("fn:app/auth.py:AuthService.logout",)),
        ("`AuthService.login` and `AuthService`", ()),
        ("`AuthService.logout`", ("AuthService.logout",)),
        ("the open call `self.store.find_user` could add to it", ()),
        ("`self.store.drop_user`", ("self.store.drop_user",)),
        ("AuthService.login checks it, AuthService.logout() does not", ("AuthService.logout",)),
        ("it calls app.drop_user and self.store.find_user.", ("app.drop_user",)),
        ("Sentences end.Next one; Node.js, example.com, U.S.A, README.md, e.g. this", ()),
        ("plain `words` in `Quotes`, version 3.11, os.path", ()),
    ],
)
def test_what_is_not_in_the_graph_is_listed_and_marked(
    workspace: Workspace, text: str, unverified: tuple[str, ...]
) -> None:
    grounded = ground(text, workspace)

    assert grounded.unverified == unverified
    assert grounded.text.count("[not in the graph]") == len(unverified)
