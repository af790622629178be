"""The keys of services, from the environment alone: no file of ours and no flag ever holds one."""

import os
from collections.abc import Mapping

KEY_VARIABLES = ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN")


def api_key(environment: Mapping[str, str] | None = None) -> str | None:
    """Give the key for Claude, None when none is set; from this process's environment if not told.

    A variable that is set to nothing is not set.
    """
    given = os.environ if environment is None else environment
    texts = (given.get(name, "").strip() for name in KEY_VARIABLES)
    return next((text for text in texts if text), None)
