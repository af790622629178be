"""Build the graph of a case with the parts that a user's build runs, in this process.

A build starts worker processes, which hundreds of small cases cannot afford. What stands here is
the rest of it; a property test holds its graphs against those of a build.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from mu.kernel.inputs.package_manifests import read_package_manifests
from mu.kernel.inputs.source_listing import list_sources
from mu.languages.loading import load_rules
from mu.model.facts import FileFacts
from mu.model.graph import File, Graph
from mu.model.kinds import Category
from mu.resolve import Declared, LanguageRules, ProgramText, link
from mu.source import SkippedSource, SourceFile, WalkOptions, read_source
from mu.syntax import Extractor, decode_facts, encode_facts, load_manifests

from .cases import Case


@dataclass(frozen=True, slots=True)
class Sources:
    """What is linked: see `link` for what each of them is."""

    files: Sequence[File]
    facts: Mapping[int, FileFacts]
    rules: Mapping[str, LanguageRules]
    roots: Sequence[str] = ()
    declared: Sequence[Declared] = ()
    manifests: Mapping[str, Mapping[str, str]] = field(default_factory=dict)


def index_case(case: Case, folder: Path) -> Graph:
    """Write the files of a case into a folder and index it."""
    write_files(case.files, folder)
    return index_folder(folder, roots=case.roots)


def write_files(files: dict[str, str], folder: Path) -> None:
    """Write files, given by their relative paths, into a folder."""
    for path, text in files.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")


def index_folder(folder: Path, *, roots: Sequence[str] = ()) -> Graph:
    """Index a folder as it stands."""
    return link_sources(read_sources(folder, roots=roots))


def read_sources(folder: Path, *, roots: Sequence[str] = ()) -> Sources:
    """Read what is linked of a folder as it stands."""
    options = WalkOptions()
    found = list_sources(folder, options, manifests=load_manifests())
    rows: list[File] = []
    facts: dict[int, FileFacts] = {}
    for key, source in enumerate(found.files):
        try:
            row, facts[key] = _extract(folder, key, source, options.max_file_size)
        except SkippedSource as skipped:
            row = _left_out(key, source, skipped.message)
        rows.append(row)
    rules = load_rules({rows[key].language for key in facts})
    manifests = read_package_manifests(
        folder,
        (rows[key] for key in facts),
        rules=rules,
        max_file_size=options.max_file_size,
    )
    return Sources(rows, facts, rules, roots, manifests.declared, manifests.texts)


def link_sources(sources: Sources, *, processes: int = 1) -> Graph:
    """Link what was read, all of it, in up to some processes."""
    files, facts, rules = sources.files, sources.facts, sources.rules
    text = ProgramText(files, facts, rules, sources.roots, sources.manifests)
    return link(text, declared=sources.declared, processes=processes)


def link_files(
    files: Sequence[File], facts: dict[int, FileFacts], *, roots: Sequence[str] = ()
) -> Graph:
    """Link facts by the rules of the languages they are in."""
    rules = load_rules({file.language for file in files})
    return link(ProgramText(files, facts, rules, roots))


def _left_out(key: int, source: SourceFile, reason: str) -> File:
    return File(
        key, source.path, source.language, Category.SOURCE, "skipped", reason, "", 0, 0, ()
    )  # fmt: skip


def _extract(folder: Path, key: int, source: SourceFile, limit: int) -> tuple[File, FileFacts]:
    text = read_source(folder, source.path, max_file_size=limit)
    facts = decode_facts(encode_facts(_extractor().extract(text.text, source.language)))
    problems = tuple(f"{problem.line}: {problem.message}" for problem in facts.problems)
    category = text.category or source.category
    row = File(
        key, source.path, source.language, category, "indexed", "", text.digest, text.size,
        text.lines, (*text.problems, *problems),
    )  # fmt: skip
    return row, facts


@cache
def _extractor() -> Extractor:
    return Extractor()
