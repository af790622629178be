"""Which side of a verb a name stands on says what is asked."""

import pytest

from mu.agent.offline.question_kinds import Kind
from mu.agent.offline.question_recognition import recognise

ASKED = """\
callers      | load_file         | which places end up calling load_file
callers      | load_file         | where do we call `load_file`?
raising      | BadInput          | Where is BadInput raised?
raising      | BadInput          | who's throwing BadInput
dependents   | load_file         | does anything use load_file?
callers      | load_file         | does anybody ever call load_file
callers      | gunzip            | what's calling gunzip
where        | Store             | location of Store
where        | Store             | what is the file of Store?
subclasses   | Reader            | what kinds of Reader exist?
dependents   | BaseReader        | classes built on BaseReader
callers      | Parser            | show me every spot that instantiates Parser, please
callees      | load_file         | what gets called from load_file
callees      | load_file         | everything invoked by load_file
dependents   | load_file         | is anyone still using load_file?
dependents   | load_file         | where does load_file get used
dependents   | useSession        | Which React components use useSession?
dependencies | Page              | which components does Page render?
dependencies | app/load.py       | what is app/load.py depending on
importers    | load.py           | Which modules import load.py?
imported     | load.py           | What modules does load.py pull in?
subclasses   | Reader            | Which types satisfy Reader?
subclasses   | Reader            | what implements the Reader interface?
subclasses   | BaseLoader        | all the errors deriving from BaseLoader
superclasses | CsvReader         | What interface does CsvReader implement?
superclasses | CsvReader         | interfaces implemented by CsvReader
overrides    | Reader.read       | what is overriding Reader.read?
overridden   | CsvReader, Reader | Which methods of Reader does CsvReader override?
tests        | load_file         | is `load_file` covered anywhere
impact       | load_file         | I want to delete load_file. What else would go wrong?
impact       | load_file         | What happens if load_file changes?
members      | load.py           | what is defined in load.py
where        | load_file         | what defines load_file
returning    | Engine            | who returns an *Engine
taking       | HttpRequest       | which functions accept an HttpRequest
path         | main.run, load_it | how does a call to main.run end up in load_it
path         | Page, Store       | What links Page to Store?
path         | Page, Store       | Does Page use Store?
description  | Store             | What do I need to know about Store?
callers      | load_file         | load_file's callers
callers      | load_file         | where do load_file calls come from?
dependencies | Store.find        | what does Store.find lean on
outline      | Store             | give me a summary of the Store struct
listing      | enums             | enums in this project
unused       |                   | is there anything that never gets called?
externals    |                   | packages it relies on from outside
listing      | Store             | find all classes called Store
named        | load_file         | ponder load_file for me
languages    |                   | which languages is this written in?
main         |                   | where is the main function?
"""


@pytest.mark.parametrize("row", ASKED.splitlines())
def test_a_question_is_read(row: str) -> None:
    kind, names, text = (cell.strip() for cell in row.split("|"))

    question = recognise(text)

    assert question is not None
    assert (question.kind, ", ".join(question.names)) == (Kind(kind), names)


@pytest.mark.parametrize(
    "text",
    [
        "and/or e.g. JSON over HTTP",
        "Python? I think so. Yes.",
        "3.14 or 2.7",
    ],
)
def test_what_only_looks_like_a_name_is_none(text: str) -> None:
    assert recognise(text) is None


def test_a_name_that_the_reading_has_no_use_for_is_told() -> None:
    question = recognise("what does Store.find need, as app/load.py does?")

    assert question is not None
    assert (question.names, question.left_aside) == (("Store.find",), ("app/load.py",))
    assert question.is_unsure


@pytest.mark.parametrize(
    "text",
    ["x " * 5000, "call " * 3000 + "f_x", "`" * 9999, "a.b " * 4000, "-a.b" * 5000, "a/" * 9000],
)
def test_a_long_question_is_read_in_reasonable_time(text: str) -> None:
    recognise(text)
