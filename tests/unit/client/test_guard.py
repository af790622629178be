"""What the daemon refuses before it looks at a request."""

from http import HTTPStatus

import pytest

from mu.client.guard import refusal

TOKEN = "ab" * 32
HOST = (b"host", b"127.0.0.1:4000")
BEARER = (b"authorization", b"Bearer " + TOKEN.encode())
JSON = (b"content-type", b"application/json")

SERVED = [
    ("GET", [HOST, BEARER]),
    ("GET", [(b"host", b"localhost:4000"), BEARER]),
    ("GET", [(b"Host", b"LOCALHOST:4000"), (b"Authorization", BEARER[1])]),
    ("POST", [HOST, BEARER, JSON]),
    ("POST", [HOST, BEARER, (b"content-type", b"Application/JSON; charset=utf-8")]),
]

FOREIGN = [
    b"",
    b"127.0.0.1",
    b"localhost",
    b"127.0.0.1:4001",
    b"evil.example:4000",
    b"evil.example",
    b"127.0.0.1:4000.evil.example",
    b"0.0.0.0:4000",
    b"[::1]:4000",
    b"127.1:4000",
    b"127.0.0.1:04000",
    b"localhost.:4000",
    b" 127.0.0.1:4000",
    b"user@127.0.0.1:4000",
]

ORIGINS = [
    b"https://evil.example",
    b"http://127.0.0.1:4000",
    b"http://localhost:4000",
    b"null",
    b"",
    b"file://",
]

TOKENS = [
    b"",
    b"Bearer",
    b"Bearer ",
    TOKEN.encode(),
    b"bearer " + TOKEN.encode(),
    b"Bearer  " + TOKEN.encode(),
    b"Bearer " + TOKEN.encode() + b" ",
    b"Bearer " + TOKEN[:-1].encode(),
    b"Bearer " + TOKEN.upper().encode(),
    b"Basic " + TOKEN.encode(),
    b"Bearer \xff\xfe",
]

KINDS = [
    b"",
    b"text/plain",
    b"application/x-www-form-urlencoded",
    b"multipart/form-data",
    b"application/jsonp",
]


@pytest.mark.parametrize(("method", "headers"), SERVED)
def test_what_is_served(method: str, headers: list[tuple[bytes, bytes]]) -> None:
    assert refusal(headers, method=method, port=4000, token=TOKEN) is None


OWN = b"http://127.0.0.1:4000"


@pytest.mark.parametrize(
    ("given", "is_served"),
    [([OWN], True), ([], True), ([b"null"], False), ([OWN, b"null"], False), ([OWN + b"0"], False)],
)
def test_origins_that_a_server_names(given: list[bytes], *, is_served: bool) -> None:
    headers = [HOST, BEARER, JSON, *((b"origin", origin) for origin in given)]
    refused = refusal(headers, method="POST", port=4000, token=TOKEN, origins=frozenset([OWN]))
    assert (refused is None) is is_served


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        *[([(b"host", host), BEARER, JSON], HTTPStatus.FORBIDDEN) for host in FOREIGN],
        ([BEARER, JSON], HTTPStatus.FORBIDDEN),
        ([HOST, HOST, BEARER, JSON], HTTPStatus.FORBIDDEN),
        *[([HOST, (b"origin", each), BEARER, JSON], HTTPStatus.FORBIDDEN) for each in ORIGINS],
        *[([HOST, (b"authorization", each), JSON], HTTPStatus.UNAUTHORIZED) for each in TOKENS],
        ([HOST, JSON], HTTPStatus.UNAUTHORIZED),
        ([HOST, BEARER, BEARER, JSON], HTTPStatus.UNAUTHORIZED),
        *[
            ([HOST, BEARER, (b"content-type", kind)], HTTPStatus.UNSUPPORTED_MEDIA_TYPE)
            for kind in KINDS
        ],
        ([HOST, BEARER], HTTPStatus.UNSUPPORTED_MEDIA_TYPE),
    ],
)
def test_what_is_refused(headers: list[tuple[bytes, bytes]], status: HTTPStatus) -> None:
    refused = refusal(headers, method="POST", port=4000, token=TOKEN)

    assert refused is not None
    assert refused[0] is status
