"""The documentation is whole: pages made from code are up to date, links lead somewhere."""

import re
import runpy
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

LINK = re.compile(r"\[[^\]]*\]\((?!\w+:)([^)#\s]*)(#[^)\s]*)?\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def pages(root: Path) -> dict[Path, str]:
    """Every page of the documentation, without what stands in code blocks."""
    paths = [*root.glob("*.md"), *(root / "docs").rglob("*.md"), *(root / "queries").glob("*.md")]
    return {path: FENCE.sub("", path.read_text(encoding="utf-8")) for path in sorted(paths)}


@pytest.mark.parametrize(
    "name", ["cli.md", "operations.md", "python.md", "queries.md", "relations.md", "settings.md"]
)
def test_reference_page_is_what_the_code_says(root: Path, name: str) -> None:
    script = runpy.run_path(str(root / "scripts" / "write_reference.py"))

    written = (root / "docs" / "reference" / name).read_text(encoding="utf-8")

    assert written == script["PAGES"][name](), "out of date; run: make docs"


def test_every_link_leads_to_a_page_and_a_heading(pages: dict[Path, str]) -> None:
    broken = [
        f"{page.name}: {target}{anchor}"
        for page, target, anchor in _links(pages)
        if not _leads(page.parent / target if target else page, anchor)
    ]

    assert broken == []


def test_every_page_of_the_docs_is_linked_from_another(root: Path, pages: dict[Path, str]) -> None:
    linked = {(page.parent / target).resolve() for page, target, _ in _links(pages) if target}

    docs = {page for page in pages if page.is_relative_to(root / "docs")}
    assert docs
    assert {page.relative_to(root).as_posix() for page in docs - linked} == set()


def test_a_page_that_is_written_by_hand_has_at_most_2000_words(root: Path) -> None:
    made = runpy.run_path(str(root / "scripts" / "write_reference.py"))["PAGES"]
    written = [page for page in (root / "docs").rglob("*.md") if page.name not in made]

    counts = {page.name: len(page.read_text(encoding="utf-8").split()) for page in written}

    assert {name: count for name, count in counts.items() if count > 2000} == {}


def test_every_dependency_has_a_decision(root: Path) -> None:
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    requirements = [*project["project"]["dependencies"], *project["dependency-groups"]["dev"]]
    names = {re.split(r"[^\w-]", requirement, maxsplit=1)[0] for requirement in requirements}
    wanted = {re.sub(r"^types-|(?<=^tree-sitter)-.*", "", name) for name in names}

    titles = [
        path.read_text(encoding="utf-8").partition("\n")[0]
        for path in (root / "docs" / "decisions").glob("[0-9]*.md")
    ]
    assert wanted - {name for title in titles for name in re.findall(r"`([\w-]+)`", title)} == set()


def test_readme_stays_short(root: Path) -> None:
    assert len((root / "README.md").read_text(encoding="utf-8").splitlines()) <= 200


def test_a_broken_link_is_noticed(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# A heading, with `code`\n")

    assert _leads(page, "#a-heading-with-code")
    assert not _leads(page, "#another")
    assert not _leads(tmp_path / "absent.md", "")


def _links(pages: dict[Path, str]) -> Iterator[tuple[Path, str, str]]:
    for page, text in pages.items():
        for target, anchor in LINK.findall(text):
            yield page, target, anchor


def _leads(path: Path, anchor: str) -> bool:
    if not path.exists():
        return False
    if not anchor or path.suffix != ".md":
        return True
    text = FENCE.sub("", path.read_text(encoding="utf-8"))
    return anchor[1:] in {_slug(heading) for heading in HEADING.findall(text)}


def _slug(heading: str) -> str:
    """Name a heading as GitHub does for links."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
