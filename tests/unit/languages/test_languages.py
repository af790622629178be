from mu.languages import load_rules
from mu.languages.python import PythonRules
from mu.resolve import LanguageRules


def test_a_language_has_the_rules_of_the_module_of_its_name() -> None:
    assert isinstance(load_rules(["python"])["python"], PythonRules)


def test_a_language_without_a_module_has_the_defaults() -> None:
    assert type(load_rules(["nothing_special"])["nothing_special"]) is LanguageRules


def test_a_builtin_class_is_told_from_a_builtin_function() -> None:
    rules = PythonRules()

    assert [
        name for name in ("dict", "len", "ValueError") if rules.is_class_name(f"builtins.{name}")
    ] == [
        "dict",
        "ValueError",
    ]


def test_a_name_with_two_underscores_on_both_sides_is_public() -> None:
    rules = PythonRules()

    assert [rules.visibility(name) for name in ("run", "_run", "__run", "__call__")] == [
        "public",
        "private",
        "private",
        "public",
    ]
