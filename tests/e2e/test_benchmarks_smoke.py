"""Each benchmark in its smallest form, so that none rots."""

import json
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    folder.mkdir()
    for number in range(8):
        text = f"def price_{number}():\n    return {number}\n\n\nprice_{number}()\n"
        (folder / f"part_{number}.py").write_text(text, encoding="utf-8")
    return folder


def benchmark(root: Path, result: Path, *arguments: str) -> dict[str, list[dict[str, float]]]:
    command = [sys.executable, "-m", "benchmarks", *arguments, "--json", str(result)]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "| --" in done.stdout
    found: dict[str, list[dict[str, float]]] = json.loads(result.read_text(encoding="utf-8"))
    return found


@pytest.mark.slow(reason="builds as often as it takes to measure one")
def test_build_is_measured_against_the_floor(root: Path, tmp_path: Path, tree: Path) -> None:
    results = benchmark(root, tmp_path / "out.json", "build", str(tree), "--runs", "1")

    (figures,) = results["build"]
    assert (figures["corpus"], figures["files"], figures["lines"]) == ("shop", 8, 40)
    assert figures["nodes"] >= 16
    assert figures["peak_bytes"] > 0
    assert figures["cpu_ratio"] > 0
    assert not (tree / ".mubase").exists()


@pytest.mark.long(reason="five times what is measured above, on trees that a test of its own makes")
def test_growth_goes_from_a_quarter_to_fourfold(root: Path, tmp_path: Path, tree: Path) -> None:
    results = benchmark(root, tmp_path / "out.json", "growth", str(tree), "--runs", "1")

    assert [figures["files"] for figures in results["growth"]] == [2, 4, 8, 16, 32]
    whole, double = (results["growth"][place]["nodes"] for place in (2, 3))
    assert double == 2 * whole


def test_queries_are_asked_warm_and_from_the_shell(root: Path, tmp_path: Path) -> None:
    small = ("--nodes", "420", "--edges", "2000", "--runs", "1")
    results = benchmark(root, tmp_path / "out.json", "query", *small)

    rows = {figures["question"]: figures["rows"] for figures in results["query"]}
    assert rows["point lookup"] == 1
    assert 0 < rows["impact in one cluster"] < rows["impact in the whole graph"]
    assert {"mu query", "mu --help"} <= set(rows)


def test_sample_is_written_to_be_judged(root: Path, tmp_path: Path, tree: Path) -> None:
    mu = str(Path(sys.executable).with_name("mu"))
    subprocess.run([mu, "kernel", "build", str(tree)], check=True, capture_output=True)
    command = [sys.executable, "-m", "benchmarks", "sample", str(tree / ".mubase")]

    done = subprocess.run(
        [*command, "--kind", "calls", "--count", "3"],
        cwd=root,
        capture_output=True,
        text=True,
        check=True,
    )

    header, *rows = done.stdout.splitlines()
    assert header.endswith("place\tsource line\tverdict\treason")
    assert len(rows) == 3
    assert all(row.split("\t")[-3].startswith("price_") for row in rows)


def test_survival_builds_a_copy_and_counts_what_was_lost(
    root: Path, tmp_path: Path, tree: Path
) -> None:
    result = tmp_path / "out.jsonl"
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks", "survival", str(tree), "--json", str(result)],
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith("1 of 1 builds are whole\n")
    (line,) = result.read_text(encoding="utf-8").splitlines()
    build = json.loads(line)
    assert (build["name"], build["files"], build["lost"], build["unlinked"]) == ("shop", 8, [], [])
    assert not (tree / ".mubase").exists()


def test_edits_hold_each_graph_against_a_build_from_scratch(root: Path, tree: Path) -> None:
    command = [sys.executable, "-m", "benchmarks", "edits", str(tree), "--edits", "4"]
    done = subprocess.run(
        [*command, "--kinds", "comment,gone"], cwd=root, capture_output=True, text=True, check=False
    )

    assert done.returncode == 0, done.stderr
    *_, row = done.stdout.splitlines()
    assert [cell.strip() for cell in row.strip("|").split("|")][0::8] == ["shop", "0"]
    assert not (tree / ".mubase").exists()
