import pytest

from mu.languages.loading import load_rules
from mu.model.facts import FileFacts
from mu.resolve.program.file_symbols import FileSymbols
from mu.resolve.program.stub_library import (
    FIRST_KEY,
    LibraryModule,
    StubLibrary,
    dotted_path,
)
from mu.resolve.semantics.language_rules import LanguageRules
from mu.resolve.semantics.module_names import ModuleNames
from mu.resolve.semantics.module_resolver import Target

PYTHON = load_rules({"python"})["python"]


class CountingNames(ModuleNames):
    """Python's library, which counts how often its text is asked for."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def stub(self, dotted: str) -> FileFacts | None:
        self.asked.append(dotted)
        return PYTHON.modules.stub(dotted)


def module(library: StubLibrary, dotted: str, *, first: int = 0) -> FileSymbols:
    unit = library.module(PYTHON, dotted, first=first)
    assert unit is not None
    return unit


def test_a_module_is_read_once() -> None:
    library, names = StubLibrary(), CountingNames()
    rules = LanguageRules("python", modules=names)

    units = [library.module(rules, "queue", first=0) for _ in range(2)]

    assert (names.asked, units[0]) == (["queue"], units[1])


def test_a_module_without_text_is_asked_for_once_and_known() -> None:
    library, names = StubLibrary(), CountingNames()
    rules = LanguageRules("python", modules=names)

    units = [library.module(rules, "no_such_module", first=0) for _ in range(2)]

    assert (units, names.asked) == ([None, None], ["no_such_module"])
    assert library.is_known(rules, "no_such_module")


def test_a_module_nobody_asked_for_is_not_known() -> None:
    assert not StubLibrary().is_known(PYTHON, "queue")


def test_a_module_without_text_takes_no_key() -> None:
    library = StubLibrary()

    library.module(PYTHON, "no_such_module", first=0)

    assert module(library, "queue").file.key == FIRST_KEY


def test_files_of_the_library_have_keys_above_all_others_in_the_order_of_asking() -> None:
    library = StubLibrary()

    units = [module(library, dotted) for dotted in ("queue", "re")]

    assert [unit.file.key for unit in units] == [FIRST_KEY, FIRST_KEY + 1]
    assert [library.unit(unit.file.key) for unit in units] == units


def test_the_definitions_of_a_module_are_numbered_from_where_it_is_told() -> None:
    assert module(StubLibrary(), "queue", first=700).first == 700


def test_a_definition_has_the_name_of_all_it_stands_in() -> None:
    unit = module(StubLibrary(), "queue")
    rows = unit.facts.definitions

    found = {dotted_path(unit, row) for row in rows if row.name in ("Queue", "get")}

    assert {"queue.Queue", "queue.Queue.get"} <= found


def test_the_path_of_a_library_file_is_its_dotted_name() -> None:
    assert module(StubLibrary(), "os.path").file.path == "os.path"


def test_an_import_in_the_library_leads_outside() -> None:
    finder = module(StubLibrary(), "queue").finder

    assert finder.find(0, "threading") == Target(external="threading")


def test_a_relative_import_in_a_module_starts_from_its_package() -> None:
    finder = module(StubLibrary(), "os.path").finder

    assert finder.find(0, "sys", level=1) == Target(external="os.sys")
    assert finder.find(0, "", level=1) == Target(external="os")


def test_a_relative_import_in_a_package_starts_from_itself() -> None:
    finder = module(StubLibrary(), "http").finder

    assert finder.find(0, "client", level=1) == Target(external="http.client")
    assert finder.find(0, "", level=1) == Target(external="http")


def test_a_module_that_is_expected_has_its_key_and_is_read_when_it_is_asked_for() -> None:
    library, names = StubLibrary(), CountingNames()
    rules = LanguageRules("python", modules=names)
    known = StubLibrary()
    for dotted in ("queue", "re"):
        module(known, dotted)

    keys = [library.expect(rules, row, first=row.definitions) for row in known.modules]

    assert (names.asked, library.units, library.modules) == ([], [], known.modules)
    unit = library.module(rules, "re", first=0)
    assert unit is library.unit(keys[1])
    assert (names.asked, library.units) == (["re"], [unit])
    assert unit.first == len(unit.facts.definitions)


def test_a_module_that_is_expected_and_gone_is_an_error() -> None:
    library = StubLibrary()
    key = library.expect(PYTHON, LibraryModule("python", "gone_by_now", 3, False), first=0)

    with pytest.raises(KeyError):
        library.unit(key)
