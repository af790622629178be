"""Constructors call that of the superclass, which an edit of another file changes."""

from pathlib import Path

import pytest

from mu.kernel.settings import BuildSettings
from support.updated_graphs import check_edit_and_back

pytestmark = pytest.mark.usefixtures("_unbounded")

FILES = {
    "app/Top.java": """
        package app;
        class Top { Top() { } void log() { } }
    """,
    "app/Part.java": """
        package app;
        class Part extends Top {
            Part() { }
            Part(int number) { log(); }
        }
    """,
    "app/Between.java": """
        package app;
        class Between extends Part { }
    """,
    "app/Own.java": """
        package app;
        class Own extends Between {
            Own(int a) { log(); }
            Own() { this(1); }
        }
    """,
    "app/Use.java": """
        package app;
        class Use { void use() { new Own(2); new Between(); } }
    """,
}


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("app/Part.java", "Part() { }", ""),
        ("app/Part.java", "Part() { }", "Part(String s) { }"),
        ("app/Part.java", "Part() { }", "Part(String... s) { }"),
        ("app/Part.java", "Part() { }", "Part() { this(1); }"),
        ("app/Part.java", "extends Top ", ""),
        ("app/Between.java", "{ }", "{ Between() { } }"),
        ("app/Between.java", "extends Part", "extends Top"),
        ("app/Top.java", "Top() { }", ""),
        ("app/Own.java", "log();", "super();"),
        ("app/Own.java", "{ log", "{\n this(); log"),
    ],
)
def test_implied_calls_follow_the_superclass(
    root: Path, settings: BuildSettings, name: str, old: str, new: str
) -> None:
    check_edit_and_back(root, settings, name, old=old, new=new)
