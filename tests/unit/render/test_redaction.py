"""Secrets are taken out of texts; what only looks like one of their names stays."""

import pytest

from mu.render.redaction import redact

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
        "12 export STRIPE_API_KEY={}",
        "# DB_PASSWORD={}",
        "  db_password: {}",
        "token = '{}'",
        "bot_token: {}",
        "- client-secret = {}",
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
        "API_KEY = settings.API_KEY",
        "password: str",
        'token = "NAME"',
        "token: Token",
        "token: Callable[[str], int2]",
        "the password is asked for at 2024-01-01",
        "a" * 60,
    ],
)
def test_what_is_no_secret_stays(text: str) -> None:
    assert redact(text) == text


def test_the_end_of_a_private_key_is_taken_out_with_what_stands_before() -> None:
    text = "12 MIIEabc\n13 -----END RSA " + "PRIVATE KEY-----\n14 x = 1"

    assert redact(text) == "[redacted: private key]\n14 x = 1"


def test_the_middle_of_a_private_key_is_taken_out() -> None:
    lines = "\n".join(f"{number} {ALPHABET}{ALPHABET[:16]}" for number in range(12, 16))

    assert redact(f"a.py\n{lines}\n16 x") == "a.py\n[redacted: encoded block]16 x"


def test_a_private_key_that_is_cut_off_is_taken_out_to_the_end() -> None:
    assert redact("-----BEGIN PRIVATE " + "KEY-----\nMIIE") == "[redacted: private key]"
