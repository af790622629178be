"""Calls of operations survive the way to the daemon and back."""

import msgspec
import pytest

from mu.analysis.node_search.listing_scope import Scope
from mu.client import calls
from mu.daemon.openapi import openapi_document
from mu.daemon.routes import ROUTES
from mu.model.kinds import EdgeKind
from mu.operations.answers.call_sites import Sites
from mu.operations.navigation.dependencies import deps
from mu.operations.packing.planning import plan
from mu.operations.queries.query import Supplied, query


@pytest.mark.parametrize("path", ROUTES)
def test_every_operation_has_types_that_can_be_read(path: str) -> None:
    operation = ROUTES[path]

    msgspec.json.Decoder(calls.arguments_type(operation))
    msgspec.json.Decoder(calls.result_type(operation))


def test_arguments_come_as_they_were_sent() -> None:
    named = {
        "depth": None,
        "kinds": (EdgeKind.CALLS,),
        "scope": Scope("src", tests=False),
        "sites": Sites.EACH,
    }
    sent = calls.arguments(deps, given=("Greeter",), named=named)

    came = msgspec.json.decode(msgspec.json.encode(sent), type=calls.arguments_type(deps))

    given = {name: getattr(came, name) for name in came.__struct_fields__}
    assert given["node"] == "Greeter"
    assert {**named, "kinds": [EdgeKind.CALLS]} == {name: given[name] for name in named}
    assert given["limit"] == 1_000


def test_arguments_in_any_number_are_a_list() -> None:
    sent = calls.arguments(plan, given=("a", "b"), named={})

    assert sent == {"ids": ("a", "b")}


def test_files_of_the_caller_are_not_sent(tmp_path: object) -> None:
    beside = Supplied(parameters={"n": 1})

    assert calls.arguments(query, given=("SELECT 1",), named={"supplied": beside}) is None
    assert calls.arguments(query, given=("SELECT 1",), named={"supplied": Supplied()}) == {
        "text": "SELECT 1"
    }


def test_the_openapi_document_names_every_address_and_only_schemas_it_has() -> None:
    document = msgspec.json.decode(openapi_document())
    text = openapi_document().decode()
    names = set(document["components"]["schemas"])

    used = {part.split('"')[0] for part in text.split("#/components/schemas/")[1:]}
    assert used <= names
    assert set(ROUTES) <= set(document["paths"])
