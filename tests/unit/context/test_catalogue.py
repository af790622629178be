"""Discovery is small and without parameters, planning whole and of the chosen alone."""

import pytest

from mu.context import (
    Component,
    Parameter,
    build_context,
    build_discovery_context,
    build_planning_context,
)


def component(number: int, group: str = "shop") -> Component:
    return Component(
        id=f"fn:{group}/m{number}.py:pay_{number}",
        name=f"pay_{number}",
        kind="function",
        group=group,
        description=f"Pay number {number}.\n\nWith a second paragraph.",
        signature=f"def pay_{number}(card: Card)",
        place=f"{group}/m{number}.py:1",
        parameters=(Parameter("card", "Card", "PARAMETER TEXT"),),
        inputs="{card: {number: str}}",
        outputs="{ok: bool, notes: [str]}",
    )


WORKFLOW = Component(
    "impact-report", "impact-report", "workflow", "workflows", "What a change hits."
)


def test_components_are_grouped_and_counted_with_a_line_each() -> None:
    text = build_discovery_context([component(1), component(2), component(3, "web")], [WORKFLOW])
    assert text.splitlines() == [
        "## workflows: 1 workflow",
        "workflow impact-report [impact-report]: What a change hits.",
        "## shop: 2 functions",
        "function pay_1 [fn:shop/m1.py:pay_1]: Pay number 1.",
        "function pay_2 [fn:shop/m2.py:pay_2]: Pay number 2.",
        "## web: 1 function",
        "function pay_3 [fn:web/m3.py:pay_3]: Pay number 3.",
    ]


@pytest.mark.parametrize("count", [100, 500, 1_000, 20_000])
@pytest.mark.parametrize("folders", [1, 7, 5_000])
def test_a_discovery_stays_under_50_kilobytes_and_has_no_parameters(
    count: int, folders: int
) -> None:
    catalogue = [component(n, f"shop/part{n % folders}") for n in range(count)]
    text = build_discovery_context(catalogue)
    assert len(text.encode()) < 50_000
    assert "PARAMETER TEXT" not in text
    assert "Card" not in text
    if count == 100:
        assert text.count("function pay_") == 100
    if count == 1_000 and folders == 7:
        assert text.count(" more\n") == 7


def test_nothing_gives_nothing() -> None:
    assert build_discovery_context([]) == ""


def test_planning_has_the_chosen_alone_in_their_order() -> None:
    catalogue = [component(n) for n in range(4)]
    found = build_planning_context(
        [catalogue[2].id, catalogue[0].id], catalogue, saved_workflows=[WORKFLOW]
    )
    assert found.unknown == ()
    assert found.text.index("pay_2") < found.text.index("pay_0")
    assert "pay_1" not in found.text
    assert "impact-report" not in found.text


def test_an_interface_is_whole_with_structures_as_shape_and_as_paths() -> None:
    found = build_planning_context(["fn:shop/m1.py:pay_1"], [component(1)])
    assert found.text.splitlines() == [
        "## function pay_1 [fn:shop/m1.py:pay_1]",
        "at shop/m1.py:1",
        "Pay number 1.",
        "",
        "With a second paragraph.",
        "def pay_1(card: Card)",
        "- card: Card - PARAMETER TEXT",
        "inputs: {card: {number: str}}",
        "  card: dict",
        "  card.number: str",
        "outputs: {ok: bool, notes: [str]}",
        "  ok: bool",
        "  notes: list",
        "  notes[]: str",
    ]


def test_a_workflow_is_marked_as_one() -> None:
    text = build_planning_context(["impact-report"], [], saved_workflows=[WORKFLOW]).text
    assert text.startswith("## workflow impact-report [impact-report]\n")


def test_an_unknown_id_is_a_value_with_near_ones() -> None:
    found = build_planning_context(["pay_7", "zzz"], [component(1), component(2)])
    assert found.text == ""
    assert [each.id for each in found.unknown] == ["pay_7", "zzz"]
    assert set(found.unknown[0].nearest) == {"fn:shop/m1.py:pay_1", "fn:shop/m2.py:pay_2"}
    assert found.unknown[1].nearest == ()


def test_all_at_once_is_what_planning_shows_of_everything() -> None:
    catalogue = [component(1), component(2)]
    every = build_planning_context([each.id for each in catalogue], catalogue).text
    assert build_context(catalogue) == every
