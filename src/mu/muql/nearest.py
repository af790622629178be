"""Suggest the name that was probably meant."""

from collections.abc import Iterable


def nearest(name: str, candidates: Iterable[str]) -> str:
    """Give the candidate most like `name` in any case, or an empty text when none is like it."""
    from difflib import get_close_matches  # only wanted when something is wrong already

    by_lower = {candidate.lower(): candidate for candidate in sorted(candidates)}
    found = get_close_matches(name.lower(), list(by_lower), n=1, cutoff=0.7)
    return by_lower[found[0]] if found else ""


def did_you_mean(what: str, name: str, *, among: Iterable[str]) -> str:
    """Add the nearest of some names to the sentence `what`, when there is one."""
    near = nearest(name, among)
    return f"{what}, did you mean `{near}`?" if near else what
