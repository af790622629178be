"""Edits of Go, where the methods of a type stand anywhere in its package."""

from pathlib import Path

import pytest

from mu.kernel.building import build
from mu.kernel.settings import BuildSettings
from support.updated_graphs import check_is_as_built, edit, linked_functions, write_files

GRAPH = """
package graph

type Vertex interface{ Name() string }

type Node struct{ id string }

func (n *Node) Name() string { return n.id }

type Hook func(Vertex) (*Node, error)

func (n *Node) Visit(hook Hook) { hook(n) }

func Show(v Vertex) string { return v.Name() }
"""
PLAN = """
package graph

func plan(n *Node) string {
\ttarget := n
\tn.Visit(func(v Vertex) (*Node, error) { return find(target) })
\treturn n.Name()
}

func find(n *Node) (*Node, error) { return n, nil }
"""
OTHER = """
package graph

func other(n *Node) string { return n.Name() }

func beside(v Vertex) string { return v.Name() }

func user(n *Node) string { return plan(n) }
"""
TEST = """
package graph

import "testing"

func TestShow(t *testing.T) { Show(&Node{}) }
"""
FILES = {
    "go.mod": "module example.com/graph\n\ngo 1.22\n",
    "graph.go": GRAPH,
    "plan.go": PLAN,
    "other.go": OTHER,
    "graph_test.go": TEST,
}
KIND = """
type root string

func (r root) Name() string { return string(r) }

func TestRoot(t *testing.T) { Show(root("a")) }
"""
FIRST = "func (n *Node) Depth() int { return 1 }\n\nfunc (n *Node) Name()"
EDITS = {
    "type with a method of a known name, in a test": (
        ("graph_test.go", "func TestShow", f"{KIND.lstrip()}\nfunc TestShow"),
        {"other"},
    ),
    "method above the first one of its type": (
        ("graph.go", "func (n *Node) Name()", FIRST),
        {"other", "beside"},
    ),
    "variable in a function that is passed": (
        ("plan.go", "\ttarget := n\n", "\ttarget := n\n\ttarget = nil\n"),
        {"other", "beside", "user"},
    ),
    "method of a type of another file": (
        ("other.go", "func other", "func (n *Node) Last() bool { return true }\n\nfunc other"),
        set(),
    ),
}


@pytest.mark.usefixtures("_unbounded")
@pytest.mark.parametrize("name", EDITS)
def test_what_an_edit_links(root: Path, settings: BuildSettings, name: str) -> None:
    (path, old, new), kept = EDITS[name]
    write_files(root, FILES)
    build(root, settings)
    for one, other in ((old, new), (new, old)):
        edit(root, path, one, other)
        with linked_functions("other.go") as linked:
            report = build(root, settings)

        assert report.updated is not None
        assert not any(kept & functions for functions in linked)
        check_is_as_built(root, settings, report)
