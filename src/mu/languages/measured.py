"""How often each rule is right, as the accuracy benchmark measured it: a data file that ships.

`python -m benchmarks accuracy table` writes it from the judged samples.
"""

from importlib.resources import files

import msgspec

from mu.model.graph import Measured
from mu.model.kinds import Rule


def load_measured() -> tuple[Measured, ...]:
    """The measured precision of every (language, rule) that was judged."""
    text = files("mu.languages").joinpath("data/measured.toml").read_text(encoding="utf-8")
    table = msgspec.toml.decode(text, type=dict[str, dict[Rule, tuple[int, int]]])
    return tuple(
        Measured(language, rule, right, judged)
        for language, rules in table.items()
        for rule, (right, judged) in rules.items()
    )
