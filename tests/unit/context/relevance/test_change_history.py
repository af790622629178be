"""What changes were told like says where to look."""

from mu.analysis.node_search.word_search import Asked
from mu.context.relevance.change_history import NO_CHANGES, Changes
from mu.source.git.recent_changes import Change

HISTORY = (
    Change("Fix rounding of prices", ("shop/prices.py", "CHANGES.md")),
    Change("Round each price once", ("shop/prices.py",)),
    Change("Fix colours of labels", ("shop/labels.py",)),
    Change("Rename everything: prices too", tuple(f"shop/{n}.py" for n in range(30))),
)


def asked(*words: str) -> list[Asked]:
    return [Asked(word, {}, 1.0) for word in words]


def test_files_changed_under_like_words_are_scored_the_most_alike_first() -> None:
    similar = Changes(HISTORY).similar(asked("price", "rounded"))
    assert sorted(similar, key=lambda path: -similar[path]) == ["shop/prices.py", "CHANGES.md"]


def test_a_change_of_very_many_files_says_nothing() -> None:
    assert Changes(HISTORY).similar(asked("everything")) == {}


def test_words_that_most_changes_say_count_less() -> None:
    changes = Changes([*HISTORY, *[Change("Fix it", ("a.py",))] * 100])
    fix, rounding, never = changes.weights(asked("fix", "rounding", "zebra"))
    assert fix == 0.2
    assert fix < rounding <= never == 1.0


def test_a_short_history_says_nothing_about_words() -> None:
    assert Changes(HISTORY).weights(asked("fix")) == [1.0]


def test_without_a_history_nothing_is_alike() -> None:
    assert NO_CHANGES.similar(asked("price")) == {}
