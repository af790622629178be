"""The certificates that a client of a model's server trusts."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import ssl


def trusted(address: str) -> "ssl.SSLContext | bool":
    """Give the system's certificates (True) for a server with TLS, and none for one without.

    Loading them takes 20 ms of CPU. Where none are trusted, a redirect to TLS is refused.
    """
    if not address.lower().startswith("http:"):
        return True
    import ssl

    return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
