"""Secrets are taken out of a text before it leaves the process.

What is found by its own look (keys, tokens, private keys, connection strings) goes, and what a
name beside it says is secret (`password = "..."`). The shapes are those that the providers publish.
A false alarm costs the model a string it hardly needs; a miss costs a secret.
"""

import re

_PATTERNS: tuple[tuple[str, tuple[str, ...], str, int], ...] = tuple(
    (name, tuple(marks.split()), pattern, int(flags))
    for name, marks, pattern, flags in (
        (
            "private key",
            "private",
            r"-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----.*?"
            r"(?:-----END [A-Z ]*PRIVATE KEY(?: BLOCK)?-----|\Z)",
            re.DOTALL,
        ),
        (
            "private key",
            "private",
            r"\A.*?-----END [A-Z ]*PRIVATE KEY(?: BLOCK)?-----",
            re.DOTALL,
        ),
        # The middle of a key, read from one line to another: lines of nothing but base64.
        (
            "encoded block",
            "",
            r"(?:^[ \t\d]*[\"'#*]*[ \t]*[A-Za-z0-9+/]{48,80}={0,2}[\"',\\]*$\n?){3,}",
            re.MULTILINE,
        ),
        ("api key", "sk-", r"\bsk-[A-Za-z0-9_-]{16,}", 0),
        ("cloud key", "akia asia abia acca", r"\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b", 0),
        ("cloud key", "aiza", r"\bAIza[0-9A-Za-z_-]{35}", 0),
        (
            "token",
            "ghp_ gho_ ghu_ ghs_ ghr_ github_pat_",
            r"\bgh[pousr]_[A-Za-z0-9]{30,}\b|\bgithub_pat_[A-Za-z0-9_]{22,}",
            0,
        ),
        ("token", "glpat-", r"\bglpat-[A-Za-z0-9_-]{20,}", 0),
        ("token", "xox", r"\bxox[abeprs]-[A-Za-z0-9-]{10,}", 0),
        ("token", "_live_ _test_", r"\b(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{16,}", 0),
        ("token", "npm_ pypi-", r"\bnpm_[A-Za-z0-9]{36}\b|\bpypi-[A-Za-z0-9_-]{32,}", 0),
        ("token", "eyj", r"\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*", 0),
        (
            "connection string",
            "://",
            r"\b[a-z][a-z0-9+.-]{1,30}://[^\s:/@'\"]*:[^\s@'\"]+@[^\s'\"]+",
            re.IGNORECASE,
        ),
        ("token", "bearer", r"(?<=\bbearer )[A-Za-z0-9._~+/-]{16,}=*", re.IGNORECASE),
    )
)
"""(what it is, marks in small letters of which any such secret has one, how it looks, flags).

Patterns are compiled when they are first needed, which most never are: that would take 3 ms.
Looking for the marks first takes a third of the time: most texts have none of them."""

_NAMES = re.compile(
    "passw|passphrase|secret|token|credential|(?:api|access|private)_?key", re.IGNORECASE
)
"""What each of the patterns below has in it."""

_NAMED = (
    r"""(?P<head>\b[\w.-]*(?:passwd|password|passphrase|secret|api_?key|apikey|access_?key|
        auth_?token|access_?token|private_?key|client_?secret|credential)s?[\w-]*
        ["']?\]?\s*(?::\s*\w+\s*)?[=:]\s*[rbfu]?)
        (?P<quote>["'])(?P<value>[^"'\n]{4,})(?P=quote)""",
    re.IGNORECASE | re.VERBOSE,
)
_TOKEN = (
    r"""(?P<head>\b[\w.-]*token["']?\]?\s*(?::\s*\w+\s*)?[=:]\s*[rbfu]?)
        (?P<quote>["'])(?P<value>(?=[^"'\n]*\d)[^"'\s]{8,})(?P=quote)""",
    re.IGNORECASE | re.VERBOSE,
)
_BARE = (
    r"""(?<![\w.-])(?P<head>[A-Z0-9_]*(?:PASSWD|PASSWORD|SECRET|API_?KEY|ACCESS_?KEY|TOKEN)
        [A-Z0-9_]*\s*=\s*)(?P<value>(?![A-Za-z_]\w*\.)[^\s'"#$<({\[]{6,})[ \t]*$""",
    re.VERBOSE | re.MULTILINE,
)
_LISTED = (
    r"""(?<![\w.-])(?P<head>[\w.-]*(?:passwd|password|passphrase|secret|api_?key|access_?key|
        token)[\w-]*\s*[:=][ \t]*)
        (?P<value>(?=[^\s]*\d)(?=[^\s]*[a-z])[^\s'"`#$<>(){}\[\].,;]{8,})[ \t]*$""",
    re.VERBOSE | re.MULTILINE | re.IGNORECASE,
)


def redact(text: str) -> str:
    """Give the text with each secret replaced by what it was: `[redacted: api key]`."""
    lowered = text.lower()
    for name, marks, pattern, flags in _PATTERNS:
        if not marks or any(mark in lowered for mark in marks):
            text = re.sub(pattern, f"[redacted: {name}]", text, flags=flags)
    if not _NAMES.search(text):
        return text
    for pattern, flags in (_NAMED, _TOKEN):
        text = re.sub(pattern, _quoted, text, flags=flags)
    for pattern, flags in (_BARE, _LISTED):
        text = re.sub(
            pattern, lambda match: f"{match['head']}[redacted: secret]", text, flags=flags
        )
    return text


def _quoted(match: re.Match[str]) -> str:
    if match["value"].startswith("[redacted"):
        return match[0]
    return f"{match['head']}{match['quote']}[redacted: secret]{match['quote']}"
