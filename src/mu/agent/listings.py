"""Listings of one node that are limited to a part of the repository, and what no limit reaches."""

from collections.abc import Sequence

from mu.agent.questions import SCOPED, Kind, Question
from mu.agent.sql_text import conjunction, lies_within, quoted

_SHOWN = {
    Kind.CALLERS: "SHOW callers OF {}",
    Kind.CALLEES: "SHOW callees OF {}",
    Kind.DEPENDENTS: "SHOW dependents OF {}",
    Kind.DEPENDENCIES: "SHOW dependencies OF {}",
    Kind.REGISTERED: "SHOW dependents OF {} VIA uses",
    Kind.IMPORTERS: "SHOW dependents OF {} VIA imports",
    Kind.IMPORTED: "SHOW dependencies OF {} VIA imports",
    Kind.SUBCLASSES: "SHOW subclasses OF {}",
    Kind.SUPERCLASSES: "SHOW superclasses OF {}",
    Kind.OVERRIDES: "SHOW overrides OF {}",
    Kind.IMPACT: "SHOW impact OF {}",
    Kind.ANCESTORS: "SHOW ancestors OF {}",
    Kind.TESTS: "SHOW tests OF {}",
    Kind.METHODS: "SHOW children OF {}",
    Kind.MEMBERS: "SHOW children OF {}",
}
PLACE_CHECK = "SELECT path AS somewhere FROM nodes WHERE "


def limited_listing(question: Question) -> str:
    """Give the statement that lists what lies within the limits; empty for one without limits."""
    shown = _SHOWN.get(question.kind)
    if shown is None or not question.names or not _limits(question):
        return ""
    conditions = [
        "kind = 'function'" if question.kind is Kind.METHODS else "true",
        lies_within(question.scope),
        f"NOT {lies_within(question.beyond)}" if question.beyond else "true",
        "NOT is_test" if question.is_untested else "true",
        "id NOT IN (SELECT id FROM methods)" if question.is_top_level else "true",
    ]
    return shown.format(quoted(question.names[0])) + conjunction(*conditions)


def unapplied(question: Question) -> tuple[str, ...]:
    """Give the limits of a question that its answer does not keep to."""
    limits = _limits(question)
    if question.kind in _SHOWN or not limits:
        return ()
    scoped = f"in {question.scope}"
    return tuple(text for text in limits if text != scoped or question.kind not in SCOPED)


def limits_told(question: Question) -> str:
    """Write the limits that an answer keeps to, to stand behind its heading."""
    left = unapplied(question)
    told = [text for text in _limits(question) if text not in left]
    return f" {', '.join(told)}" if told else ""


def place_check(question: Question) -> Sequence[str]:
    """Give the statements that list one node in each place that a question names."""
    places = [place for place in (question.scope, question.beyond) if place]
    return [f"{PLACE_CHECK}{lies_within(place)} LIMIT 1" for place in places]


def _limits(question: Question) -> tuple[str, ...]:
    told = (
        f"in {question.scope}" if question.scope else "",
        f"outside of {question.beyond}" if question.beyond else "",
        "outside of tests" if question.is_untested else "",
        "at the level of modules" if question.is_top_level else "",
    )
    return tuple(text for text in told if text)
