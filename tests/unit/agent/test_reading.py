"""Names, pronouns, limits and second halves of questions are read before their words."""

from collections.abc import Iterator

import pytest

from fakes.built import built_tree
from mu.agent import AgentConfig, MUAgent
from mu.agent.offline.question_kinds import Kind
from mu.agent.offline.question_recognition import read, recognise
from mu.operations.workspace import Workspace

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
callers      | open_file             | open_file - called by?
callers      | open_file             | callers: open_file
callers      | open_file             | open_file callers
subclasses   | Base                  | Base: what are its subclasses?
callers      | app/io.py:open_file   | open_file in app/io.py: callers?
callees      | Store.load_all        | I read Store.load_all(path). What gets called from there?
registered   | on_close              | app/io.py has a method on_close. Where is it passed around?
registered   | onclose               | app/io.py has a method onclose. Where is it hooked up?
callees      | app/io.py:run         | what does run in app/io.py call
callees      | app/io.py:run         | everything that `run` of app/io.py calls
dependents   | open_file             | open_file looks like dead code. Is it?
callers      | open_file             | I think nobody calls open_file any more. Right?
dependents   | open_file             | which methods are decorated with open_file
subclasses   | Base                  | Base is the base of what?
subclasses   | Base                  | show all the impls of Base
overrides    | Base.read             | what overrides the method read of Base
callees      | app/io.py:Store.load  | Store.load in app/io.py - what all does it call into?
path         | Loop.run, Task._start | Loop.run eventually calls Task._start; through what?
path         | run_all, close_it     | when run_all is called, is close_it called too?
impact       | open_file             | what transitively calls open_file
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
        ("open_file: which production methods call it?", "", "", True, False),
        ("subclasses of `Base` anywhere in the repo?", "", "", False, False),
        ("module-level functions in app/io.py", "", "", False, True),
        ("in which file is open_file?", "", "", False, False),
        ("are there import cycles in db/backends?", "db/backends", "", False, False),
        ("are there import cycles outside of db/backends?", "", "db/backends", False, False),
        ("in io.py, which functions call open_file", "io.py", "", False, False),
        ("callers of `open_file` but only those in io.py", "io.py", "", False, False),
        ("Inside lib/, who calls open_file?", "lib", "", False, False),
        ("open_file: callers under lib/db please", "lib/db", "", False, False),
        ("in src, who calls open_file", "src", "", False, False),
        ("open_file; in particular, who calls it from app/web?", "app/web", "", False, False),
        ("which methods call open_file? Ignore the tests.", "", "", True, False),
        ("who is open_file called by, tests excluded?", "", "", True, False),
        ("Not counting tests: callers of open_file?", "", "", True, False),
        ("take open_file. What calls it at the top level of io.py?", "io.py", "", False, True),
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
        ("look at send_file. What does it call? And who calls it?", ["callees", "callers"], ()),
        ("by what is send_file called, and what does it call?", ["callers", "callees"], ()),
        ("tell me both the callers and the callees of send_file", ["callers", "callees"], ()),
        ("what are the callers of send_file and of read_file?", ["callers", "callers"], ()),
        ("send_file and read_file: who calls each of them?", ["callers", "callers"], ()),
        ("who calls send_file and which calls the other?", ["callers"], ("which calls the other",)),
    ],
)
def test_the_second_half_of_a_text_is_read(
    text: str, kinds: list[str], unread: tuple[str, ...]
) -> None:
    asked = read(text)

    assert [question.kind.value for question in asked.questions if question] == kinds
    assert asked.unread == unread


@pytest.mark.parametrize(
    ("text", "unkept"),
    [
        ("what calls open_file more than twice?", "more than twice"),
        ("which callers of open_file ignore its result?", "ignore its result"),
        ("who imports app.io lazily?", "lazily"),
        ("which functions in app/io.py are not tested?", "not tested"),
        ("callers of open_file, and for each of them its line count", "and for each of them its"),
        ("which imports of app/io.py are unused?", "imports"),
        ("what all calls open_file directly, please?", ""),
        ("by which methods is open_file called?", ""),
    ],
)
def test_what_a_question_says_more_is_told_to_be_left(text: str, unkept: str) -> None:
    question = recognise(text)

    assert question is not None
    assert "".join(question.unkept).startswith(unkept)
    assert bool(question.unkept) is bool(unkept)


def test_a_file_after_a_name_may_be_where_to_look() -> None:
    question = recognise("who calls open_file in app/io.py")

    assert question is not None
    assert question.otherwise is not None
    assert (question.otherwise.names, question.otherwise.scope) == (("open_file",), "app/io.py")


FILES = {
    "lib/io.py": "def open_file(path):\n    return path\n\n\ndef copy_file(path):\n"
    "    return open_file(path)\n\n\nclass Reader:\n    def read_all(self):\n"
    "        return 1\n",
    "web/ring/one.py": "import web.ring.two\n",
    "web/ring/two.py": "import web.ring.one\n",
    "web/page.py": "from lib.io import open_file, Reader\n\n\nclass PageReader(Reader):\n"
    "    def read_all(self):\n        return open_file('a')\n\n    def other(self):\n"
    "        pass\n",
}


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    with built_tree(tmp_path_factory.mktemp("kept"), FILES) as opened:
        yield opened


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
            ["copy_file", "Left unanswered, as it was not understood: why is it red"],
            [],
        ),
        ("path from copy_file to open_file", ["copy_file -> open_file"], []),
        (
            "who calls read_all?",
            ["ambiguous: 2 matches", "lib/io.py:Reader.read_all]", "page.py:PageReader.read_all]"],
            ["use one of these ids"],
        ),
        ("who calls read_all in no/such?", ["nothing lies in no/such"], ["0 rows"]),
        ("who calls open_file in lib/io.py", ["ask `inside lib/io.py`"], []),
        (
            "which modules import both open_file and Reader?",
            ["What imports open_file and Reader as well:", "(1 row, exact)"],
            [],
        ),
        (
            "which functions import open_file but not Reader?",
            ["What imports open_file and not Reader:", "(0 rows"],
            [],
        ),
        ("which private functions call open_file?", ["of what is private", "(0 rows"], []),
        ("which callers of open_file are slow?", ["not applied: are slow", "unknown"], ["exact"]),
        ("are there import cycles outside of web?", ["outside of web", "0 rows"], ["exact"]),
        ("import cycles in web, not counting web/ring", ["in web, outside", "0 rows"], ["mod:"]),
        ("what in web is never used, not counting lib/?", ["$ PageReader"], ["not applied"]),
        ("who calls open_file in src?", ["copy_file", "PageReader.read_all"], ["nothing lies"]),
        ("who calls open_file from the tests only?", ["in tests", "0 rows"], ["copy_file"]),
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
    text: str, named: list[str], left_out: list[str], workspace: Workspace
) -> None:
    answer = MUAgent(AgentConfig(provider="offline"), workspace=workspace).ask(text).content

    assert [each for each in named if each not in answer] == [], answer
    assert [each for each in left_out if each in answer] == [], answer
