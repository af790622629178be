"""Which language's definitions a name in another language can mean, as data."""

import tomllib
from collections.abc import Iterable
from importlib.resources import files


def apart(languages: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """Give the pairs of `languages` of which a name in the first cannot mean the second's.

    A language of which nothing is known may mean any and be meant by any, so it is in no pair.
    """
    path = files("mu.languages").joinpath("data", "reach.toml")
    known = tomllib.loads(path.read_text(encoding="utf-8"))
    group_of = {name: place for place, group in enumerate(known["together"]) for name in group}
    closed = {*group_of, *known["reached_by_own"]}
    listed = sorted({*closed, *known["reached_by_all"]} & set(languages))
    return tuple(
        (near, far)
        for near in listed
        for far in listed
        if far in closed and near != far and group_of.get(near, near) != group_of.get(far, far)
    )
