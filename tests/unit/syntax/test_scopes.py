import pytest

from mu.syntax.scopes import Region, RegionMap

#          01234567890123456789
TEXT = "..((a)..[b{c}]).(d)."


def regions_of(text: str) -> list[Region]:
    """The regions of a text in brackets: the text itself, then each bracket as it closes."""
    found, opened = [(0, len(text))], []
    for place, letter in enumerate(text):
        if letter in "([{":
            opened.append(place)
        elif letter in ")]}":
            found.append((opened.pop(), place + 1))
    return found


def innermost(regions: list[Region], byte: int) -> Region | None:
    """What a look at every region says."""
    holding = [region for region in regions if region[0] <= byte < region[1]]
    return min(holding, key=lambda region: region[1] - region[0], default=None)


@pytest.mark.parametrize("byte", range(-1, len(TEXT) + 1))
def test_byte_is_in_the_innermost_region_around_it(byte: int) -> None:
    regions = regions_of(TEXT)
    region_map = RegionMap(regions)

    number = region_map.at(byte)

    found = None if number < 0 else regions[region_map.order[number]]
    assert found == innermost(regions, byte)


def test_regions_are_numbered_in_the_order_of_the_text() -> None:
    region_map = RegionMap([(8, 9), (0, 20), (2, 6), (3, 4), (8, 12)])

    assert region_map.order == [1, 2, 3, 4, 0]
    assert region_map.parents == [-1, 0, 1, 0, 3]


def test_regions_that_touch_are_apart() -> None:
    region_map = RegionMap([(0, 2), (2, 4)])

    assert [region_map.at(byte) for byte in range(-1, 5)] == [-1, 0, 0, 1, 1, -1]
    assert region_map.parents == [-1, -1]


def test_equal_regions_lie_in_each_other() -> None:
    region_map = RegionMap([(1, 3), (1, 3)])

    assert region_map.parents == [-1, 0]
    assert [region_map.at(byte) for byte in range(5)] == [-1, 1, 1, -1, -1]


def test_no_regions_hold_no_byte() -> None:
    assert RegionMap([]).at(0) == -1


def test_a_hundred_thousand_regions_inside_each_other_do_no_harm() -> None:
    count = 100_000

    region_map = RegionMap([(n, 2 * count - n) for n in range(count)])

    assert region_map.at(count) == count - 1
    assert region_map.at(2 * count - 1) == 0
