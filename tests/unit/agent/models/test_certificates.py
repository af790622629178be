"""Certificates are loaded for servers with TLS alone, and none means that none is taken."""

import ssl

import pytest

from mu.agent.models.certificates import trusted


@pytest.mark.parametrize("address", ["https://api.example.com", "HTTPS://[::1]:8443", ""])
def test_a_server_with_tls_is_held_against_those_of_the_system(address: str) -> None:
    assert trusted(address) is True


def test_without_tls_no_certificate_is_taken() -> None:
    context = trusted("http://127.0.0.1:11434")

    assert isinstance(context, ssl.SSLContext)
    assert context.verify_mode is ssl.CERT_REQUIRED
    assert context.check_hostname
    assert context.cert_store_stats()["x509"] == 0
