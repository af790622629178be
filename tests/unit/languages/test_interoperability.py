"""Which languages can refer to definitions in which others."""

from mu.languages.interoperability import isolated_pairs
from mu.syntax import load_manifests


def test_every_language_that_ships_is_isolated_from_another() -> None:
    shipped = load_manifests()

    pairs = isolated_pairs(shipped)

    assert {referring for referring, _ in pairs} == set(shipped)


def test_languages_of_one_module_system_are_not_isolated() -> None:
    assert isolated_pairs(["javascript", "typescript", "tsx", "vue", "svelte"]) == ()


def test_a_language_with_linker_symbols_is_isolated_from_none() -> None:
    assert isolated_pairs(["go", "python", "rust"]) == (("go", "python"), ("rust", "python"))


def test_a_language_without_data_is_in_no_pair() -> None:
    assert isolated_pairs(["python", "zig"]) == ()
