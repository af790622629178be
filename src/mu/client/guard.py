"""What a request must be before it is looked at: from this machine, by somebody with the token.

A page in a browser can reach the loopback interface: its requests carry an Origin, or, after DNS
rebinding, another Host. Neither is served, and no header allows another origin to read an answer.
"""

import hmac
from collections.abc import Iterable, Sequence
from http import HTTPStatus

Headers = Sequence[tuple[bytes, bytes]]
Refusal = tuple[HTTPStatus, str]


def refusal(
    headers: Headers,
    *,
    method: str,
    port: int,
    token: str,
    origins: frozenset[bytes] = frozenset(),
) -> Refusal | None:
    """Say why a request is refused, with the status of the answer; None when it is not.

    `port` is the server's own, `token` what a request has to carry as `Authorization: Bearer`.
    A request may have no Origin, or one of `origins`.
    """
    hosts = {f"127.0.0.1:{port}".encode(), f"localhost:{port}".encode()}
    given = list(_values(headers, b"host"))
    if len(given) != 1 or given[0].lower() not in hosts:
        return HTTPStatus.FORBIDDEN, "the Host header is not this server's"
    if any(origin not in origins for origin in _values(headers, b"origin")):
        return HTTPStatus.FORBIDDEN, "requests of web pages are not served"
    tokens = list(_values(headers, b"authorization"))
    expected = f"Bearer {token}".encode()
    if len(tokens) != 1 or not hmac.compare_digest(tokens[0], expected):
        return HTTPStatus.UNAUTHORIZED, "the token is missing or wrong"
    if method == "POST":
        kinds = [
            kind.partition(b";")[0].strip().lower() for kind in _values(headers, b"content-type")
        ]
        if kinds != [b"application/json"]:
            return HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "the body must be application/json"
    return None


def _values(headers: Headers, name: bytes) -> Iterable[bytes]:
    return (value for key, value in headers if key.lower() == name)
