from mu.languages.loading import load_rules
from mu.languages.overloads import OVERLOADING_LANGUAGES
from mu.languages.python import RULES as PYTHON
from mu.model.graph import File
from mu.model.kinds import Category, EdgeKind
from mu.resolve import MemberSemantics, Overloading, ProgramText, link
from mu.syntax import Extractor, load_manifests


def test_a_language_has_the_rules_of_the_module_of_its_name() -> None:
    assert load_rules(["python"])["python"] is PYTHON


def test_a_language_without_a_module_has_the_defaults() -> None:
    assert type(load_rules(["nothing_special"])["nothing_special"].members) is MemberSemantics


def test_a_question_knows_which_languages_have_overloads() -> None:
    rules = load_rules(load_manifests())

    assert {
        name for name, one in rules.items() if one.calls.overloading is Overloading.BY_SIGNATURE
    } == OVERLOADING_LANGUAGES


def test_a_builtin_class_is_distinguished_from_a_builtin_function() -> None:
    library = PYTHON.library

    assert [
        name for name in ("dict", "len", "ValueError") if library.is_class_name(f"builtins.{name}")
    ] == [
        "dict",
        "ValueError",
    ]


def test_a_name_with_two_underscores_on_both_sides_is_public() -> None:
    assert [PYTHON.modules.visibility(name) for name in ("run", "_run", "__run", "__call__")] == [
        "public",
        "private",
        "private",
        "public",
    ]


def test_a_language_without_rules_links_names_within_each_file() -> None:
    facts = Extractor().extract(b"import other\ndef a(): pass\ndef b(): a(); other.c()\n", "python")
    file = File(0, "lib/one.toy", "toy", Category.SOURCE, "indexed", "", "", 0, 3, ())

    graph = link(ProgramText([file], {0: facts}, load_rules(["toy"])))

    ids = [node.id for node in graph.nodes]
    calls = [(e.source, e.target) for e in graph.edges if e.kind == EdgeKind.CALLS]
    assert graph.nodes[0].qualified_name == "lib.one"
    assert [(ids[source], ids[target]) for source, target in calls] == [
        ("fn:lib/one.toy:b", "fn:lib/one.toy:a"),
        ("fn:lib/one.toy:b", "ext:other.c"),
    ]
