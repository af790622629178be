"""Every word that an edge or a site may carry is told in a sentence."""

from mu.model.kinds import Reason, Rule
from mu.operations.navigation.explanation_results import COUNTED_CANDIDATES, REASONS, RULES
from mu.resolve.limits import MOST_CANDIDATES


def test_every_rule_and_reason_has_a_sentence() -> None:
    assert set(RULES) == set(Rule)
    assert set(REASONS) == set(Reason)
    assert len(set(RULES.values())) == len(RULES)


def test_as_many_candidates_are_counted_as_is_told() -> None:
    assert COUNTED_CANDIDATES == MOST_CANDIDATES
