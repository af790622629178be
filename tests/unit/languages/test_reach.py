"""Which languages can mean each other's definitions."""

from mu.languages.reach import apart
from mu.syntax import load_manifests


def test_every_language_that_ships_is_apart_from_some_other() -> None:
    shipped = load_manifests()

    pairs = apart(shipped)

    assert {near for near, _ in pairs} == set(shipped)


def test_languages_of_one_module_system_are_not_apart() -> None:
    assert apart(["javascript", "typescript", "tsx", "vue", "svelte"]) == ()


def test_a_language_with_symbols_may_be_meant_by_any() -> None:
    assert apart(["go", "python", "rust"]) == (("go", "python"), ("rust", "python"))


def test_a_language_of_which_nothing_is_known_may_mean_any() -> None:
    assert apart(["python", "zig"]) == ()
