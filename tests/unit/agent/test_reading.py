"""Names, pronouns, limits and second halves of questions are read before their words."""

from pathlib import Path

import pytest

from fakes.built import built_tree
from mu.agent import AgentConfig, MUAgent
from mu.agent.questions import Kind, read, recognise

ASKED = """\
impact       | parse_header          | if I change what parse_header() returns, what is hit
callers      | io.open_file          | I want to change io.open_file. What calls it
path         | client.get, Pool.send | trace client.get(url) down to Pool.send: what does it pass
path         | run_all, close_it     | starting at run_all(url, 3), how do I arrive at close_it?
overridden   | x/child.py:Child, Base | which methods of Base does Child in x/child.py override
overridden   | Child, Base           | what does Child override from Base?
overridden   | no_such               | what does no_such override
callers      | app/io.py:open_file   | open_file in app/io.py: who is calling that
callers      | app/io.py:open_file   | find me the call sites of `app/io.py:open_file`
callers      | open_file             | non-test callers of open_file()
impact       | open_file             | before I refactor open_file: what depends on it transitively
impact       | open_file             | if open_file() started raising, who'd be affected?
tests        | open_file             | I changed open_file. Which tests exercise it
registered   | on_close              | on_close is never called directly. Where is it hooked up?
registered   | on_close              | where is on_close registered
references   | on_close              | find all references to on_close
path         | run_all, close_it     | by what route does run_all get called from close_it
callees      | io.open_file          | what does io.open_file call itself?
superclasses | Child                 | full ancestry of class Child
overrides    | Base.read             | in which classes is Base.read() overridden?
where        | Store.load_all        | I see Store.load_all() everywhere. Where is it implemented?
callees      | #handle               | what does #handle() call, and who calls it?
cycles       |                       | which files under src/app depend on each other cyclically
subclasses   | BaseAuth              | BaseAuth: what are its subclasses
callees      | open_file             | open_file() - list its callees
overridden   | Child, Base           | does Child override anything from Base, and what
tests        | open_file             | open_file has which tests?
impact       | open_file             | who would be affected by a new parameter of open_file
impact       | open_file             | suppose open_file returns something else: what is affected?
unused       |                       | show me code in src/app that nothing calls
recursion    |                       | call cycles between functions
unused       |                       | what could I delete from src/app because nobody uses it
where        | load_all              | I see load_all() called all over. Where is it implemented?
"""


@pytest.mark.parametrize("row", ASKED.splitlines())
def test_a_name_wins_over_words(row: str) -> None:
    kind, names, text = (cell.strip() for cell in row.split("|"))

    question = recognise(text)

    assert question is not None
    assert (question.kind, ", ".join(question.names)) == (Kind(kind), names)


@pytest.mark.parametrize(
    ("text", "scope", "beyond", "is_untested", "is_top_level"),
    [
        ("who calls open_file inside db/backends?", "db/backends", "", False, False),
        ("in db/backends, which functions call open_file", "db/backends", "", False, False),
        ("callers of open_file, only those under the db package", "db", "", False, False),
        ("who calls open_file from outside db/backends", "", "db/backends", False, False),
        ("who calls open_file inside the package", "", "", True, False),
        ("production callers of open_file, not tests", "", "", True, False),
        ("which functions below lib call open_file?", "lib", "", False, False),
        ("ignoring tests, what calls open_file", "", "", True, False),
        ("subclasses of `Base` anywhere in the repo?", "", "", False, False),
        ("module-level functions in app/io.py", "", "", False, True),
        ("in which file is open_file?", "", "", False, False),
        ("are there import cycles in db/backends?", "db/backends", "", False, False),
    ],
)
def test_what_limits_a_question_is_no_name(
    text: str, scope: str, beyond: str, *, is_untested: bool, is_top_level: bool
) -> None:
    question = recognise(text)

    assert question is not None
    assert (question.scope, question.beyond) == (scope, beyond)
    assert (question.is_untested, question.is_top_level) == (is_untested, is_top_level)


