"""Answers as listings: a line for each row, with its place, source text and definition."""

import pytest

from mu.model.relation import Answer, Cell
from mu.render.listing import is_listing, listing, open_references
from mu.render.parts import ListingLine, Part, columns_of

WALK = (
    "id", "name", "kind", "path", "line", "distance", "via", "from_id", "site_path", "site_line",
    "site_text", "rule", "resolution", "alternatives", "sites", "site_column", "code",
)  # fmt: skip
PLACE: dict[str, Cell] = {
    "id": "fn:app/views.py:Page.show", "name": "show", "kind": "function", "path": "app/views.py",
    "line": 3, "distance": 1, "via": "calls", "from_id": "fn:app/db.py:find",
    "site_path": "app/views.py", "site_line": 5, "site_text": "find", "rule": "import",
    "resolution": "direct", "alternatives": 1, "sites": 1, "site_column": 12,
    "code": "return find(key)",
}  # fmt: skip
MAIN = {"id": "mod:app/main.py", "name": "main", "kind": "module", "path": "app/main.py"}


def answer(*rows: dict[str, Cell], columns: tuple[str, ...] = WALK) -> Answer:
    return Answer(columns, tuple(tuple(row[name] for name in columns) for row in rows), len(rows))


def walked(*changes: dict[str, Cell]) -> Answer:
    """A walk with a row for each of the `changes` of the row PLACE."""
    return answer(*({**PLACE, **each} for each in changes))


def backward(*changes: dict[str, Cell], width: int | None = None) -> list[str]:
    lines = listing(walked(*changes), is_backward=True, width=width)
    return [line.plain() for line in lines]


def forward(*changes: dict[str, Cell]) -> list[str]:
    return [line.plain() for line in listing(walked(*changes), is_backward=False)]


def nodes(**row: Cell) -> list[str]:
    return [line.plain() for line in listing(answer(row, columns=tuple(row)))]


def test_a_user_is_shown_by_the_site_and_the_definition_that_it_stands_in() -> None:
    assert backward({}) == ["app/views.py:5  return find(key)  in Page.show"]


def test_other_sites_of_a_row_are_counted() -> None:
    assert backward({"sites": 3})[0].endswith("in Page.show  (+2 more)")


def test_how_a_user_depends_is_said_unless_it_calls() -> None:
    assert backward({"via": "uses"})[0].endswith("in Page.show  (uses)")


def test_a_call_of_a_module_stands_at_module_level() -> None:
    assert backward({**MAIN, "site_path": "app/main.py"}) == [
        "app/main.py:5  return find(key)  at module level"
    ]


def test_an_import_needs_no_word_on_where_it_stands() -> None:
    code = "from app.db import find"
    changes = {**MAIN, "site_path": "app/main.py", "via": "imports", "code": code}

    assert backward(changes) == ["app/main.py:5  from app.db import find  (imports)"]


def test_a_row_further_away_says_through_what() -> None:
    assert backward({}, {"distance": 2, "site_line": 6}) == [
        "direct:",
        "app/views.py:5  return find(key)  in Page.show",
        "distance 2:",
        "app/views.py:6  return find(key)  in Page.show  (through find)",
    ]


def test_a_row_without_a_site_has_the_place_of_its_definition() -> None:
    nowhere = {"site_path": None, "site_line": None, "code": None, "via": "overrides", "sites": 0}

    assert backward(nowhere) == ["app/views.py:3  in Page.show  (overrides)"]


def test_what_is_used_is_shown_where_it_is_used_with_the_place_of_its_definition() -> None:
    assert forward({}) == ["app/views.py:5  return find(key)  -> Page.show  app/views.py:3"]
    assert forward({"via": "inherits"}) == [
        "app/views.py:5  return find(key)  -> Page.show  app/views.py:3  (inherits)"
    ]


def test_what_is_used_further_away_is_shown_by_its_definition() -> None:
    assert forward({}, {"distance": 2})[3:] == [
        "app/views.py:3  Page.show  called at app/views.py:5  (through find)"
    ]


