"""What is known of frameworks: data files, a folder for each language."""

import tomllib
from importlib.resources import files

from mu.resolve import Injected


def load_injected(language: str) -> Injected:
    """What the frameworks of a language fill in by the names of parameters."""
    providers: set[str] = set()
    receivers: list[str] = []
    shared: set[str] = set()
    folder = files("mu.languages").joinpath("data", "frameworks", language)
    for file in sorted(folder.iterdir(), key=lambda file: file.name):
        table = tomllib.loads(file.read_text(encoding="utf-8")).get("injection", {})
        providers.update(table.get("providers", ()))
        receivers += table.get("receivers", ())
        shared.update(table.get("shared", ()))
    return Injected(frozenset(providers), tuple(receivers), frozenset(shared))
