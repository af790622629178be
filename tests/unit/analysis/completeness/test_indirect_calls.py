"""Uses of what is not named there: no callers, and no subclasses, of it are exact."""

from pathlib import Path

import pytest

from fakes.built import built_tree
from mu.languages.dispatch import CALL_METHODS, IMPLICIT_INTERFACES
from mu.languages.loading import load_rules
from mu.model.kinds import Verdict
from mu.operations.architecture.dead_code import unused
from mu.operations.navigation.dependencies import callers
from mu.operations.navigation.members import subclasses
from mu.syntax import load_manifests

PYTHON = """
class Required:
    def __call__(self, value):
        return value


class Worker:
    def stored(self): ...
    def renamed(self): ...
    def called(self): ...


class Task:
    def __init__(self, worker: Worker):
        self.update = worker.stored


def check(validators, value):
    for validator in validators:
        validator(value)


def start(worker: Worker):
    refresh = worker.renamed
    refresh()


def again(job):
    job.refresh()


def direct(worker: Worker):
    worker.stored()
    worker.renamed()
    worker.called()
    Required()("a")
"""

VARIABLE_CLASSES = """
class Base:
    def run(self): ...


class Child(Base):
    def run(self): return 1


class Plain:
    def run(self): ...


class Below(Plain):
    def run(self): return 1


def register(kind: type[Base]):
    go(kind)


register(Child)


def go(kind):
    kind().run()


def plain():
    Plain().run()
"""

MADE_IN_TESTS = """
from shapes import Below, Child


def test_both():
    assert (Child(), Below())
"""

GO = """
package main

import "github.com/flags/flags"

type level struct{}

func (l level) Set(text string) error { return nil }
func (l level) Kind() string { return "level" }
func (l level) Lower() {}

func main() {
	one := flags.Lookup("level")
	println(one.Value.Kind())
}
"""

COMPUTED = """
class View:
    def dispatch(self, request):
        if request.method in ("GET", "POST"):
            handler = getattr(self, request.method.lower(), self.refuse)
        else:
            handler = self.refuse
        return handler(request)

    def refuse(self, request): ...


class Page(View):
    def __init__(self): ...
    def get(self, request): ...


class Other:
    def get(self, request): ...


class Machine:
    def step(self, name):
        getattr(self, name)()

    def fixed(self):
        getattr(self, "start")()

    def start(self): ...


def go(request):
    Page().dispatch(request)
"""

COMPUTED_MEMBERS = """
class Store {
    [key: string]: any;
    apply(kind: string) { this[kind](); }
}
class Cart extends Store {
    add() {}
    #total() {}
}
const commands = { start() {} };
export function run(name: string) { commands[name](); new Cart().apply(name); }
"""


@pytest.mark.parametrize(
    ("function", "open_calls"),
    [
        ("Required.__call__", ["validator"]),
        ("Worker.renamed", ["job.refresh"]),
        ("Worker.called", []),
    ],
)
def test_unresolved_calls_under_another_name_are_possible(
    tmp_path: Path, function: str, open_calls: list[str]
) -> None:
    with built_tree(tmp_path, {"app.py": PYTHON}) as workspace:
        found = callers(workspace, function)

    assert found.answer.total
    assert found.answer.verdict is (Verdict.AT_LEAST if open_calls else Verdict.EXACT)
    assert found.possible is not None
    assert [row[3] for row in found.possible.rows] == open_calls


def test_one_call_does_not_say_what_runs_a_function_that_is_stored(tmp_path: Path) -> None:
    with built_tree(tmp_path, {"app.py": PYTHON}) as workspace:
        answer = callers(workspace, "Worker.stored").answer

    assert (answer.total, answer.verdict) == (1, Verdict.AT_LEAST)
    assert "it is passed on as a value at app.py:15" in " ".join(answer.notes)


@pytest.mark.parametrize(
    ("method", "open_calls"), [("Child.run", ["kind().run"]), ("Below.run", [])]
)
def test_a_class_held_by_a_variable_may_be_a_subclass(
    tmp_path: Path, method: str, open_calls: list[str]
) -> None:
    files = {"shapes.py": VARIABLE_CLASSES, "test_shapes.py": MADE_IN_TESTS}
    with built_tree(tmp_path, files) as workspace:
        found = callers(workspace, method)

    assert found.answer.verdict is (Verdict.AT_LEAST if open_calls else Verdict.EXACT)
    assert found.possible is not None
    assert [row[3] for row in found.possible.rows] == open_calls


@pytest.mark.parametrize(
    ("method", "open_calls"),
    [
        ("Page.get", ["handler"]),
        ("View.dispatch", []),
        ("View.refuse", []),
        ("Page.__init__", []),
        ("Other.get", []),
        ("Machine.start", ["getattr()"]),
        ("Machine.step", []),
        ("Cart.add", ["this[]"]),
        ("Store.apply", []),
        ("Cart.#total", []),
        ("commands.start", []),
    ],
)
def test_a_member_called_by_a_computed_name_may_be_any_of_its_class(
    tmp_path: Path, method: str, open_calls: list[str]
) -> None:
    files = {"app.py": COMPUTED, "app.ts": COMPUTED_MEMBERS}
    with built_tree(tmp_path, files) as workspace:
        found = callers(workspace, method)

    assert found.answer.verdict is (Verdict.AT_LEAST if open_calls else Verdict.EXACT)
    assert found.possible is not None
    assert [row[3] for row in found.possible.rows] == open_calls


def test_a_member_called_by_a_computed_name_may_be_used(tmp_path: Path) -> None:
    with built_tree(tmp_path, {"app.py": COMPUTED, "app.ts": COMPUTED_MEMBERS}) as workspace:
        found = unused(workspace)

    names = {str(row[0]) for row in found.answer.rows}
    assert not any(name.endswith(("Page.get", "Machine.start", "Cart.add")) for name in names)
    assert "cls:app.py:Other" in names


@pytest.mark.parametrize(("method", "verdict"), [("Kind", "at least"), ("Lower", "exact")])
def test_an_interface_of_a_module_that_is_not_there_may_have_a_method(
    tmp_path: Path, method: str, verdict: str
) -> None:
    with built_tree(tmp_path, {"main.go": GO, "go.mod": "module app\n"}) as workspace:
        answer = callers(workspace, f"level.{method}").answer

    assert (answer.total, answer.verdict) == (0, Verdict(verdict))


def test_the_methods_that_calls_run_are_those_of_the_semantics() -> None:
    rules = load_rules([*load_manifests()])
    known = {name: one.calls.call_method for name, one in rules.items() if one.calls.call_method}

    assert dict(CALL_METHODS) == known
    assert set(rules) > IMPLICIT_INTERFACES


def test_traits_that_a_macro_names_may_be_implemented_by_its_expansions(tmp_path: Path) -> None:
    source = """
pub trait Shape {}
pub trait Other {}
pub struct Dot;
macro_rules! shaped { ($t:ty) => { impl Shape for $t {} } }
shaped!(Dot);
"""
    files = {"Cargo.toml": '[package]\nname = "x"\n', "src/lib.rs": source}
    with built_tree(tmp_path, files) as workspace:
        named, other = subclasses(workspace, "Shape"), subclasses(workspace, "Other")

    assert (named.answer.total, named.answer.verdict) == (0, Verdict.AT_LEAST)
    assert named.possible is not None
    assert [row[0] for row in named.possible.rows] == ["fn:src/lib.rs:shaped"]
    assert other.answer.verdict is Verdict.EXACT
