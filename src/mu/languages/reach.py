"""Which language's definitions a name in another language can mean, as data.

A language that the data does not list may mean any, and be meant by any. In it, `together` are
languages of one module system, of which any imports from any other; `reached_by_all` those whose
definitions others may call by a symbol of a linker, as a module of the interpreter or through
WebAssembly; `reached_by_own` the rest, which nothing else calls by a name that is written as code.
It is JSON, because most questions read it and loading a parser of TOML takes 3 ms.
"""

import json
from collections.abc import Iterable
from pathlib import Path

_DATA = Path(__file__).with_name("data") / "reach.json"


def apart(languages: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """Give the pairs of `languages` of which a name in the first cannot mean the second's.

    A language of which nothing is known may mean any and be meant by any, so it is in no pair.
    """
    known = json.loads(_DATA.read_text(encoding="utf-8"))
    group_of = {name: place for place, group in enumerate(known["together"]) for name in group}
    closed = {*group_of, *known["reached_by_own"]}
    listed = sorted({*closed, *known["reached_by_all"]} & set(languages))
    return tuple(
        (near, far)
        for near in listed
        for far in listed
        if far in closed and near != far and group_of.get(near, near) != group_of.get(far, far)
    )
