"""What a change of parameters breaks, for callers by name and by position."""

import pytest

from mu.analysis.review.call_text import Arguments, misfit, read_arguments
from mu.analysis.review.parameters import Parameter, breaks, read_parameters, written_parameters


def named(text: str) -> tuple[Parameter, ...]:
    texts = written_parameters(f"def f({text})", "f")
    assert texts is not None
    return read_parameters(texts, takes_keywords=True, has_receiver=False)


def placed(*texts: str) -> tuple[Parameter, ...]:
    return read_parameters(texts, takes_keywords=False, has_receiver=False)


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("a, b", "a, b", []),
        ("a, b", "a, b, c=1, *, d=2", []),
        ("a, b", "a, b, *more, **others", []),
        ("a: int", "a: str", []),
        ("a, b", "a", ["parameter b was removed"]),
        ("a, b", "a, *more, **others", []),
        ("a, *, b=1", "a, **others", []),
        ("a, b", "a, c", ["parameter b was renamed to c"]),
        ("a, b, /", "a, c, /", []),
        ("a", "a, b", ["new parameter b is required"]),
        ("a, *, k=1", "a, *, k", ["parameter k is required now"]),
        ("a, b=1", "a, *, b=1", ["parameter b is given by name only now"]),
        ("a, b", "a, b, /", [f"parameter {x} is given by position only now" for x in "ab"]),
        ("a, b", "b, a", ["parameter a has another position: 1, now 2"]),
        ("a, b=1", "a, c=0, b=1", ["parameter b has another position: 2, now 3"]),
        ("a, *more", "a", ["takes no further arguments: *more was removed"]),
        ("a, *more", "a, b=1, *more", ["new parameter b takes an argument of *more"]),
        ("a, **others", "a", ["takes no further keywords: **others was removed"]),
    ],
)
def test_callers_by_name_break(before: str, after: str, said: list[str]) -> None:
    assert list(breaks(named(before), named(after))) == said


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        (["int a"], ["int b"], []),
        (["a int"], ["a int", "more ...string"], []),
        (["a: string"], ["a: string", "b?: string"], []),
        (["int a"], ["int a", "int b"], ["needs 2 arguments, and needed 1"]),
        (["a: u8", "b: u8"], ["a: u8"], ["takes at most 1 argument, and took 2"]),
        (["a: u8"], ["a: u16"], ["parameter 1 was `a: u8` and is `a: u16`"]),
        (["final String s"], ["final Object s"], ["parameter 1 was `final String s` and is "]),
    ],
)
def test_callers_by_position_break(before: list[str], after: list[str], said: list[str]) -> None:
    found = list(breaks(placed(*before), placed(*after)))

    assert len(found) == len(said)
    assert all(one.startswith(start) for one, start in zip(found, said, strict=True))


def test_defaults_and_types_may_hold_commas_and_brackets() -> None:
    found = named("a: dict[str, int] = {'x': (1, 2)}, b=',)', *, c: t.Callable[[int], str]")

    optional = {one.name: one.is_optional for one in found}
    assert optional == {"a": True, "b": True, "c": False}


@pytest.mark.parametrize(
    ("source", "callee", "expected"),
    [
        ("f()", "f", Arguments(0, (), has_more=False)),
        ("f(1, k=2)", "f", Arguments(1, ("k",), has_more=False)),
        ("x = self.f(a == b, 'k=1, (', [1, 2])", "self.f", Arguments(3, (), has_more=False)),
        ("f(*some, **more)", "f", Arguments(0, (), has_more=True)),
        ("f(\n    1,  # one, (\n    # two\n    k={'a': 1},\n)", "f", Arguments(1, ("k",), False)),
        ("f('''a\n)''', 2)", "f", Arguments(2, (), has_more=False)),
    ],
)
def test_arguments_are_read_from_the_text(source: str, callee: str, expected: Arguments) -> None:
    assert read_arguments(source.split("\n"), 1, callee=callee, takes_keywords=True) == (expected,)


def test_calls_that_do_not_end_or_are_of_another_name_are_not_read() -> None:
    for source in ("f(1,", "gf(1)", "f = 1", "# nothing"):
        assert read_arguments([source], 1, callee="f", takes_keywords=True) == ()


@pytest.mark.parametrize(
    ("parameters", "call", "why"),
    [
        ("a, b=1", Arguments(1, (), has_more=False), ""),
        ("a, b=1", Arguments(0, ("a",), has_more=False), ""),
        ("a, b", Arguments(1, (), has_more=True), ""),
        ("*more, **others", Arguments(7, ("x",), has_more=False), ""),
        ("", Arguments(1, (), has_more=False), "passes 1 argument by position, where 0 are taken"),
        ("a", Arguments(1, ("b",), has_more=False), "passes b, which is not taken"),
        ("a", Arguments(1, ("a",), has_more=False), "passes a twice"),
        ("a, b", Arguments(1, (), has_more=False), "does not pass b"),
        ("a, *, k", Arguments(1, (), has_more=False), "does not pass k"),
    ],
)
def test_a_call_fits_or_says_why_not(parameters: str, call: Arguments, why: str) -> None:
    assert misfit(call, named(parameters)) == why
