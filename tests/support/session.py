"""The folder that all processes of one run of the tests share, and what is made in it once."""

import os
import secrets
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

_FOLDER = "TESTS_FOLDER"


def make_folder() -> str:
    """Make the folder, in which all that programs keep for the user lies, too, and return it."""
    folder = tempfile.mkdtemp(prefix="mu-tests-")
    os.environ[_FOLDER] = folder
    for name in ("CACHE", "CONFIG", "STATE"):
        os.environ[f"XDG_{name}_HOME"] = f"{folder}/{name.lower()}"
    return folder


def copy_of(name: str, make: Callable[[Path], None], place: Path) -> Path:
    """Have the file of this name at `place`: made there by the first who asks, then copied."""
    kept = Path(os.environ[_FOLDER], "files", name)
    if not kept.is_file():
        make(place)
        new = kept.with_name(f"{name}.{secrets.token_hex(8)}")
        kept.parent.mkdir(exist_ok=True)
        shutil.copyfile(place, new)
        new.replace(kept)
        return place
    new = place.with_name(f"{place.name}.{secrets.token_hex(8)}")
    shutil.copyfile(kept, new)
    return new.replace(place)


def kept_facts() -> Path:
    """The folder in which the builds of all tests keep what they read of a text."""
    return Path(os.environ[_FOLDER], "cache", "mubase", "facts")
