"""A defined type has or lacks the methods of another file's type by an edit of that file."""

from pathlib import Path

import pytest

from mu.kernel.settings import BuildSettings
from support.updated_graphs import check_edit_and_back

pytestmark = pytest.mark.usefixtures("_unbounded")

FILES = {
    "go.mod": "module m\n",
    "doer.go": """
        package m
        type Doer interface{ Do() }
        type Made struct{ next *Made }
        func (m *Made) Do() {}
    """,
    "origin.go": """
        package m
        type Origin struct{ Made }
        func (o *Origin) Rest() {}
    """,
    "derived.go": """
        package m
        type Derived Origin
        type Twice Derived
        type Holder struct{ Twice }
    """,
    "link.go": """
        package m
        type Link Made
    """,
    "longer.go": """
        package m
        type Longer Link
        func (l *Longer) Rest() {}
    """,
    "use.go": """
        package m
        func use(d *Derived, h *Holder, x Doer) {
            d.Do()
            d.Rest()
            h.Do()
            h.Rest()
            h.next.Do()
            x.Do()
        }
        func main() { use(&Derived{}, &Holder{}, &Twice{}) }
    """,
}


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("origin.go", "struct{ Made }", "struct{ made Made }"),
        ("origin.go", "struct{ Made }", "interface{ Doer }"),
        ("origin.go", "type Origin struct{ Made }", "type Origin Made"),
        ("origin.go", "type Origin struct{ Made }", "type Origin = Made"),
        ("origin.go", "type Origin struct{ Made }", "type Origin []Made"),
        ("origin.go", "Rest()", "Do()"),
        ("derived.go", "Twice Derived", "Twice = Derived"),
        ("derived.go", "type Derived Origin", "type Derived struct{ Origin }"),
        ("doer.go", "type Made struct{ next *Made }", "type Made interface{ Do() }"),
        ("doer.go", "(m *Made) Do()", "(m *Made) Done()"),
    ],
)
def test_methods_of_a_defined_type_follow_what_defines_it(
    root: Path, settings: BuildSettings, name: str, old: str, new: str
) -> None:
    check_edit_and_back(root, settings, name, old=old, new=new)
