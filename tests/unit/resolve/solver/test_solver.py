import random

import pytest

from mu.resolve.limits import DEEPEST_QUERY, MOST_QUERIES, MOST_RESTARTS
from mu.resolve.pending import Pending
from mu.resolve.solver.solver import ParameterKey, Solver

Answer = tuple[str, ...]


class Questions:
    """Questions whose answers are their own names and the answers to others."""

    def __init__(self, needs: dict[str, tuple[str, ...]]) -> None:
        self.search = Solver()
        self.known: dict[str, Answer] = {}
        self.asked: list[str] = []
        self._needs = needs

    def ask(self, name: str) -> Answer:
        if name in self.known:
            return self.known[name]
        answer, is_final = self.search.solve(name, lambda: self._answer(name))
        if is_final:
            self.known[name] = answer
        return answer

    def _answer(self, name: str) -> Answer:
        self.asked.append(name)
        found = [name]
        for other in self._needs.get(name, ()):
            found += self.ask(other)
        return tuple(sorted(set(found)))


def test_an_answer_is_asked_for_once() -> None:
    questions = Questions({"a": ("b", "b")})

    answer = questions.ask("a")

    assert (answer, questions.asked) == (("a", "b"), ["a", "b"])


def test_equal_answers_are_kept_as_one_object() -> None:
    search = Solver()
    first, second = tuple("ab"), tuple("ab")

    assert search.shared(first, first) is search.shared(second, second)


def test_a_question_inside_its_own_answer_gives_nothing() -> None:
    questions = Questions({"a": ("a",)})

    assert questions.ask("a") == ("a",)


def test_an_answer_used_before_it_is_final_is_told() -> None:
    questions = Questions({"a": ("b",), "b": ("a",)})

    questions.ask("a")

    assert questions.search.unsettled == 1


def test_inside_a_circle_only_the_outermost_answer_is_kept() -> None:
    questions = Questions({"a": ("b",), "b": ("a",)})

    questions.ask("a")

    assert questions.known == {"a": ("a", "b")}


def test_what_is_kept_does_not_depend_on_where_the_asking_began() -> None:
    needs = {"a": ("b",), "b": ("c",), "c": ("a", "d")}
    answers = []
    for start in "abc":
        questions = Questions(needs)
        questions.ask(start)
        answers.append([questions.ask(name) for name in "abcd"])

    assert answers == [[("a", "b", "c", "d")] * 3 + [("d",)]] * 3


def test_what_stands_outside_the_circle_is_kept_at_once() -> None:
    questions = Questions({"a": ("b",), "b": ("a", "c")})

    questions.ask("a")

    assert questions.known["c"] == ("c",)


def chain(length: int) -> dict[str, tuple[str, ...]]:
    """Questions of which each asks the next one."""
    return {str(n): (str(n + 1),) for n in range(length - 1)}


def test_a_deep_chain_is_answered_whole() -> None:
    questions = Questions(chain(5 * DEEPEST_QUERY))

    answer = questions.ask("0")

    assert (len(answer), questions.search.depth_cuts) == (5 * DEEPEST_QUERY, 0)


def test_answers_of_a_deep_chain_do_not_depend_on_where_the_asking_began() -> None:
    needs = {**chain(3 * DEEPEST_QUERY), "side": ("100", "other"), "90": ("91", "side")}
    answers = []
    for start in ("0", "50", "100", "side"):
        questions = Questions(needs)
        questions.ask(start)
        answers.append([questions.ask(name) for name in needs])

    assert answers == [answers[0]] * 4
    assert "other" in answers[0][0]


def test_what_a_deep_chain_asks_on_the_way_is_asked_once() -> None:
    questions = Questions({**chain(2 * DEEPEST_QUERY), "0": ("side", "1")})

    questions.ask("0")

    assert questions.asked.count("side") == 1


def test_a_chain_without_end_is_cut_and_counted() -> None:
    questions = Questions(chain(20 * DEEPEST_QUERY))

    answer = questions.ask("0")

    assert (len(answer), questions.search.depth_cuts) == ((MOST_RESTARTS + 1) * DEEPEST_QUERY, 1)


def test_a_circle_longer_than_the_greatest_depth_is_cut_and_counted() -> None:
    length = 2 * DEEPEST_QUERY
    questions = Questions({**chain(length), str(length - 1): ("0",)})

    answer = questions.ask("0")

    assert len(answer) >= DEEPEST_QUERY
    assert questions.search.depth_cuts > 0
    assert questions.search.opened == {}


