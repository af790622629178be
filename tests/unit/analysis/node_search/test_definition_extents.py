"""Lines are those of the innermost function, and of the classes and the module around it."""

from mu.analysis.node_search.definition_extents import Extent, covered_share, function_at, innermost

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


def test_a_profiler_means_the_function_of_that_name_around_or_behind_a_line() -> None:
    extents = (
        Extent("mod:a", "module", 1, 40),
        Extent("fn:a:C.run", "function", 5, 9),
        Extent("fn:a:run", "function", 12, 20),
        Extent("fn:a:run~2", "function", 25, 30),
    )

    def found(line: int, name: str) -> str:
        return getattr(function_at(extents, line, name=name), "id", "")

    assert found(5, "run") == found(7, "C.run") == "fn:a:C.run"
    assert found(22, "run") == "fn:a:run~2"
    assert found(1, "<module>") == "mod:a"
    assert found(14, "<listcomp>") == "fn:a:run"
    assert found(14, "<lambda>") == "fn:a:run"
    assert found(35, "run") == found(14, "stop") == found(3, "<genexpr>") == ""