@pytest.mark.parametrize(
    ("text", "kinds", "unread"),
    [
        ("what does send_file call, and who calls it?", ["callees", "callers"], ()),
        ("where is send_file defined and who calls it?", ["where", "callers"], ()),
        ("who calls send_file, and why is it red?", ["callers"], ("why is it red",)),
        ("is send_file tested, and by which tests?", ["tests"], ()),
        ("if send_file changed, what would break?", ["impact"], ()),
    ],
)
def test_the_second_half_of_a_text_is_read(
    text: str, kinds: list[str], unread: tuple[str, ...]
) -> None:
    asked = read(text)

    assert [question.kind.value for question in asked.questions if question] == kinds
    assert asked.unread == unread


def test_a_file_after_a_name_may_be_where_to_look() -> None:
    question = recognise("who calls open_file in app/io.py")

    assert question is not None
    assert question.otherwise is not None
    assert (question.otherwise.names, question.otherwise.scope) == (("open_file",), "app/io.py")


FILES = {
    "lib/io.py": "def open_file(path):\n    return path\n\n\ndef copy_file(path):\n"
    "    return open_file(path)\n\n\nclass Reader:\n    def read_all(self):\n"
    "        return 1\n",
    "web/page.py": "from lib.io import open_file, Reader\n\n\nclass PageReader(Reader):\n"
    "    def read_all(self):\n        return open_file('a')\n\n    def other(self):\n"
    "        pass\n",
}


@pytest.mark.parametrize(
    ("text", "named", "left_out"),
    [
        ("who calls open_file inside web?", ["PageReader.read_all"], ["copy_file"]),
        ("who calls open_file from outside web/", ["copy_file"], ["PageReader"]),
        ("who calls open_file in web/page.py", ["PageReader.read_all"], ["copy_file"]),
        ("who calls open_file in lib/io.py", ["PageReader.read_all", "copy_file"], []),
        ("who calls open_file inside nosuch/part", ["nothing lies in nosuch/part"], ["0 rows"]),
        (
            "which methods of Reader does PageReader in web/page.py override",
            ["PageReader.read_all", "(1 row"],
            ["other"],
        ),
        ("which methods of Nosuch does PageReader override", ["no node is called"], ["0 rows"]),
        ("what does no_such_one override", ["No node is called no_such_one"], ["exact"]),
        ("who imports no_such_one", ["No node is called no_such_one"], ["exact"]),
        ("methods of no/such.py", ["no node is called 'no/such.py'"], ["0 rows"]),
        ("members of no/such.py", ["no node is called 'no/such.py'"], ["0 rows"]),
        (
            "what does copy_file call, and who calls open_file?",
            ["What copy_file calls:", "What calls open_file:", "PageReader.read_all"],
            [],
        ),
        (
            "who calls open_file, and why is it red?",
            ["copy_file", "Left unanswered, as nothing recognises it: why is it red"],
            [],
        ),
        ("path from copy_file to open_file", ["copy_file -> open_file"], []),
        ("how does web/page.py lead to Reader", ["(2 rows, exact)"], []),
        (
            "which is the signature of open_file in lib",
            ["not applied: in lib"],
            [],
        ),
        (
            "who calls open_file, as copy_file does?",
            ["Read as: What calls open_file: (copy_file in the question is left aside)"],
            [],
        ),
    ],
)
def test_an_answer_keeps_to_the_question(
    text: str, named: list[str], left_out: list[str], tmp_path: Path
) -> None:
    workspace = built_tree(tmp_path, FILES)
    with MUAgent(AgentConfig(provider="offline"), workspace=workspace) as agent:
        answer = agent.ask(text).content

    assert [each for each in named if each not in answer] == [], answer
    assert [each for each in left_out if each in answer] == [], answer
