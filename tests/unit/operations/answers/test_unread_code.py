"""Answers about names that stand in code which the build could not read are not exact."""

from pathlib import Path

import pytest

from fakes.built import built_tree
from mu.model.kinds import Verdict
from mu.operations.navigation.dependencies import callers, deps, impact
from mu.operations.navigation.members import references
from mu.operations.queries.query import query

LIBRARY = """
def large(): ...


def broken(): ...


def imported(): ...


def other(): ...


def web(): ...
"""

BROKEN = """
from lib import imported

def uses(:
    return 1

def after():
    imported()

if True
    print broken()
"""

FILES = {
    "lib.py": LIBRARY,
    "big.py": "from lib import large\nlarge()\n" + "# filler\n" * 300_000,
    "broken.py": BROKEN,
    "big.css.ts": "export const web = 1;\n",
}


@pytest.mark.parametrize(
    ("function", "note"),
    [
        ("large", "big.py was not read (larger than 2000000 bytes) and has the name `large`"),
        ("broken", "broken.py has syntax errors and has the name `broken` on line 11"),
        ("other", ""),
    ],
)
def test_what_uses_a_name_of_unread_code_is_not_exact(
    tmp_path: Path, function: str, note: str
) -> None:
    with built_tree(tmp_path, FILES) as workspace:
        node = f"fn:lib.py:{function}"
        answers = [ask(workspace, node).answer for ask in (callers, impact, references)]
        answers.append(query(workspace, f"SHOW callers OF '{node}'").answer)

    for answer in answers:
        assert answer.verdict is (Verdict.AT_LEAST if note else Verdict.EXACT)
        assert note in " ".join(answer.notes)


def test_what_was_resolved_in_a_file_with_syntax_errors_is_known(tmp_path: Path) -> None:
    with built_tree(tmp_path, FILES) as workspace:
        answer = callers(workspace, "imported").answer

    assert (answer.total, answer.verdict) == (1, Verdict.EXACT)


@pytest.mark.parametrize(("node", "is_exact"), [("uses", False), ("after", True)])
def test_what_a_function_with_a_syntax_error_uses_is_not_exact(
    tmp_path: Path, node: str, *, is_exact: bool
) -> None:
    with built_tree(tmp_path, FILES) as workspace:
        answer = deps(workspace, f"fn:broken.py:{node}").answer

    assert (answer.verdict is Verdict.EXACT) == is_exact
    assert is_exact or "broken.py:4 has a syntax error" in " ".join(answer.notes)


def test_a_file_that_is_gone_may_have_had_any_name(tmp_path: Path) -> None:
    with built_tree(tmp_path, FILES) as workspace:
        (tmp_path / "big.py").unlink()
        answer = callers(workspace, "other").answer

    assert answer.verdict is not Verdict.EXACT


def test_minified_text_is_a_module_of_which_nothing_is_known(tmp_path: Path) -> None:
    bundle = "function render(e){return e}render(1);" * 100
    files = {
        "page.js": 'import { render } from "./bundle.js";\nexport function show() { render(1); }\n',
        "bundle.js": bundle,
        "render.js": "export function render() {}\n",
    }
    with built_tree(tmp_path, files) as workspace:
        found = query(workspace, "SELECT id FROM functions WHERE name = 'render'").answer
        inside = deps(workspace, "mod:bundle.js").answer
        imports = deps(workspace, "mod:page.js").answer
        uses = callers(workspace, "fn:render.js:render").answer

    assert [row[0] for row in found.rows] == ["fn:render.js:render"]
    assert (inside.total, inside.verdict) == (0, Verdict.AT_LEAST)
    assert "bundle.js is minified and was not read" in inside.notes
    assert imports.total == 1
    assert "bundle" not in " ".join(uses.notes)
