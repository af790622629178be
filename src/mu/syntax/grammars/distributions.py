"""The versions of the distributions that MU is installed with."""

import os
import re
import sys
from collections.abc import Iterable, Mapping
from contextlib import suppress

_METADATA = ".dist-info"
_SEPARATORS = re.compile(r"[-_.]+")


def versions_of(names: Iterable[str]) -> Mapping[str, str]:
    """The versions of some distributions; of one that is not installed, none.

    They are read off the names of the folders with their metadata (Python packaging's "Recording
    installed projects"). `importlib.metadata` gives what has no such folder: it reads the metadata
    as a mail, which takes 25 ms with all that it imports.
    """
    wanted = {_normal(name): name for name in names}
    found: dict[str, str] = {}
    for folder in sys.path:
        with suppress(OSError):
            for entry in os.listdir(folder or "."):  # noqa: PTH208 - at every start
                if entry.endswith(_METADATA):
                    name, _, told = entry.removesuffix(_METADATA).partition("-")
                    asked = wanted.get(_normal(name))
                    if asked is not None and told:
                        found.setdefault(asked, told)
    for name in {*wanted.values()} - found.keys():
        from importlib.metadata import PackageNotFoundError, version

        with suppress(PackageNotFoundError):
            found[name] = version(name)
    return found


def _normal(name: str) -> str:
    return _SEPARATORS.sub("_", name).lower()
