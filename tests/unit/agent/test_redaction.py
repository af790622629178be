"""Secrets are taken out of texts; what only looks like one of their names stays."""

import pytest

from mu.agent.redaction import redact

ALPHABET = "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJ"


@pytest.mark.parametrize(
    "secret",
    [
        "sk-" + "ant-api03-" + ALPHABET[:24],
        "AKIA" + "IOSFODNN7EXAMPLE",
        "AIza" + ALPHABET[:35],
        "ghp_" + ALPHABET[:36],
        "glpat-" + ALPHABET[:20],
        "xoxb-" + "123456789012-" + ALPHABET[:12],
        "sk_live_" + ALPHABET[:24],
        "npm_" + ALPHABET[:36],
        "eyJ" + ALPHABET[:12] + "." + ALPHABET[:12] + "." + ALPHABET[:8],
        "postgres://user:pa55word@db.example.com/shop",
        "-----BEGIN RSA " + "PRIVATE KEY-----\nMIIEow\nabc\n-----END RSA PRIVATE KEY-----",
    ],
)
def test_a_secret_is_known_by_its_look(secret: str) -> None:
    redacted = redact(f"before {secret} after")

    assert secret not in redacted
    assert redacted.startswith("before [redacted: ")
    assert redacted.endswith("] after")


@pytest.mark.parametrize(
    "line",
    [
        'PASSWORD = "{}"',
        "password: str = '{}'",
        '"api_key": "{}"',
        "config['client_secret'] = '{}'",
        'db_passwd="{}"',
        "export STRIPE_API_KEY={}",
        "SECRET_KEY={}",
        "authorization: Bearer {}",
    ],
)
def test_a_secret_is_known_by_the_name_beside_it(line: str) -> None:
    assert "hunter2-hunter2-hunter2" not in redact(line.format("hunter2-hunter2-hunter2"))


@pytest.mark.parametrize(
    "text",
    [
        "def login(user, password):",
        "password = get_password()",
        "https://example.com/a/b?c=d",
        "fn:app/auth.py:check_password @12",
        "SECRET_KEY = os.environ['SECRET_KEY']",
        "task-sk-1 risk-free",
    ],
)
def test_what_is_no_secret_stays(text: str) -> None:
    assert redact(text) == text


def test_a_private_key_that_is_cut_off_is_taken_out_to_the_end() -> None:
    assert redact("-----BEGIN PRIVATE " + "KEY-----\nMIIE") == "[redacted: private key]"
