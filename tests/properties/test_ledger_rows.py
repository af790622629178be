"""Each identifier where it can name something has a row in the ledger, or a reason to have none.

The sources are those of the corpora.
"""

from pathlib import Path

import pytest
from benchmarks.ledger import positions
from benchmarks.ledger.positions import Position
from benchmarks.ledger.rows import Missing, compare

from fakes.built import built_tree
from mu.syntax.grammars.manifest import load_manifests
from properties.texts import CASES

TABLES = {path.stem for path in Path(positions.__file__).parent.glob("*.toml")}
LANGUAGES = sorted(name for name in load_manifests() if positions.table_of(name) is not None)
DEMANDED = frozenset((Position.CALL, Position.DEFINITION, Position.TYPE))
MISTAKEN = "syntax_errors"  # the feature whose sources are not what they seem


def missing(files: dict[str, str], root: Path, language: str) -> list[str]:
    """The names of a repository that have neither a row nor a reason, each with its place."""
    workspace = built_tree(root, files)
    counts = compare(workspace.graph, root, demanded=DEMANDED)
    workspace.graph.close()
    found = [
        one for (name, _), count in counts.items() if name == language for one in count.missing
    ]
    return [shown(one, files) for one in found]


def shown(one: Missing, files: dict[str, str]) -> str:
    line = files[one.path].split("\n")[one.identifier.line - 1].strip()
    return (
        f"{one.identifier.name} at {one.identifier.place}, {one.path}:{one.identifier.line}: {line}"
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_names_of_the_corpora_have_rows_or_reasons(language: str, tmp_path: Path) -> None:
    files = {
        f"case_{number}/{path}": text
        for number, case in enumerate(CASES)
        if case.language == language and case.feature != MISTAKEN
        for path, text in case.files.items()
    }

    assert files
    assert "\n".join(missing(files, tmp_path, language)) == ""


def test_tables_are_of_languages() -> None:
    assert set(load_manifests()) >= TABLES
