"""The page's tables are made of the committed figures, and of nothing else."""

from pathlib import Path

import pytest
from benchmarks.accuracy.packages import PreparationError, load_packages
from benchmarks.accuracy.results import (
    PackageFigures,
    judged_by_rule,
    read_results,
    write_results,
)
from benchmarks.accuracy.table import BEGIN, END, PAGE, render, write_page

FIGURES = PackageFigures(
    version="1.0",
    python="3.13.0",
    suite="9 passed",
    note="",
    statuses={"edge": 6, "ambiguous": 2, "unknown": 1, "missed": 1},
    kinds={"function": {"edge": 6}, "method": {"ambiguous": 2, "unknown": 1, "missed": 1}},
    callers={"package": {"edge": 4}, "tests": {"edge": 2, "missed": 1}},
    rules={"import": 6},
    left_out={"other code in between": 4},
    findings={"import": {"confirmed": 8, "override": 1, "contradicted": 1, "unseen": 5}},
)


def cells(table: str, first: str) -> list[str]:
    line = next(line for line in table.splitlines() if line.startswith(f"| {first} "))
    return [cell.strip() for cell in line.strip("|").split("|")]


def test_shares_are_of_all_pairs() -> None:
    table = render({"shop": FIGURES}, {})

    assert cells(table, "shop 1.0")[1:4] == ["10", "60.0", "80.0"]
    assert cells(table, "all, called by the tests")[1:4] == ["3", "66.7", "66.7"]


def test_shares_that_ran_and_that_held_are_told_apart() -> None:
    row = cells(render({"shop": FIGURES}, {}), "import")

    assert row[1:9] == ["6", "8", "1", "0", "1", "5", "60.0", "90.0"]
    assert row[9:] == ["", ""]


def test_precision_needs_twenty_judged_edges() -> None:
    assert cells(render({}, {"import": (19, 19)}), "import")[9:] == ["19 of 19", ""]
    assert cells(render({}, {"import": (19, 20)}), "import")[9:] == ["19 of 20", "95.0"]


def test_samples_are_counted_by_rule_and_only_where_judged(tmp_path: Path) -> None:
    lines = ["item\trule\tverdict", "1\timport\tright", "2\timport\tunsure", "3\tself\t"]
    (tmp_path / "shop-calls.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")

    assert judged_by_rule(tmp_path) == {"import": (1, 2)}


def test_writing_some_packages_keeps_the_others(tmp_path: Path) -> None:
    path = tmp_path / "results.json"
    write_results({"shop": FIGURES}, path)
    write_results({"mill": FIGURES}, path)

    assert read_results(path) == {"mill": FIGURES, "shop": FIGURES}


def test_only_what_is_between_the_markers_is_written(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"before\n{BEGIN}\nold\n{END}\nafter\n", encoding="utf-8")

    write_page({"shop": FIGURES}, {}, page)

    text = page.read_text(encoding="utf-8")
    assert text.startswith(f"before\n{BEGIN}\n\n### Recall by package")
    assert text.endswith(f"\n\n{END}\nafter\n")
    assert "old" not in text


def test_page_shows_the_committed_figures(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(PAGE.read_text(encoding="utf-8"), encoding="utf-8")

    write_page(read_results(), judged_by_rule(), page)

    assert page.read_text(encoding="utf-8") == PAGE.read_text(encoding="utf-8")


def test_figures_are_of_the_packages_that_are_listed() -> None:
    listed = {package.name: package.version for package in load_packages()}

    assert {name: each.version for name, each in read_results().items()} == listed


def test_unlisted_package_is_named() -> None:
    with pytest.raises(PreparationError, match="nothing_here"):
        load_packages(["nothing_here"])
