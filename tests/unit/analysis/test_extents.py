"""Lines are those of the innermost function, and of the classes and the module around it."""

from mu.analysis.extents import Extent, covered_share, innermost

NESTED = (
    Extent("mod", "module", 1, 20),
    Extent("C", "class", 2, 12),
    Extent("C.m", "function", 3, 10),
    Extent("C.m.inner", "function", 5, 7),
    Extent("short", "function", 14, 14),
)


def test_a_line_is_shared_by_what_is_around_it_and_one_function() -> None:
    lines = {1: True, 2: True, 3: True, 4: True, 5: True, 6: False, 9: False, 14: True, 20: False}

    assert covered_share(NESTED, lines) == {
        "mod": 0.6667,
        "C": 0.6,
        "C.m": 0.6667,
        "C.m.inner": 0.0,
        "short": 1.0,
    }


def test_the_innermost_definition_of_a_line_is_the_shortest() -> None:
    assert [getattr(innermost(NESTED, line), "id", None) for line in (6, 5, 4, 11, 14, 30)] == [
        "C.m.inner", "C.m.inner", "C.m", "C", "short", None
    ]  # fmt: skip
