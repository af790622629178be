"""Methods promoted through an embedded interface follow what that embeds in another file."""

from pathlib import Path

import pytest

from mu.kernel.settings import BuildSettings
from support.updated_graphs import check_edit_and_back

pytestmark = pytest.mark.usefixtures("_unbounded")

FILES = {
    "go.mod": "module m\n",
    "closer.go": """
        package m
        type Closer interface{ Shut() error }
    """,
    "source.go": """
        package m
        type Source interface {
            Fetch() int
            Closer
        }
    """,
    "mem.go": """
        package m
        type Mem struct{}
        func (m *Mem) Fetch() int { return 1 }
        func (m *Mem) Shut() error { return nil }
        type Other struct{ Mem }
        func (o *Other) Shut() error { return nil }
    """,
    "wrap.go": """
        package m
        type Wrap struct{ Source }
        type Outer struct{ Wrap }
    """,
    "use.go": """
        package m
        func direct(w *Wrap) { w.Shut() }
        func further(o *Outer) { o.Shut() }
        func main() { direct(&Wrap{&Mem{}}); further(&Outer{Wrap{&Other{}}}) }
    """,
}


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("source.go", "Closer", "Shut() error"),
        ("source.go", "Closer", ""),
        ("closer.go", "Shut() error", "Close() error"),
        ("closer.go", "type Closer interface{ Shut() error }", "type Closer = Other"),
        ("mem.go", "(o *Other) Shut", "(o *Other) Open"),
        ("mem.go", "(m *Mem) Fetch", "(m *Mem) Get"),
        ("wrap.go", "struct{ Source }", "struct{ Closer }"),
        ("wrap.go", "struct{ Wrap }", "struct{ *Wrap; Closer }"),
    ],
)
def test_promoted_methods_follow_what_is_embedded(
    root: Path, settings: BuildSettings, name: str, old: str, new: str
) -> None:
    check_edit_and_back(root, settings, name, old=old, new=new)
