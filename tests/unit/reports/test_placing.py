"""Paths of a report are those of the graph, whatever folder the report was made in."""

import pytest

from mu.reports.placing import place_paths

KNOWN = {"src/app/a.py", "src/app/b.py", "src/lib/a.py"}


@pytest.mark.parametrize(
    ("reported", "placed"),
    [
        (["src/app/a.py", "./src/app/../lib/a.py"], ["src/app/a.py", "src/lib/a.py"]),
        (["/srv/tree/src/app/a.py"], ["src/app/a.py"]),
        (["src\\app\\a.py"], ["src/app/a.py"]),
        (["/ci/7/src/app/a.py", "/ci/7/src/app/b.py"], ["src/app/a.py", "src/app/b.py"]),
        (["app/a.py", "lib/a.py"], ["src/app/a.py", "src/lib/a.py"]),
        (["a.py"], [None]),
        (["a.py", "b.py"], ["src/app/a.py", "src/app/b.py"]),
        (["src/app/a.py", "app/b.py"], ["src/app/a.py", None]),
        (["other/a.py"], [None]),
        (["/env/app/a.py", "/env/app/b.py", "/lib/a.py"], ["src/app/a.py", "src/app/b.py", None]),
        (["/env/app/a.py"], [None]),
    ],
)
def test_a_path_is_placed_by_itself_or_by_one_prefix_for_all(
    reported: list[str], placed: list[str | None]
) -> None:
    found = place_paths(reported, KNOWN, root="/srv/tree")

    assert [found.get(path) for path in reported] == placed
