"""No binding that may reach a use is lost: programs are run, and each call must be an edge."""

import random
import sys
from collections.abc import Iterator
from types import CodeType, FrameType

from hypothesis import given
from hypothesis import strategies as st

from mu.languages.loading import load_rules
from mu.model.graph import File, Graph
from mu.model.kinds import Category, EdgeKind
from mu.resolve import ProgramText, link
from mu.syntax import Extractor
from support.examples import examples

NAMES = ("a", "b", "c")
CLASSES = ("One", "Two", "Three")
HEAD = "\n".join(
    f"class {name}({base}):\n    def ping(self): pass"
    for name, base in (("One", ""), ("Two", ""), ("Three", "One"))
)
MOST_LINES = 400  # of a run, after which a program is stopped


@st.composite
def blocks(draw: st.DrawFn, depth: int = 3) -> list[str]:
    """The lines of a block of statements that bind names, test them, and call a method of them."""
    lines: list[str] = []
    for _ in range(draw(st.integers(1, 4))):
        kinds = ["bind", "call", "copy", "swap", "end"] + ["nest"] * 3 * (depth > 0)
        lines += draw(statements(draw(st.sampled_from(kinds)), depth))
    return lines


@st.composite
def statements(draw: st.DrawFn, kind: str, depth: int) -> list[str]:
    name, other = draw(st.sampled_from(NAMES)), draw(st.sampled_from(NAMES))
    made = draw(st.sampled_from(CLASSES))
    if kind == "bind":
        return [f"{name} = {made}()"]
    if kind == "copy":
        return [f"{name} = {other}"]
    if kind == "swap":
        return [f"{name}, {other} = {other}, {name}"]
    if kind == "call":
        return [f"{name}.ping()"]
    if kind == "end":
        ends = ["pass", "return", "if flip(): break", "if flip(): continue", "raise ValueError"]
        return [draw(st.sampled_from(ends))]
    return draw(nested(name, made, depth - 1))


@st.composite
def nested(draw: st.DrawFn, name: str, made: str, depth: int) -> list[str]:
    def block() -> list[str]:
        return [f"    {line}" for line in draw(blocks(depth))]

    check = f"isinstance({name}, {made})"
    tests = ["flip()", check, f"not {check}", f"flip() and {check}", f"{check} or flip()"]
    test = draw(st.sampled_from(tests))
    forms = {
        "if": lambda: [f"if {test}:", *block()],
        "else": lambda: [f"if {test}:", *block(), "else:", *block()],
        "elif": lambda: [f"if {test}:", *block(), "elif flip():", *block(), "else:", *block()],
        "while": lambda: [f"while flip() and {test}:", *block()],
        "for": lambda: [f"for {name} in ({made}(), One()):", *block()],
        "try": lambda: [
            *("try:", *block(), "    flip(True)", "except ValueError:", *block()),
            *("else:", *block(), "finally:", *block()),
        ],
        "with": lambda: ["with quiet():", *block(), "    flip(True)"],
        "match": lambda: [
            *(f"match {name}:", f"    case {made}():", *[f"    {one}" for one in block()]),
            *("    case _:", *[f"    {one}" for one in block()]),
        ],
    }
    return forms[draw(st.sampled_from(sorted(forms)))]()


def program(lines: list[str]) -> str:
    """A file with a function of these lines; a jump stands in a loop."""
    body = "\n".join(f"        {line}" for line in lines)
    start = "\n".join(f"    {name} = One()" for name in NAMES)
    return f"{HEAD}\ndef run():\n{start}\n    while flip():\n{body}\n    {NAMES[0]}.ping()\n"


class Quiet:
    """A context manager that lets some errors pass."""

    def __enter__(self) -> None: ...

    def __exit__(self, kind: object, *_rest: object) -> bool:
        return kind is ValueError


class TooLongError(Exception):
    """A program runs for too long."""


def calls_of(source: str, seed: int) -> set[str]:
    """Which methods `run` calls when the program runs with these coin flips."""
    coins, found, count = random.Random(seed), set(), 0

    def flip(may_raise: bool = False) -> bool:
        if may_raise and coins.random() < 0.4:
            raise ValueError
        return coins.random() < 0.5

    def follow(frame: FrameType, event: str, _arg: object) -> object:
        nonlocal count
        count += 1
        if count > MOST_LINES:
            raise TooLongError
        caller = frame.f_back.f_code if frame.f_back else None
        if event == "call" and isinstance(caller, CodeType) and caller.co_name == "run":
            found.add(frame.f_code.co_qualname)
        return follow

    space: dict[str, object] = {"flip": flip, "quiet": Quiet}
    exec(compile(source, "program.py", "exec"), space)  # noqa: S102  # made above
    before = sys.gettrace()
    sys.settrace(follow)
    try:
        space["run"]()  # type: ignore[operator]
    except (ValueError, TooLongError):
        pass
    finally:
        sys.settrace(before)
    return {name for name in found if name.endswith(".ping")}


def graph_of(source: str) -> Graph:
    facts = Extractor().extract(source.encode(), "python")
    file = File(0, "program.py", "python", Category.SOURCE, "indexed", "", "", 0, facts.lines, ())
    return link(ProgramText([file], {0: facts}, load_rules(["python"])))


def edges_of(source: str) -> Iterator[str]:
    graph = graph_of(source)
    for edge in graph.edges:
        target = graph.nodes[edge.target]
        if edge.kind == EdgeKind.CALLS and graph.nodes[edge.source].name == "run":
            yield target.qualified_name.removeprefix("program.")


@given(blocks(), st.integers(0, 1000))
@examples(1)
def test_every_call_that_happens_is_an_edge(lines: list[str], seed: int) -> None:
    source = program(lines)
    edges = set(edges_of(source))

    for way in range(8):
        assert calls_of(source, seed + way) <= edges