def test_what_is_outside_the_repository_is_named_by_its_dotted_name() -> None:
    outside = {"id": "ext:os.getcwd", "kind": "external", "path": None, "line": None}

    assert forward(outside) == ["app/views.py:5  return find(key)  -> os.getcwd (external)"]


def test_sorts_of_resolution_are_groups_where_there_are_others_than_direct() -> None:
    assert backward(
        {},
        {"site_line": 7, "resolution": "registration"},
        {"site_line": 8, "resolution": "dispatch", "alternatives": 12},
    ) == [
        "direct:",
        "app/views.py:5  return find(key)  in Page.show",
        "by registration:",
        "app/views.py:7  return find(key)  in Page.show",
        "by override or callback (a site may mean up to 12 definitions):",
        "app/views.py:8  return find(key)  in Page.show",
    ]


def test_rows_further_away_are_a_group_of_their_own() -> None:
    found = backward({"resolution": "dispatch"}, {"distance": 2}, {"distance": 3})

    assert [line for line in found if line.endswith(":")][1:] == ["distance 2:", "distance 3:"]


def test_rows_of_several_sorts_that_are_mixed_have_theirs_behind_them() -> None:
    assert backward({"resolution": "dispatch"}, {"site_line": 6}, {"resolution": "dispatch"}) == [
        "app/views.py:5  return find(key)  in Page.show  [by override or callback]",
        "app/views.py:6  return find(key)  in Page.show",
        "app/views.py:5  return find(key)  in Page.show  [by override or callback]",
    ]


def test_direct_rows_alone_have_no_heading() -> None:
    assert len(backward({}, {"site_line": 6})) == 2


def test_headings_are_no_rows() -> None:
    lines = listing(walked({"resolution": "dispatch"}), is_backward=True)

    assert [line.rows for line in lines] == [0, 1]


def test_a_reference_is_shown_by_its_text_and_kind_and_open_ones_come_below_a_heading() -> None:
    columns = ("kind", "source", "path", "line", "code", "is_possible")
    rows: list[tuple[Cell, ...]] = [
        ("call", "fn:a.py:run", "a.py", 2, "save(1)", False),
        ("import", "mod:a.py", "a.py", 1, "from b import save", False),
        ("mention", "sec:a.md#use", "a.md", 3, "call `save`", False),
        ("call", "fn:a.py:run", "a.py", 9, "x.save()", True),
    ]

    found = [line.plain() for line in listing(Answer(columns, tuple(rows), 4))]

    assert found == [
        "a.py:2  save(1)  in run",
        "a.py:1  from b import save  at module level  (import)",
        "a.md:3  call `save`  in #use  (mention)",
        "possible (not resolved):",
        "a.py:9  x.save()  in run",
    ]


def test_an_override_has_both_places() -> None:
    found = nodes(
        id="fn:a.py:B.save", name="save", kind="function", path="a.py", line=9,
        overridden_id="fn:b.py:A.save", overridden_path="b.py", overridden_line=2,
    )  # fmt: skip

    assert found == ["a.py:9  B.save  overrides A's  b.py:2"]


def test_a_place_in_the_file_of_the_heading_is_a_line() -> None:
    lines = listing(walked({}, {"path": "b.py"}), is_backward=False, width=80)

    assert [line.plain() for line in lines] == [
        "app/views.py",
        "  5  return find(key)  -> Page.show  line 3",
        "  5  -> Page.show  b.py:3",
    ]


def test_members_that_override_the_same_one_name_it_once_above_them() -> None:
    row: dict[str, Cell] = {
        "id": "fn:a.py:B.save", "name": "save", "kind": "function", "path": "a.py", "line": 9,
        "overridden_id": "fn:b.py:A.save", "overridden_path": "b.py", "overridden_line": 2,
    }  # fmt: skip
    found = answer(row, {**row, "id": "fn:a.py:C.save", "line": 19}, columns=tuple(row))

    assert [line.plain() for line in listing(found)] == [
        "overriding A.save  b.py:2:",
        "a.py:9  B.save",
        "a.py:19  C.save",
    ]