FIRST: ParameterKey = (1, 0)
SECOND: ParameterKey = (2, 0)


class Gathering:
    """Questions whose answers are what was gathered so far for a parameter."""

    def __init__(self, given: dict[str, ParameterKey]) -> None:
        self.search = Solver()
        self.gathered: dict[ParameterKey, str] = {}
        self.asked: list[str] = []
        self._given = given

    def ask(self, name: str) -> tuple[Answer, bool]:
        return self.search.solve(name, lambda: self._answer(name))

    def _answer(self, name: str) -> Answer:
        self.asked.append(name)
        need = self._given[name]
        self.search.depend_on_parameter(need)
        return (self.gathered.get(need, "nothing"),)


def test_an_answer_that_waits_is_not_final_and_told() -> None:
    gathering = Gathering({"a": FIRST})

    answer = gathering.ask("a")

    assert answer == (("nothing",), False)
    assert (gathering.search.unsettled, len(gathering.search.needed())) == (1, 1)


def test_an_answer_that_waits_is_kept_and_waits_for_the_same_again() -> None:
    gathering = Gathering({"a": FIRST})
    gathering.ask("a")
    gathering.search.needs.clear()

    answer = gathering.ask("a")

    assert (answer, gathering.asked) == ((("nothing",), False), ["a"])
    assert (gathering.search.unsettled, len(gathering.search.needed())) == (2, 1)


def test_an_answer_is_asked_for_again_once_what_it_waits_for_has_changed() -> None:
    gathering = Gathering({"a": FIRST})
    gathering.ask("a")
    gathering.gathered[FIRST] = "more"

    gathering.search.invalidate({FIRST})

    assert gathering.ask("a") == (("more",), False)
    assert gathering.asked == ["a", "a"]


def test_an_answer_is_kept_when_something_else_has_changed() -> None:
    gathering = Gathering({"a": FIRST})
    gathering.ask("a")

    gathering.search.invalidate({SECOND})
    gathering.ask("a")

    assert gathering.asked == ["a"]


def test_an_answer_that_waits_for_two_is_forgotten_with_either() -> None:
    for changed in (FIRST, SECOND):
        gathering = Gathering({"a": FIRST, "b": SECOND})
        search, asked = gathering.search, gathering.asked

        def both(gathering: Gathering = gathering) -> Answer:
            gathering.asked.append("both")
            return (*gathering.ask("a")[0], *gathering.ask("b")[0])

        search.solve("both", both)
        gathering.gathered[changed] = "more"
        search.invalidate({changed})
        search.solve("both", both)

        assert asked.count("both") == 2


def test_a_question_asked_by_one_that_waits_makes_that_one_wait() -> None:
    gathering = Gathering({"a": FIRST})
    search = gathering.search

    answer = search.solve("outer", lambda: gathering.ask("a")[0])

    assert answer == (("nothing",), False)
    gathering.gathered[FIRST] = "more"
    search.invalidate({FIRST})
    assert search.solve("outer", lambda: gathering.ask("a")[0]) == (("more",), False)


def test_when_all_is_gathered_what_is_kept_is_final() -> None:
    gathering = Gathering({"a": FIRST})
    gathering.ask("a")

    gathering.search.finish()

    assert gathering.ask("a") == (("nothing",), True)
    assert gathering.asked == ["a"]


def test_when_all_is_gathered_nothing_waits() -> None:
    gathering = Gathering({"a": FIRST})
    gathering.search.finish()

    answer = gathering.ask("a")

    assert answer == (("nothing",), True)
    assert (gathering.search.unsettled, gathering.search.needs) == (0, [])


def test_completing_drops_what_was_needed() -> None:
    search = Solver()
    search.depend_on_parameter(FIRST)

    search.finish()

    assert search.needs == []


def test_an_answer_is_kept_with_what_was_needed_since() -> None:
    search = Solver()
    search.depend_on_parameter(FIRST)
    since = len(search.needs)
    search.depend_on_parameter(SECOND)
    search.depend_on_parameter(SECOND)
    kept = Pending(), Pending()

    search.keep(kept[0], ("value",), since=since)
    search.keep(kept[1], ("value",), since=since)

    assert (kept[0].answer, len(kept[0].needs)) == (("value",), 1)
    assert kept[1].needs == (kept[0],)
    assert (search.unsettled, len(search.needs)) == (2, 2)


