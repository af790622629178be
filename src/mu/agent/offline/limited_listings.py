"""Listings of one node that are limited to a part of the repository, and what no limit reaches."""

from collections.abc import Sequence

from mu.agent.offline.question_kinds import LISTED, SCOPED, SECONDED, Kind, Question
from mu.agent.offline.sql_text import conjunction, lies_beyond, lies_within, quoted

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
_TOP_LEVEL = (
    "(kind = 'module' OR id IN (SELECT target FROM contains JOIN nodes AS holder"
    " ON holder.id = contains.source WHERE holder.kind = 'module'))"
)
PLACE_CHECK = "SELECT path AS somewhere FROM nodes WHERE "


SUCH = {
    "async": "is_async",
    "static": "is_static",
    "abstract": "is_abstract",
    "private": "visibility = 'private'",
    "protected": "visibility = 'protected'",
    "public": "visibility = 'public'",
    "propert": "subkind = 'property'",
    "deprecated": "(docstring ILIKE '%deprecated%'"
    " OR array_to_string(decorators, ' ') ILIKE '%deprecated%')",
}
"""What holds of functions that are said to be so, by how the word begins."""


def limited_listing(question: Question) -> str:
    """Give the statement that lists what lies within the limits; empty for one without limits."""
    if question.kind is Kind.CYCLES and question.beyond:
        return _cycles_beyond(question)
    if question.kind is Kind.UNUSED and question.scope + question.beyond:
        part = f" FOR {quoted(question.scope)}" if question.scope else ""
        beyond = f" WHERE id IN (SELECT id FROM nodes WHERE {lies_beyond(question.beyond)})"
        return f"ANALYZE unused{part}{beyond if question.beyond else ''} LIMIT 40"
    if question.kind not in LISTED or not question.names or not _limits(question):
        return ""
    such = SUCH[question.such] if question.such else ""
    conditions = [
        "kind = 'function'" if question.kind is Kind.METHODS else "true",
        within(question),
        lies_beyond(question.beyond),
        "NOT is_test" if question.is_untested else "true",
        _TOP_LEVEL if question.is_top_level else "true",
        f"id IN (SELECT id FROM nodes WHERE {such})" if such else "true",
        "is_test" if question.is_in_tests else "true",
        f"id IN ({_related(question, question.also)})" if question.also else "true",
        f"id NOT IN ({_related(question, question.never)})" if question.never else "true",
    ]
    return _SHOWN[question.kind].format(quoted(question.names[0])) + conjunction(*conditions)


def _related(question: Question, name: str) -> str:
    """Give the statement for the ids of what is related to another name as to the first."""
    kinds = SECONDED[question.kind]
    return f"SELECT id FROM dependents({quoted(name)}, kinds => ['{kinds}'])"


def within(question: Question) -> str:
    """Give the condition for what a question is about: all there is, where its place is none.

    That is the project's own name, or the customary name of a root folder.
    """
    part = lies_within(question.scope)
    if not question.is_loose or part == "true":
        return part
    name, folder = quoted(question.scope), quoted(f"/{question.scope}/")
    holder = f"name = {name} AND kind IN ('module', 'class') OR contains('/' || path, {folder})"
    return f"({part} OR NOT EXISTS (SELECT 1 FROM nodes WHERE {holder}))"


def _cycles_beyond(question: Question) -> str:
    """Give the statement that lists a cycle a component, of those that keep out of a place."""
    cycles = "FROM cycles(kinds => ['imports'])"
    inside = f"SELECT cycle_id {cycles} WHERE {_by_path(question.beyond)}"
    part = _by_path(question.scope) if question.scope else "true"
    return f"SELECT * {cycles}{conjunction(f'cycle_id NOT IN ({inside})', part)} LIMIT 100"


def _by_path(place: str) -> str:
    whole, folder = place.strip("/"), place.strip("/").replace(".", "/")
    inside = (f"contains('/' || path || '/', {quoted(f'/{each}/')})" for each in (whole, folder))
    return f"({' OR '.join(inside)})"


def unapplied(question: Question) -> tuple[str, ...]:
    """Give the limits of a question that its answer does not keep to."""
    limits = _limits(question)
    if question.kind in LISTED or not limits:
        return question.unkept
    kept = {f"in {question.scope}"} if question.kind in SCOPED else set()
    if question.kind in (Kind.CYCLES, Kind.UNUSED):
        kept.add(f"outside of {question.beyond}")
    return tuple(text for text in limits if text not in kept) + question.unkept


def limits_told(question: Question) -> str:
    """Write the limits that an answer keeps to, to stand behind its heading."""
    left = unapplied(question)
    told = [text for text in _limits(question) if text not in left]
    return f" {', '.join(told)}" if told else ""


def place_check(question: Question) -> Sequence[str]:
    """Give the statements that list one node in each place that a question names."""
    scope = "" if question.is_loose else question.scope
    places = [place for place in (scope, question.beyond) if place]
    return [f"{PLACE_CHECK}{lies_within(place)} LIMIT 1" for place in places]


def _limits(question: Question) -> tuple[str, ...]:
    told = (
        f"in {question.scope}" if question.scope else "",
        f"outside of {question.beyond}" if question.beyond else "",
        "outside of tests" if question.is_untested else "",
        "at the level of modules" if question.is_top_level else "",
        f"of what is {question.such}" if question.such else "",
        "in tests" if question.is_in_tests and question.kind is not Kind.TESTS else "",
        f"and {question.also} as well" if question.also else "",
        f"and not {question.never}" if question.never else "",
    )
    return tuple(text for text in told if text)
