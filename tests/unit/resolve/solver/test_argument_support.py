from mu.model.kinds import Rule
from mu.resolve.abstract_values import INSTANCE, Value
from mu.resolve.limits import MOST_VALUES
from mu.resolve.solver.argument_support import (
    NO_PASSER,
    UNKNOWN,
    UNSUPPORTED,
    carried,
    exceeding_iteration,
    files_of,
    first_passer,
    found_until,
    is_as_found,
    iteration_of,
    passed_at_once,
    passer,
    passing_file,
    passing_iteration,
    supported,
    supported_also,
)
from mu.resolve.solver.solver import ParameterKey


def passed_by(*files: int, iteration: int = 0, later: tuple[int, ...] = ()) -> int:
    """The support of an argument that files pass in an iteration, and some `later` on."""
    support = supported(iteration, files[0])
    for file in files[1:]:
        support = supported_also(support, file, iteration=iteration)
    for file in later:
        support = supported_also(support, file, iteration=iteration + 1)
    return support


def value(number: int) -> Value:
    return INSTANCE, number, Rule.INFERRED


def test_the_iteration_and_up_to_three_files_are_kept() -> None:
    support = passed_by(0, 70_000, 12, iteration=4)

    assert (iteration_of(support), files_of(support)) == (4, (0, 70_000, 12))
    assert support < 2**64


def test_a_file_that_passes_it_again_counts_once() -> None:
    assert files_of(passed_by(5, 6, 5, 6)) == (5, 6)


def test_of_more_files_it_is_not_known_which() -> None:
    assert files_of(passed_by(1, 2, 3, 4)) is None
    assert files_of(passed_by(1, later=(2, 3, 4))) is None


def test_a_file_with_too_great_a_key_is_not_told() -> None:
    assert files_of(passed_by(2**19)) is None


def test_it_holds_while_a_file_that_passed_it_first_was_not_altered() -> None:
    support = passed_by(1, 2)

    assert is_as_found(support, {1})
    assert not is_as_found(support, {1, 2})


def test_files_that_passed_it_later_on_do_not_hold_it_up() -> None:
    support = passed_by(1, later=(2,))

    assert files_of(support) == (1, 2)
    assert not is_as_found(support, {1})


def test_what_an_update_found_has_no_support() -> None:
    support = supported(UNKNOWN, 3)

    assert not is_as_found(support, set())
    assert files_of(support) is None


def test_support_goes_with_the_value() -> None:
    before, after = (value(1), value(2)), (value(2), value(3))

    assert carried((10, 20), before, after=after) == (20, UNSUPPORTED)


def test_what_was_found_until_an_iteration_has_files_that_were_not_altered() -> None:
    need: ParameterKey = (7, 0)
    points_to = {need: (value(1), value(2), value(3))}
    supports = {need: (passed_by(1), passed_by(2), passed_by(3, iteration=2))}

    assert found_until(0, points_to, supports=supports, altered={2}) == {need: (value(1),)}
    assert found_until(2, points_to, supports=supports, altered={1, 2, 3}) == {}


def test_a_passer_says_in_which_iteration_it_passed_the_value_first() -> None:
    first, later = passer(7, iteration=0), first_passer(supported(2, 7))

    assert [passing_file(one) for one in (first, later, NO_PASSER)] == [7, 7, -1]
    assert [passed_at_once(one) for one in (first, later, NO_PASSER)] == [True, False, False]
    assert [passing_iteration(one) for one in (first, later, NO_PASSER)] == [0, 2, UNKNOWN]
    assert first_passer(UNSUPPORTED) == NO_PASSER


def test_a_parameter_exceeds_the_limit_in_the_iteration_of_the_first_value_beyond_it() -> None:
    passers = [passer(1, iteration=0)] * MOST_VALUES + [passer(2, iteration=3)]

    assert exceeding_iteration([*passers, NO_PASSER]) == 3
    assert exceeding_iteration(passers[:-1]) == UNKNOWN
