"""`mu kernel languages`: what can be read here, and by which grammar."""

import json
from pathlib import Path

from e2e.command import mu


def test_each_language_is_a_line_with_its_level_grammar_and_extensions(tmp_path: Path) -> None:
    lines = mu("kernel", "languages", cwd=tmp_path).stdout.splitlines()
    rows = json.loads(mu("kernel", "languages", "--json", cwd=tmp_path).stdout)

    assert [line.split()[0] for line in lines] == [row["name"] for row in rows]
    (go,) = (row for row in rows if row["name"] == "go")
    assert go["level"] == "deep"
    assert go["grammar"] == "tree-sitter-go"
    assert (
        f"go                deep       tree-sitter-go {go['version']} (ABI {go['abi']})" in lines[0]
    )
    assert lines[0].endswith("  .go")
