"""Questions are recognised in their usual phrasings."""

import pytest

from mu.agent.offline.question_kinds import Kind
from mu.agent.offline.question_recognition import recognise

ASKED = """\
callers         | login                | who calls login?
callers         | Flask.dispatch       | What calls `Flask.dispatch()`?
callers         | login                | where is the function login called
callers         | foo                  | show me the callers of foo
callees         | wsgi_app             | what functions does wsgi_app call?
callees         | login                | What does login call
impact          | User                 | What would break if I changed the User model?
impact          | get_flag             | is it safe to delete `get_flag()`?
impact          | url_for              | impact of changing url_for
impact          | app/db.py            | what is affected by a change in app/db.py
dependencies    | Flask                | what does Flask depend on?
dependencies    | app/auth.py          | dependencies of app/auth.py
dependents      | session              | Where is the session used?
dependents      | Config               | what depends on Config
importers       | flask.helpers        | who imports flask.helpers?
why             | app, werkzeug        | why does app depend on werkzeug?
path            | Flask, Blueprint     | how are Flask and Blueprint connected?
path            | login, execute       | path from login to execute
path            | Flask, Blueprint     | does Flask use Blueprint?
subclasses      | Scaffold             | what inherits from Scaffold?
subclasses      | View                 | find all the subclasses of View
superclasses    | Flask                | what does Flask inherit from
superclasses    | Flask                | base classes of Flask
tests           | url_for              | what tests cover url_for?
tests           | url_for              | is url_for tested?
members         | Flask                | members of Flask
methods         | Flask                | methods of Flask
methods         | app/db.py            | which functions are in app/db.py?
fields          | Config               | what fields does Config have?
fields          | Colour               | variants of Colour
topic           | Store, cookies       | which methods does Store have that deal with cookies?
constructors    | Logger               | constructors of Logger
public          | zapio                | public API of the zapio package
outline         | app/db.py            | overview of app/db.py
flow            | run_all              | what happens when run_all is called?
flow            | Store.save           | how does Store.save work?
raised          | Store.save           | which exceptions can Store.save raise?
description     | asdict               | what are the parameters of asdict?
description     | Store                | which arguments does Store take?
description     | app/db.py:12         | what is at line 12 of app/db.py?
description     | Logger.check         | what is (*Logger).check for?
path            | include, _split      | what is the relationship between include and _split?
compared        | Queue, Stack         | Queue vs Stack
compared        | Queue, Stack         | what's the difference between a Queue and a Stack?
compared        | Queue, Stack         | how does Queue differ from Stack?
compared        | Queue, Stack         | compare Queue with Stack
length          | app/db.py            | how many lines of code does app/db.py have?
such            | Store, async         | which methods of Store are async?
such            | Store, static        | list the static methods of Store
such            | deprecated           | which functions are deprecated?
environment     |                      | where does it read environment variables?
why             | app/db.py, log       | what does app/db.py use from log?
why             | app/db.py, log       | why is log imported by app/db.py?
methods         | Plugin               | list all hooks a Plugin can implement
public          | src/index.ts         | what is exported from src/index.ts?
listing         | error classes        | which error classes does shop define?
listing         | middlewares          | which middlewares does the server ship with?
externals       |                      | which crates does shop depend on?
callers         | Store.save           | who calls Store.save outside of the tests?
description     | app/db.py:12         | File "app/db.py", line 12, in find
description     | src/cart.ts:12       | at Cart.add (src/cart.ts:12:5) what is this?
compared        | Queue, Stack         | what's the diff between Queue and Stack
dependents      | BadValue             | where do we catch BadValue?
impact          | Store.save           | what would break if Store.save changed its signature?
listing         | routers              | which routers are implemented?
where           | cors                 | where is the cors middleware defined?
callers         | load_all             | who calls self.load_all()?
compared        | Queue, Stack         | compare Queue vs Stack
tests           | WeakMap              | what tests exist for WeakMap?
dependents      | byte-counter         | why is `byte-counter` needed?
fields          | Options              | which getters does Options have?
flow            | load_all             | what does load_all do?
description     | Store                | what does Store do?
count           | enums                | how many enums are there?
description     | cart.go:12           | panic at cart.go:12 +0x1d - what function is that?
externals       |                      | which go modules does shop depend on?
listing         | decorators           | what decorators does shop export?
callers         | src/cart.rs:12       | panicked at src/cart.rs:12:5: who calls this function?
handles         | are circular includes detected | how are circular includes detected?
cycles          |                      | are there circular includes?
path            | Broken, OSError      | is Broken a subclass of OSError?
dependents      | BadValue             | where is BadValue returned?
dependents      | symbols              | which modules require ./symbols?
listing         | middlewares          | which middlewares are there?
listing         | interfaces           | interfaces in zapcore
largest         | file                 | which file is the biggest?
history         |                      | what changed in the last commit?
history         |                      | who wrote this?
superclasses    | BadKey               | what is BadKey derived from
subclasses      | TypeAdapter          | how many subclasses does TypeAdapter have?
callers         | Gson.getAdapter      | how many callers does Gson.getAdapter have?
callers         | Gson.getAdapter      | how many functions call Gson.getAdapter?
importers       | app/db.py            | how many files import app/db.py?
methods         | JsonReader           | how many methods does JsonReader have?
overrides       | Matcher.find_at      | how many overrides does Matcher.find_at have?
count           | functions            | how many functions does this project have?
count           | functions            | how many functions call others?
dependents      | JsonReader.doPeek    | is JsonReader.doPeek dead code?
dependents      | Primitives.wrap      | is Primitives.wrap unused?
dependents      | Primitives.wrap      | is Primitives.wrap never called?
dependents      | Primitives.wrap      | is Primitives.wrap not used anywhere?
subclasses      | renderer             | what satisfies the renderer interface?
members         | screen.go            | what can I find in screen.go?
listing         | reloader loops       | which reloader loops exist
listing         | middleware classes   | Which middleware classes do we ship?
description     | Primitive            | what kind of thing is Primitive
description     | deep_freeze          | explain deep_freeze to me
path            | LogTo, LogToWith     | does LogTo delegate to LogToWith?
members         | app/db.py            | what's in app/db.py?
codebase        |                      | what does this project do?
codebase        |                      | What's in the repository?
codebase        |                      | please summarise this codebase
codebase        |                      | can you explain the codebase to me?
codebase        |                      | give me a tour of this repo
externals       |                      | which third-party packages does this project use?
cycles          |                      | are there any circular imports?
cycles          |                      | import cycles
cycles          |                      | which modules form a cycle?
cycles          |                      | are there modules that are part of a loop?
unused          |                      | which functions are never called?
unused          |                      | find dead code
main            |                      | where does the app start?
routes          |                      | list all routes
architecture    |                      | describe the architecture
architecture    |                      | how is this project structured?
externals       |                      | which third-party libraries does it use?
complex         |                      | most complex functions
largest         | files                | what are the largest files?
most used       | called, functions    | which functions are called most
most used       | imported, modules    | most imported modules
count           | functions            | how many functions are there?
listing         | classes              | list all classes
listing         | database models      | list the database models
where           | url_for              | where is url_for defined?
description     | Scaffold             | what is Scaffold?
description     | Scaffold             | explain the class Scaffold
handles         | handles auth         | what handles auth?
"""