def test_what_extends_a_class_is_not_told_on_each_row_how_it_depends() -> None:
    base: dict[str, Cell] = {"via": "inherits", "kind": "class", "name": "Page", "sites": 1}
    named = {**base, "site_line": 3, "code": "class Page(Base):", "id": "cls:app/views.py:Page"}
    unwritten = {**base, "site_path": None, "site_line": None, "code": None, "line": 30}

    assert backward(named, {**unwritten, "id": "cls:app/views.py:Other"}) == [
        "app/views.py:3  class Page(Base):",
        "app/views.py:30  class Other",
    ]


def test_a_ranking_on_a_narrow_terminal_has_names_and_files_and_not_why() -> None:
    row: dict[str, Cell] = {
        "id": "fn:src/main/java/com/example/deep/Reader.java:Reader.next", "kind": "function",
        "path": "src/main/java/com/example/deep/Reader.java", "line": 7, "score": 0.5,
        "why": "read: name, signature; number: docstring; string: around it",
    }  # fmt: skip
    other = {**row, "path": "b.java", "line": 1}
    rows = answer(row, other, {**row, "line": 9}, columns=tuple(row))

    narrow, wide = ([line.plain() for line in listing(rows, width=width)] for width in (60, 160))

    assert narrow[0] == "function Reader.next  src/main/java/com/…/Reader.java:7"
    assert "read: name" in wide[0]


def test_a_definition_has_its_kind_and_what_else_is_known() -> None:
    found = nodes(
        id="fn:a.py:save", name="save", kind="function", path="a.py", line=9,
        complexity=4, is_public=True, is_test=False, reason="name\nbegins so",
    )  # fmt: skip

    assert found == ["a.py:9  function save  complexity 4, public, name begins so"]


def test_a_section_is_named_by_its_heading_and_a_module_by_its_path() -> None:
    assert nodes(id="sec:a.md#use", kind="section", path="a.md", line=3) == ["a.md:3  section #use"]
    assert nodes(id="mod:a.py", kind="module", path="a.py", line=1) == ["a.py:1"]


LONG = {
    "site_path": f"{'deep/' * 40}views.py",
    "code": "x" * 300,
    "id": f"fn:app/views.py:{'Page' * 30}.show",
    "distance": 2,
    "from_id": f"fn:app/db.py:{'find' * 30}",
}


@pytest.mark.parametrize("width", [40, 80, 160])
@pytest.mark.parametrize("is_backward", [True, False])
def test_no_row_is_wider_than_the_terminal(*, width: int, is_backward: bool) -> None:
    found = walked({}, LONG, {**LONG, "path": LONG["site_path"], "resolution": "dispatch"})

    lines = list(listing(found, is_backward=is_backward, width=width))

    assert max(len(line.plain()) for line in lines if line.rows) <= width
    assert LONG["site_path"] in [line.plain() for line in lines]


def test_names_are_whole_before_source_text_is() -> None:
    name = f"fn:app/views.py:TestViews.test_{'long' * 15}"
    _, line = backward({"id": name, "code": "find(key)" * 9}, width=80)

    assert line == f"  5  in …test_{'long' * 15}"


def test_a_line_that_fits_the_terminal_is_whole() -> None:
    assert backward({}, width=80) == ["app/views.py", "  5  return find(key)  in Page.show"]


def test_the_source_text_loses_its_end_first() -> None:
    _, line = backward({"code": "return find(" + "k" * 200 + ")"}, width=80)

    assert line.startswith("  5  return find(kkk")
    assert line.endswith("…  in Page.show")


def test_rows_of_a_file_stand_below_its_path_once() -> None:
    found = backward({}, {"site_line": 6}, {"site_path": "b.py"}, width=80)

    assert found == [
        "app/views.py",
        "  5  return find(key)  in Page.show",
        "  6  return find(key)  in Page.show",
        "b.py",
        "  5  return find(key)  in Page.show",
    ]


def test_without_a_width_only_the_source_text_is_cut() -> None:
    [line] = backward({"code": "x" * 300})

    assert line == f"app/views.py:5  {'x' * 99}…  in Page.show"


