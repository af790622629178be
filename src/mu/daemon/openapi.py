"""The OpenAPI document of the daemon, made of the signatures and docstrings of operations."""

import functools
import inspect

import msgspec

from mu import __version__
from mu.client.calls import Failure, arguments_type, result_type
from mu.client.daemon_client import DaemonStatus
from mu.daemon.routes import ROUTES

_REFERENCE = "#/components/schemas/{name}"


@functools.cache
def openapi_document() -> bytes:
    """Write the document as JSON, OpenAPI 3.1."""
    kinds: list[object] = [Failure, DaemonStatus]
    for operation in ROUTES.values():
        kinds += [arguments_type(operation), result_type(operation)]
    schemas, components = msgspec.json.schema_components(kinds, ref_template=_REFERENCE)
    failure, status, *rest = schemas
    paths: dict[str, object] = {
        "/health": {
            "get": _described("Report that the daemon is serving.", {"type": "object"}, failure)
        },
        "/status": {"get": _described("List what the daemon serves.", status, failure)},
        "/events": {"get": _described("Follow builds, as server-sent events.", {}, failure)},
        "/workspaces": {"post": _posted("Serve a workspace.", {}, {}, failure)},
        "/stop": {"post": _posted("End the daemon.", {}, {}, failure)},
    }
    for place, (path, operation) in enumerate(ROUTES.items()):
        summary = (inspect.getdoc(operation) or "").split("\n\n")[0]
        given, result = rest[2 * place], rest[2 * place + 1]
        paths[path] = {"post": _posted(summary, given, result, failure)}
    document = {
        "openapi": "3.1.0",
        "info": {"title": "MU daemon", "version": __version__},
        "security": [{"token": []}],
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }
    return msgspec.json.encode(document)


def _described(summary: str, result: object, failure: object) -> dict[str, object]:
    return {
        "summary": summary,
        "responses": {
            "200": {"description": "the answer", "content": _content(result)},
            "default": {"description": "what went wrong", "content": _content(failure)},
        },
    }


def _posted(summary: str, given: object, result: object, failure: object) -> dict[str, object]:
    body = {
        "type": "object",
        "properties": {"workspace": {"type": "string"}, "arguments": given},
        "required": ["workspace"],
    }
    return {
        **_described(summary, result, failure),
        "requestBody": {"required": True, "content": _content(body)},
    }


def _content(schema: object) -> dict[str, object]:
    return {"application/json": {"schema": schema}}
