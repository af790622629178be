"""Every word that an edge or a site may carry is told in a sentence."""

from mu.model.kinds import Reason, Rule
from mu.operations.navigation.explanation_results import REASONS, RULES


def test_every_rule_and_reason_has_a_sentence() -> None:
    assert set(RULES) == set(Rule)
    assert set(REASONS) == set(Reason)
    assert len(set(RULES.values())) == len(RULES)
