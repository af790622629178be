"""Input that no person writes: linking it ends, and what it cannot tell is told as open."""

from collections.abc import Callable
from pathlib import Path

import pytest

from mu.kernel.inputs.source_listing import list_sources
from mu.languages.loading import load_rules
from mu.model.facts import FileFacts
from mu.model.graph import File, Graph, Limits, Site
from mu.model.kinds import Category, EdgeKind, Reason
from mu.resolve import ProgramText, link
from mu.resolve.limits import MOST_CANDIDATES
from mu.source import WalkOptions, read_source
from mu.syntax import Extractor, load_manifests

MANY = 500


def index(folder: Path, text: str, *, category: Category = Category.SOURCE) -> Graph:
    """The graph of a folder that holds the one file `a.py`."""
    (folder / "a.py").write_text(text, encoding="utf-8")
    options = WalkOptions()
    (source,) = list_sources(folder, options, manifests=load_manifests()).files
    read = read_source(folder, source.path, max_file_size=options.max_file_size)
    facts: FileFacts = Extractor().extract(read.text, source.language)
    row = File(
        0, source.path, source.language, category, "indexed", "", read.digest, read.size,
        read.lines, (),
    )  # fmt: skip
    return link(ProgramText([row], {0: facts}, load_rules({"python"})))


def calls(graph: Graph) -> set[tuple[str, str]]:
    """The calls between nodes of the file, as (source, target) without the file's name."""
    ids = {node.key: node.id.replace("a.py:", "") for node in graph.nodes}
    found = {(ids[e.source], ids[e.target]) for e in graph.edges if e.kind == EdgeKind.CALLS}
    return {(source, target) for source, target in found if not target.startswith("ext:")}


def sites_at(graph: Graph, text: str) -> list[Site]:
    """The rows of the ledger whose text is `text`."""
    return [site for site in graph.sites if site.text == text]


def classes(count: int, *, base: str = "") -> str:
    """That many classes `C0`, `C1`, each with a method `go`."""
    return "".join(
        f"class C{n}{base}:\n    def go(self):\n        return {n}\n" for n in range(count)
    )


def one_name(count: int) -> str:
    """One name that any of many classes may be bound to."""
    lines = "".join(
        f"{'if' if n == 0 else 'elif'} which == {n}:\n    thing = C{n}()\n" for n in range(count)
    )
    return f"{classes(count)}which = input()\n{lines}\ndef run():\n    thing.go()\n"


def one_list(count: int) -> str:
    """A list of instances of many classes."""
    made = ", ".join(f"C{n}()" for n in range(count))
    return f"{classes(count)}\ndef run():\n    for thing in [{made}]:\n        thing.go()\n"


def one_parameter(count: int) -> str:
    """A parameter that is passed instances of many classes."""
    passed = "".join(f"    run(C{n}())\n" for n in range(count))
    return f"{classes(count)}\ndef run(thing):\n    thing.go()\n\ndef main():\n{passed}"


def one_union(count: int) -> str:
    """A parameter that is declared to be of any of many classes."""
    listed = " | ".join(f"C{n}" for n in range(count))
    return f"{classes(count)}\ndef run(thing: {listed}):\n    thing.go()\n"


def one_base(count: int) -> str:
    """A declared base with many overrides, all of which have instances."""
    made = "".join(f"    C{n}()\n" for n in range(count))
    return (
        f"class Base:\n    def go(self):\n        return 0\n{classes(count, base='(Base)')}\n"
        f"def run(thing: Base):\n    thing.go()\n\ndef main():\n{made}"
    )


@pytest.mark.parametrize("text", [one_name, one_list, one_parameter, one_union])
def test_a_call_on_any_of_many_classes_is_open_with_its_candidates(
    tmp_path: Path, text: Callable[[int], str]
) -> None:
    graph = index(tmp_path, text(MANY))

    (site,) = sites_at(graph, "thing.go")

    assert (site.reason, site.candidates, site.target) == (Reason.AMBIGUOUS, MOST_CANDIDATES, -1)
    assert not [target for source, target in calls(graph) if target.endswith(".go")]


@pytest.mark.parametrize(
    ("text", "bound"),
    [
        (one_name, "values"),
        (one_list, "values"),
        (one_parameter, "arguments"),
        (one_union, "values"),
        (one_base, "overrides"),
    ],
)
def test_that_a_bound_was_reached_is_told(
    tmp_path: Path, text: Callable[[int], str], bound: str
) -> None:
    few, many = tmp_path / "few", tmp_path / "many"
    few.mkdir()
    many.mkdir()

    assert index(few, text(5)).limits == Limits()
    assert getattr(index(many, text(MANY)).limits, bound) == 1


@pytest.mark.parametrize("text", [one_name, one_list, one_parameter, one_union])
def test_a_call_on_any_of_a_few_classes_has_an_edge_to_each(
    tmp_path: Path, text: Callable[[int], str]
) -> None:
    graph = index(tmp_path, text(5))

    assert {f"fn:C{n}.go" for n in range(5)} <= {
        target for source, target in calls(graph) if source == "fn:run"
    }


def test_overrides_beyond_the_bound_get_no_edges_and_the_base_does(tmp_path: Path) -> None:
    graph = index(tmp_path, one_base(MANY))

    found = {target for source, target in calls(graph) if source == "fn:run"}

    assert found == {"fn:Base.go"}