@pytest.mark.parametrize("width", [None, 80])
def test_hidden_characters_are_shown_before_anything_is_measured(width: int | None) -> None:
    lines = backward({"code": "\x1b[31m\u202e" * 40, "site_path": "a\x1b.py"}, width=width)

    assert "\x1b" not in "".join(lines)
    assert "\u202e" not in "".join(lines)
    assert r"a\x1b.py" in lines[0]
    assert width is None or max(map(len, lines)) <= width


def test_each_part_of_a_line_has_its_role() -> None:
    [line] = listing(walked({"sites": 2}), is_backward=True)

    assert [part for part, _ in line.parts] == [
        Part.PATH, Part.LINE, Part.DETAIL, Part.TEXT, Part.NAME, Part.DETAIL,
    ]  # fmt: skip


def possible(*rows: tuple[Cell, ...], total: int) -> Answer:
    columns = ("source", "path", "line", "text", "reason", "candidates")
    return Answer(columns, rows, total)


def site(line: int, text: str = "x.save") -> tuple[Cell, ...]:
    return ("fn:a.py:run", "a.py", line, text, "ambiguous", 2)


def plain(lines: list[ListingLine]) -> list[str]:
    assert not any(line.rows for line in lines)
    return [line.plain() for line in lines]


def test_open_references_have_their_reason_and_the_rest_is_counted() -> None:
    found = plain(list(open_references(possible(*map(site, range(1, 6)), total=5))))

    assert found == [
        "possible (5 references not resolved):",
        "a.py:1  x.save  in run  (ambiguous)",
        "a.py:2  x.save  in run  (ambiguous)",
        "a.py:3  x.save  in run  (ambiguous)",
        "and 2 more",
    ]


def test_open_references_that_look_the_same_are_shown_once_and_counted() -> None:
    found = plain(list(open_references(possible(site(1), site(1), site(1, "y.save"), total=4))))

    assert found == [
        "possible (4 references not resolved):",
        "a.py:1  x.save  in run  (ambiguous)",
        "a.py:1  y.save  in run  (ambiguous)",
        "and 1 more",
    ]


def test_references_of_a_name_with_many_definitions_are_open_and_follow_those_with_few() -> None:
    rows = [(*site(1), 41), (*site(2, "x.store"), 1), (*site(3), 41)]
    found = Answer((*possible(total=0).columns, "definitions"), tuple(rows), 3)

    assert plain(list(open_references(found, more="mu callers save --possible"))) == [
        "possible (1 reference not resolved; 1 definition is named store):",
        "a.py:2  x.store  in run  (ambiguous)",
        "open (2 references not resolved; 41 definitions are named save):",
        "a.py:1  x.save  in run  (ambiguous)",
        "a.py:3  x.save  in run  (ambiguous)",
    ]


def test_open_references_that_are_not_shown_are_counted_by_themselves() -> None:
    rows = [*((*site(line), 1) for line in range(1, 5)), (*site(9, "x.get"), 41)]
    found = Answer((*possible(total=0).columns, "definitions"), tuple(rows), 5)

    lines = plain(list(open_references(found)))

    assert lines[0] == "possible (4 references not resolved; 1 definition is named save):"
    assert lines[-2:] == [
        "open (1 reference not resolved; 41 definitions are named get)",
        "and 2 more",
    ]


def test_the_command_that_lists_all_open_references_follows_the_first() -> None:
    found = possible(*map(site, range(1, 6)), total=5000)

    lines = plain(list(open_references(found, more="mu callers save --possible")))

    assert lines[-1] == "and 4,997 more: mu callers save --possible"


def test_an_open_reference_that_is_cut_keeps_its_name() -> None:
    found = possible(site(1, f"{'receiver.' * 20}save"), total=1)

    _, line = plain(list(open_references(found, width=60)))

    assert "save  in run" in line
    assert len(line) <= 60


def test_one_open_reference_is_one() -> None:
    found = plain(list(open_references(possible(site(1), total=1))))

    assert found[0] == "possible (1 reference not resolved):"
    assert len(found) == 2


def test_nothing_is_said_where_no_reference_is_open() -> None:
    assert list(open_references(possible(total=0))) == []


def test_open_references_fit_the_terminal() -> None:
    lines = open_references(possible(site(1, "very." * 60 + "long"), total=1), width=80)

    assert max(len(line.plain()) for line in lines) <= 80


