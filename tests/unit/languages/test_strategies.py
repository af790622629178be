"""What languages differ in: no strategy has a flag, and the page on choices says what they are."""

import re
from dataclasses import fields
from enum import Enum
from pathlib import Path

import pytest

from mu.languages.loading import load_rules
from mu.resolve import LanguageRules, MemberSemantics
from mu.syntax import load_manifests

PAGE = Path(__file__).parents[3] / "docs" / "explanation" / "languages.md"
RULES = {**load_rules(load_manifests()), "default": LanguageRules()}


def strategies(rules: LanguageRules) -> list[object]:
    """The strategies of a language."""
    return [getattr(rules, field.name) for field in fields(rules) if field.name != "name"]


def attributes(strategy: object) -> dict[str, object]:
    """The attributes of a strategy's classes that are no functions."""
    found: dict[str, object] = {}
    for owner in reversed(type(strategy).__mro__):
        found |= {name: value for name, value in vars(owner).items() if not name.startswith("__")}
    return found


def choices(rules: LanguageRules) -> dict[str, str]:
    """The member of each choice that a language made, by the name of the choice."""
    values = [one for part in strategies(rules) for one in attributes(part).values()]
    return {type(one).__name__: one.name for one in values if isinstance(one, Enum)}


@pytest.mark.parametrize("language", sorted(RULES))
def test_no_strategy_has_a_flag(language: str) -> None:
    assert flags(RULES[language]) == []


def flags(rules: LanguageRules) -> list[str]:
    """The attributes of strategies that are true or false."""
    return [
        f"{type(part).__name__}.{name}"
        for part in strategies(rules)
        for name, value in attributes(part).items()
        if isinstance(value, bool)
    ]


def test_a_flag_is_noticed() -> None:
    class Flagged(MemberSemantics):
        has_aspects = True

    assert flags(LanguageRules("toy", members=Flagged())) == ["Flagged.has_aspects"]


def test_the_page_has_every_choice_of_every_language() -> None:
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    rows = [[cell.strip(" `") for cell in line.split("|")[1:-1]] for line in lines if "|" in line]
    place = next(number for number, row in enumerate(rows) if row[0] == "choice")
    _, *names = (name.casefold() for name in rows[place])
    shown = {name: dict[str, str]() for name in names}
    for choice, default, *others in rows[place + 2 :]:
        for name, cell in zip(names, (default, *others), strict=True):
            shown[name][choice] = cell or default

    assert shown == {name: choices(RULES[name]) for name in names}


def test_the_page_names_the_classes_that_there_are() -> None:
    text = PAGE.read_text(encoding="utf-8")
    named = set(re.findall(r"`((?:Python|Java)\w+)`", text))

    assert named <= {type(part).__name__ for one in RULES.values() for part in strategies(one)}
