"""The precision of each resolution rule, as a data file that ships with MU.

`python -m benchmarks accuracy table` writes it from the samples of edges that were judged.
"""

from importlib.resources import files

import msgspec

from mu.model.graph import Measured
from mu.model.kinds import Rule


def load_rule_precision() -> tuple[Measured, ...]:
    """Return the measured precision of every (language, rule) with judged edges."""
    text = files("mu.languages").joinpath("data/rule_precision.toml").read_text(encoding="utf-8")
    table = msgspec.toml.decode(text, type=dict[str, dict[Rule, tuple[int, int]]])
    return tuple(
        Measured(language, rule, right, judged)
        for language, rules in table.items()
        for rule, (right, judged) in rules.items()
    )
