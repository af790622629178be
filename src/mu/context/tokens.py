"""How many tokens a text has, about; no tokenizer is asked, so it is the same for all models."""

CHARACTERS = 4
"""Characters to a token: what English and code have on average with the tokenizers in use."""


def estimate_tokens(text: str) -> int:
    """Estimate how many tokens a text has, rounded up."""
    return -(-len(text) // CHARACTERS)