@pytest.mark.parametrize(
    ("columns", "shown"),
    [
        (WALK, True),
        (("id", "name", "path", "line"), True),
        (("kind", "source", "path", "line", "code", "is_possible"), True),
        (("step", "id", "path", "line"), False),
        (("name", "complexity"), False),
    ],
)
def test_rows_with_a_place_can_be_listed(columns: tuple[str, ...], *, shown: bool) -> None:
    assert is_listing(Answer(columns, (), 0)) is shown


def test_definitions_at_one_site_share_its_line() -> None:
    field = {"id": "var:app/views.py:Page.first", "kind": "variable", "via": "uses"}
    lines = list(listing(walked({"id": "cls:app/views.py:Page"}, field), is_backward=True))

    assert plain_rows(lines) == [("app/views.py:5  return find(key)  in Page, Page.first", 2)]


def test_the_text_of_a_site_is_not_repeated_for_its_next_definition() -> None:
    assert forward({}, {"id": "fn:app/views.py:Page.hide"}) == [
        "app/views.py:5  return find(key)  -> Page.show  app/views.py:3",
        "app/views.py:5  -> Page.hide  app/views.py:3",
    ]


def test_a_class_statement_alone_is_the_line_of_a_subclass() -> None:
    row = {"id": "cls:app/views.py:Page", "name": "Page", "via": "inherits", "line": 5}

    assert backward({**row, "code": "class Page(View):"}) == ["app/views.py:5  class Page(View):"]


def test_a_text_that_is_cut_keeps_the_name_that_it_refers_to() -> None:
    [_, line] = backward({"code": f"first = {'x' * 40}, find(key), {'y' * 40}"}, width=60)

    assert "find(key)" in line
    assert len(line) <= 60


def test_wide_characters_count_for_the_columns_that_they_take() -> None:
    [_, line] = backward({"code": "\u691c\u7d22" * 40}, width=60)

    assert columns_of(line) in {59, 60}
    assert columns_of("\u691ce\u0301") == 3


def test_on_a_terminal_sites_of_a_file_are_in_the_order_of_its_lines() -> None:
    assert backward({"site_line": 9}, {"site_line": 5, "id": "fn:app/views.py:hide"}, width=80) == [
        "app/views.py",
        "  5  return find(key)  in hide",
        "  9  return find(key)  in Page.show",
    ]


def test_a_ranking_across_files_has_a_line_for_each_name_on_a_terminal() -> None:
    columns = ("id", "kind", "path", "line", "score")
    rows = [{"id": f"fn:{name}.py:run", "kind": "function", "path": f"{name}.py", "line": 1,
             "score": 1.0} for name in "abc"]  # fmt: skip
    lines = listing(answer(*rows, columns=columns), width=80)

    assert [line.plain() for line in lines] == [f"function run  {name}.py:1" for name in "abc"]


def plain_rows(lines: list[ListingLine]) -> list[tuple[str, int]]:
    return [(line.plain(), line.rows) for line in lines]


def test_below_the_files_what_is_outside_of_the_repository_has_a_heading_of_its_own() -> None:
    outside: dict[str, Cell] = {"id": "ext:json.loads", "name": "loads", "kind": "external",
                                "path": None, "line": None, "distance": 2}  # fmt: skip
    lines = listing(walked({}, outside), is_backward=False, width=80)

    assert [line.plain() for line in lines][3:] == [
        "distance 2:",
        "  json.loads  called at app/views.py:5  (through find)",
    ]


def test_a_site_says_how_many_definitions_the_type_of_its_receiver_allows() -> None:
    assert backward({"rule": "inferred", "alternatives": 4})[0].endswith("  (one of 4 targets)")


def test_a_class_and_its_constructor_are_no_choice() -> None:
    assert backward({"rule": "inferred", "alternatives": 2})[0].endswith("in Page.show")


def test_on_a_narrow_terminal_rows_further_away_have_their_names_and_no_text() -> None:
    lines = backward({"distance": 2}, width=80)

    assert lines[-1] == "  5  in Page.show  (through find)"
