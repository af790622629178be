"""Labels of switches name constants of what their subject is by an edit of another file."""

from pathlib import Path

import pytest

from mu.kernel.settings import BuildSettings
from support.updated_graphs import check_edit_and_back

pytestmark = pytest.mark.usefixtures("_unbounded")

FILES = {
    "app/Op.java": """
        package app;
        public enum Op { ADD, SUB }
    """,
    "app/Sort.java": """
        package app;
        public enum Sort { ADD, DROP }
    """,
    "app/Holder.java": """
        package app;
        class Holder { Op held; Op found() { return held; } }
    """,
    "app/Limits.java": """
        package app;
        class Limits { static final int LAST = 1; }
    """,
    "app/Use.java": """
        package app;
        import java.util.*;
        class Use extends Limits {
            int field(Holder holder) {
                switch (holder.held) { case ADD: return 1; case DROP: return 2; default: return 0; }
            }
            int method(Holder holder) {
                return switch (holder.found()) { case ADD -> 1; case LAST -> 2; default -> 0; };
            }
            int own(Op op) {
                switch (op) { case SUB: return 1; case MORE: return 2; default: return 0; }
            }
        }
    """,
    "app/Other.java": """
        package app;
        class Other { int MORE = 3; }
    """,
}


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("app/Op.java", "SUB", "SUB, MORE"),
        ("app/Op.java", "ADD, ", ""),
        ("app/Op.java", "enum Op { ADD, SUB }", "class Op { static Op ADD = null; }"),
        ("app/Holder.java", "Op held", "Sort held"),
        ("app/Holder.java", "Op found()", "Sort found()"),
        ("app/Holder.java", "Op found()", "int found()"),
        ("app/Holder.java", "Op held", "Gone held"),
        ("app/Limits.java", "int LAST", "int FIRST"),
        ("app/Other.java", "MORE", "LESS"),
    ],
)
def test_labels_follow_the_type_of_their_subject(
    root: Path, settings: BuildSettings, name: str, old: str, new: str
) -> None:
    check_edit_and_back(root, settings, name, old=old, new=new)