@pytest.mark.parametrize("row", ASKED.splitlines())
def test_a_question_is_recognised(row: str) -> None:
    kind, names, text = (cell.strip() for cell in row.split("|"))

    question = recognise(text)

    assert question is not None
    assert (question.kind, ", ".join(question.names)) == (Kind(kind), names)


@pytest.mark.parametrize(
    ("scope", "text"),
    [
        ("app/db.py", "what is the most complex function in app/db.py?"),
        ("lib/server.js", "which functions in lib/server.js are the longest?"),
        ("zapcore", "list all interfaces in the zapcore package"),
        ("zapcore", "interfaces in zapcore"),
        ("Store", "how many methods are there in Store?"),
        ("src/app", "find dead code in src/app/"),
        ("", "most complex functions in this project"),
        ("", "what are the largest files of the repository?"),
        ("", "which middleware classes do we ship?"),
        ("server", "which middlewares does the server ship with?"),
    ],
)
def test_a_question_about_all_may_be_about_a_part(scope: str, text: str) -> None:
    question = recognise(text)

    assert question is not None
    assert (question.scope, question.left_aside) == (scope, ())


def test_a_sentence_with_a_list_in_it_asks_for_none() -> None:
    question = recognise("what parses the parameter list values?")

    assert question is not None
    assert question.kind is Kind.HANDLES


def test_tests_may_be_left_out() -> None:
    question = recognise("is Store.save used in production code?")

    assert question is not None
    assert (question.names, question.is_untested) == (("Store.save",), True)


def test_what_is_found_by_a_clause_is_no_list() -> None:
    assert recognise("find the class that parses selectors") is None


@pytest.mark.parametrize("text", ["hello", "", "???", "please", "x" * 5000])
def test_anything_else_is_not(text: str) -> None:
    assert recognise(text) is None


def test_there_are_more_than_fifteen_kinds() -> None:
    assert len({row.split("|")[0].strip() for row in ASKED.splitlines()}) > 15
