"""The table of what is supported in each language, made from the corpora.

Every case of the corpora is a test, and one that meets what is marked as a known gap fails until
the mark is taken away. So what a page marks is what is missing, and all else of it passes.

    python -m tests.corpora.judging.support     writes docs/reference/languages.md
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from mu.syntax import Manifest, load_manifests

from .cases import Case
from .format import read_corpora

CORPORA = Path(__file__).parent.parent
PAGE = CORPORA.parents[1] / "docs" / "reference" / "languages.md"

CORE = (
    "definitions",
    "imports",
    "calls",
    "methods",
    "inheritance",
    "shadowing",
    "generics",
    "tests",
    "syntax_errors",
)
"""The pages that every language has."""

_HEAD = """\
# Languages

What MU finds in each language, by the pages of its [corpora](../../tests/corpora/README.md): small
repositories with what is right by the rules of the language. Each is a test. This page is made from
them by `make docs`.

A page has `yes` where all of it is met, and the number of expectations that are not, by where they
are known. Each of the first nine holds cases of what must *not* be found. `mu kernel languages`
tells which grammars are installed; [a guide](../guides/add-a-language.md) adds a language.
"""


def page(cases: Sequence[Case], manifests: Mapping[str, Manifest]) -> str:
    """The text of the page."""
    parts = [_HEAD, "\n".join(_languages(manifests)), "## What is found"]
    parts += ["\n".join(_table(cases, manifests)), "## Known gaps", "\n".join(_gaps(cases))]
    return "\n\n".join(part.strip("\n") for part in parts) + "\n"


def gaps_of(case: Case) -> list[str]:
    """Why each expectation of a case that is not met is not."""
    lines = [*case.spans, *case.edges, *case.absent_edges, *case.nodes, *case.absent_nodes]
    found = [line.gap for line in lines]
    found += [line.gap for block in case.exactly for line in (*block.edges, *block.nodes)]
    found += [line.gap for entries in case.entries for line in entries.lines]
    return [gap for gap in found if gap]


def says_what_is_not(case: Case) -> bool:
    """Whether a case would notice something that is found and should not be."""
    is_span = any(not span.targets for span in case.spans)
    return bool(is_span or case.absent_edges or case.absent_nodes or case.exactly or case.entries)


def _languages(manifests: Mapping[str, Manifest]) -> Iterator[str]:
    yield "| language | level | files | grammar | extends |"
    yield "|---|---|---|---|---|"
    for name, one in manifests.items():
        endings = ", ".join(f"`{ending}`" for ending in one.extensions)
        wheel = one.grammar.partition(":")[0].replace("_", "-")
        yield f"| {name} | {one.level} | {endings} | `{wheel}` | {one.extends} |"


def _table(cases: Sequence[Case], manifests: Mapping[str, Manifest]) -> Iterator[str]:
    names = list(manifests)
    yield f"| page | {' | '.join(names)} |"
    yield "|---|" + "---|" * len(names)
    others = sorted({case.feature for case in cases} - set(CORE))
    for feature in (*CORE, *others):
        cells = (_cell([case for case in cases if _is_on(case, name, feature)]) for name in names)
        yield f"| {feature} | {' | '.join(cells)} |"


def _is_on(case: Case, language: str, feature: str) -> bool:
    return (case.language, case.feature) == (language, feature)


def _cell(cases: Sequence[Case]) -> str:
    if not cases:
        return ""
    count = sum(len(gaps_of(case)) for case in cases)
    return f"yes, but for {count}" if count else "yes"


def _gaps(cases: Sequence[Case]) -> Iterator[str]:
    for case in cases:
        reasons = sorted(set(gaps_of(case)))
        if reasons:
            yield f"- {case.language}, {case.feature}, *{case.name}*: {'; '.join(reasons)}"


if __name__ == "__main__":
    PAGE.write_text(page(read_corpora(CORPORA), load_manifests()), encoding="utf-8")