def test_what_is_needed_is_told_once() -> None:
    search = Solver()
    for need in (FIRST, SECOND, SECOND, FIRST):
        search.depend_on_parameter(need)

    assert len(search.needed()) == 2


def test_what_needs_an_answer_that_stays_the_same_is_not_asked_for_again() -> None:
    gathering = Gathering({"a": FIRST})
    search, asked = gathering.search, gathering.asked

    def same() -> Answer:
        gathering.ask("a")
        asked.append("same")
        return ("same",)

    def outer() -> Answer:
        asked.append("outer")
        return search.solve("same", same)[0]

    search.solve("outer", outer)
    gathering.gathered[FIRST] = "more"
    search.invalidate({FIRST})

    assert search.solve("outer", outer) == (("same",), False)
    assert [asked.count(name) for name in ("a", "same", "outer")] == [2, 2, 1]


def test_what_is_in_doubt_when_all_is_gathered_is_asked_for_again() -> None:
    gathering = Gathering({"a": FIRST, "b": SECOND})
    gathering.ask("a")
    gathering.ask("b")
    gathering.search.invalidate({FIRST})

    gathering.search.finish()
    answers = gathering.ask("a"), gathering.ask("b")

    assert answers == ((("nothing",), True), (("nothing",), True))
    assert gathering.asked == ["a", "b", "a"]


def test_a_circle_that_waits_is_forgotten_as_a_whole() -> None:
    gathering = Gathering({"given": FIRST})
    search = gathering.search
    asked: list[str] = []

    def ask(name: str) -> Answer:
        return search.solve(name, lambda: answer(name))[0]

    def answer(name: str) -> Answer:
        asked.append(name)
        other = "b" if name == "a" else "a"
        return tuple(sorted({*ask(other), *gathering.ask("given")[0]}))

    assert ask("a") == ("nothing",)
    gathering.gathered[FIRST] = "more"
    search.invalidate({FIRST})

    assert (ask("a"), ask("b")) == (("more",), ("more",))
    assert asked.count("a") >= 2


def test_a_chain_that_becomes_a_circle_is_answered_once_in_an_iteration() -> None:
    gathering = Gathering({"given": FIRST})
    search = gathering.search
    last = 9
    asked: list[int] = []

    def ask(number: int) -> Answer:
        return search.solve(number, lambda: answer(number))[0]

    def answer(number: int) -> Answer:
        asked.append(number)
        if number < last:
            return ask(number + 1)
        given = gathering.ask("given")[0]
        return (*given, *ask(0)) if given == ("circle",) else given

    ask(0)
    gathering.gathered[FIRST] = "circle"
    search.invalidate({FIRST})

    assert ask(0) == ("circle",)
    assert sorted(asked) == sorted([*range(last + 1)] * 2)


def test_after_too_much_work_every_answer_counts_as_final() -> None:
    names = [str(n) for n in range(MOST_QUERIES + 10)]
    questions = Questions({"top": (*names, "a"), "a": ("b",), "b": ("a",)})

    questions.ask("top")

    assert "b" in questions.known


class LimitedQuestions(Questions):
    """Questions with too many answers have none, as points-to sets of too many values."""

    def _answer(self, name: str) -> Answer:
        self.asked.append(name)
        found = [name]
        for other in self._needs.get(name, ()):
            found += [f"{one}'" if one.count("'") < 2 else one for one in self.ask(other)]
        names = tuple(sorted(set(found)))
        return names if len(names) <= 4 else ()


@pytest.mark.parametrize(("size", "share"), [(3, 0.4), (5, 0.3), (8, 0.2), (12, 0.15)])
def test_answers_in_cycles_do_not_depend_on_which_question_comes_first(
    size: int, share: float
) -> None:
    names = [chr(ord("a") + number) for number in range(size)]
    for seed in range(150):
        chance = random.Random(seed)
        needs = {one: tuple(b for b in names if chance.random() < share) for one in names}
        found = []
        for first in range(size):
            questions = LimitedQuestions(needs)
            for name in (*names[first:], *names[:first]):
                questions.ask(name)
            found.append(questions.known)
        assert found == [found[0]] * size, needs


def test_a_provisional_answer_is_not_final_for_a_question_asked_after_it() -> None:
    # `d` depends on `a` while that is open, and `b` on `d` when `a` has been left
    needs = {"c": ("a", "b"), "a": ("c", "d"), "d": ("a",), "b": ("d",)}
    questions = Questions(needs)

    questions.ask("c")

    assert questions.known["b"] == ("a", "b", "c", "d")
