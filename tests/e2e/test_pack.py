"""`mu pack` and `mu compress`, as their commands write them."""

import json
from pathlib import Path

import pytest

from e2e.command import SMALL, mu, write_tree
from fakes.built import with_graph


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = write_tree(tmp_path_factory.mktemp("tree"), SMALL)
    with_graph(folder)
    return folder


def test_a_pack_goes_to_standard_output_and_what_was_used_beside_it(built: Path) -> None:
    result = mu("pack", "app/auth.py", cwd=built)

    assert result.returncode == 0
    assert result.stdout.startswith("@ path=app/auth.py file_count=1 ")
    assert "\n= app/auth.py:1-" in result.stdout
    assert "def login(u):\n    return check(u)\n" in result.stdout
    assert result.stderr.startswith("1 of 1 files, 1 with source; about ")
    assert " of 8,000 tokens, of " in result.stderr


def test_a_compressed_text_has_no_body(built: Path) -> None:
    result = mu("compress", "--tokens", "500", cwd=built)

    assert result.returncode == 0
    assert "# login(u)" in result.stdout
    assert "return check(u)" not in result.stdout


def test_json_is_one_document_within_the_budget(built: Path) -> None:
    result = mu("pack", "--format", "json", "--tokens", "600", cwd=built)

    document = json.loads(result.stdout)
    assert len(result.stdout) <= 4 * 600
    assert [each["path"] for each in document["signatures"]]


def test_the_command_that_it_ends_with_reads_on(tmp_path: Path) -> None:
    built = write_tree(tmp_path, {f"part_{n}.py": f"def said_{n}(): ...\n" for n in range(40)})
    with_graph(built)
    first = mu("pack", "--tokens", "200", cwd=built)
    command = first.stdout.splitlines()[-1].split()

    assert command[:4] == ["mu", "pack", "--tokens", "200"]
    second = mu(*command[1:], cwd=built)
    assert second.returncode == 0
    assert _told(first.stdout).isdisjoint(_told(second.stdout))
    assert _told(second.stdout)


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (("pack", "../x"), 2, "leads out of the repository"),
        (("pack", "/etc"), 2, "/etc is absolute"),
        (("pack", "app/auht.py"), 4, "did you mean app/auth.py?"),
        (("pack", "--tokens", "3"), 2, "3 is not in the range"),
        (("pack", "--format", "csv"), 2, "'csv' is not one of"),
        (("compress", "--format", "json"), 2, "no such option"),
        (("pack", "--focus", " "), 2, "there is no word to search for"),
    ],
)
def test_wrong_usage_is_told(
    built: Path, arguments: tuple[str, ...], status: int, message: str
) -> None:
    result = mu(*arguments, cwd=built)

    assert result.returncode == status
    assert message in result.stderr


def test_without_a_graph_it_says_what_to_do(tmp_path: Path) -> None:
    result = mu("pack", cwd=tmp_path)

    assert result.returncode == 3
    assert "mu kernel build" in result.stderr


def _told(text: str) -> set[str]:
    return {line.split()[1] for line in text.splitlines() if line.startswith("! ")}