def test_functions_that_all_call_each_other_have_the_edges_they_were_written_with(
    tmp_path: Path,
) -> None:
    text = "".join(
        f"def f{n}(x, y):\n    return f{(n + 1) % MANY}(y, x) or f{(n * 7 + 3) % MANY}(x, y)\n"
        for n in range(MANY)
    )
    text += "class C:\n    def go(self):\n        return 1\n\ndef main():\n    f0(C(), C()).go()\n"

    found = calls(index(tmp_path, text))

    written = {(n, (n + 1) % MANY) for n in range(MANY)}
    written |= {(n, (n * 7 + 3) % MANY) for n in range(MANY)}
    assert {edge for edge in found if edge[0] != "fn:main"} == {
        (f"fn:f{source}", f"fn:f{target}") for source, target in written
    }


def test_what_functions_in_a_circle_give_to_each_other_reaches_them_all(tmp_path: Path) -> None:
    text = "class C:\n    def go(self):\n        return 1\n\n"
    text += "".join(f"def f{n}(x):\n    x.go()\n    return f{(n + 1) % 8}(x)\n" for n in range(8))
    text += "\ndef main():\n    f0(C())\n"

    found = calls(index(tmp_path, text))

    assert {(f"fn:f{n}", "fn:C.go") for n in range(8)} <= found


def test_classes_that_extend_each_other_in_a_circle_keep_their_methods(tmp_path: Path) -> None:
    count = 250  # the orders of so many classes, each of all of them, take a while
    text = "".join(
        f"class C{n}(C{(n + 1) % count}):\n    def m{n}(self):\n        self.m{(n + 1) % count}()\n"
        for n in range(count)
    )

    found = calls(index(tmp_path, text))

    assert ("fn:C0.m0", "fn:C1.m1") in found
    assert len(found) <= count


def test_a_class_that_extends_itself_has_its_own_methods(tmp_path: Path) -> None:
    text = (
        "class C(C):\n    def go(self):\n        self.stop()\n        self.absent()\n"
        "    def stop(self):\n        return super().stop()\n"
    )

    graph = index(tmp_path, text)

    assert calls(graph) == {("fn:C.go", "fn:C.stop")}


def test_a_long_chain_of_functions_is_followed_link_by_link(tmp_path: Path) -> None:
    text = "".join(f"def f{n}():\n    return f{n + 1}()\n" for n in range(2000))
    text += "class C:\n    def go(self):\n        return 1\n\ndef f2000():\n    return C()\n"

    found = calls(index(tmp_path, text))

    assert {(f"fn:f{n}", f"fn:f{n + 1}") for n in range(2000)} <= found


def test_a_long_chain_of_calls_in_one_expression_is_followed(tmp_path: Path) -> None:
    text = (
        "class C:\n    def go(self):\n        return self\n\ndef run():\n    C()" + ".go()" * 2000
    )

    graph = index(tmp_path, text)

    assert calls(graph) == {("fn:run", "cls:C"), ("fn:run", "fn:C.go")}
    assert len([s for s in graph.sites if s.name == "go" and s.target >= 0]) == 2000


def test_a_value_handed_through_many_parameters_ends(tmp_path: Path) -> None:
    text = "class C:\n    def go(self):\n        return 1\n\n"
    text += "".join(f"def f{n}(x):\n    x.go()\n    f{n + 1}(x)\n" for n in range(1000))
    text += "def f1000(x):\n    x.go()\n\ndef main():\n    f0(C())\n"

    graph = index(tmp_path, text)

    found = calls(graph)
    assert {(f"fn:f{n}", f"fn:f{n + 1}") for n in range(1000)} <= found
    assert ("fn:f0", "fn:C.go") in found
    open_sites = [site for site in sites_at(graph, "x.go") if site.target < 0]
    assert {(site.reason, site.candidates) for site in open_sites} <= {(Reason.AMBIGUOUS, 1)}
    assert len(found) == 1000 + 3 + (1001 - len(open_sites)) - 1


def test_containers_that_recursion_nests_without_end_stay_bounded(tmp_path: Path) -> None:
    text = (
        "class C:\n    def go(self):\n        return 1\n\n"
        "def wrap(x, n):\n    if n:\n        return wrap([x], n - 1)\n"
        "    return {'a': (x, wrap)}\n\n"
        "def grow(x):\n    return grow((x, [x], {1: x}))\n\n"
        "def run():\n    wrap(C(), 5)\n    grow(C())\n"
        "    rows = C()\n    while rows:\n        rows = [rows, (rows, rows)]\n    rows.go()\n"
    )

    found = calls(index(tmp_path, text))

    assert {("fn:wrap", "fn:wrap"), ("fn:grow", "fn:grow"), ("fn:run", "fn:C.go")} <= found
    assert len(found) <= 8


def test_many_decorators_on_one_function_are_each_called_once(tmp_path: Path) -> None:
    text = "".join(
        f"def d{n}(f):\n    def inner(*args):\n        return f(*args)\n    return inner\n"
        for n in range(200)
    )
    text += "".join(f"@d{n}\n" for n in range(200)) + "def run(x):\n    return x\n\nrun(1)\n"

    found = calls(index(tmp_path, text))

    assert {("mod:a.py", f"fn:d{n}") for n in range(200)} <= found
    assert len(found) <= 3 * 200 + 2


def test_twice_the_input_has_about_twice_the_output(tmp_path: Path) -> None:
    sizes = []
    for count in (100, 200):
        text = "".join(f"def f{n}(x):\n    return f{(n + 1) % count}([x])\n" for n in range(count))
        graph = index(tmp_path, text + classes(count) + "f0(C0())\n")
        sizes.append(len(graph.edges) + len(graph.sites))

    assert sizes[1] < 2.2 * sizes[0]
