from mu.resolve.search import DEEPEST, Search

Answer = tuple[str, ...]


class Questions:
    """Questions whose answers are their own names and the answers to others."""

    def __init__(self, needs: dict[str, tuple[str, ...]]) -> None:
        self.search = Search()
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


def test_a_chain_too_deep_is_cut_and_counted() -> None:
    questions = Questions({str(n): (str(n + 1),) for n in range(2 * DEEPEST)})

    answer = questions.ask("0")

    assert (len(answer), questions.search.limited) == (DEEPEST, 1)
