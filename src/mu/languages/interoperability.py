"""Language interoperability: which languages can refer to definitions in which others, as data.

`module_systems` are groups of languages that import from each other. `callable_from_any` are
languages whose definitions others can call: by a linker symbol, as an extension module or through
WebAssembly. `callable_from_own` are languages whose definitions no other language refers to by
name. A language that is not listed may refer to any other, and any other to it.

The data is JSON because most queries read it, and importing a TOML parser takes 3 ms.
"""

import json
from collections.abc import Iterable
from pathlib import Path

_DATA = Path(__file__).with_name("data") / "interoperability.json"


def isolated_pairs(languages: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """Return the pairs of `languages` in which no name in the first can refer to the second.

    Languages without data are in no pair.
    """
    known = json.loads(_DATA.read_text(encoding="utf-8"))
    group_of = {
        name: number for number, group in enumerate(known["module_systems"]) for name in group
    }
    closed = {*group_of, *known["callable_from_own"]}
    listed = sorted({*closed, *known["callable_from_any"]} & set(languages))
    return tuple(
        (referring, defining)
        for referring in listed
        for defining in listed
        if defining in closed
        and referring != defining
        and group_of.get(referring, referring) != group_of.get(defining, defining)
    )
