"""Whatever a codebase is made of, its text holds the budget, and pages tell of each file once."""

import json
import xml.etree.ElementTree as ElementTree
from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from mu.context.codebase import Detail, Form, Head, Material, Part, PartFile, pack_codebase
from mu.context.codebase.importance import Definition
from mu.context.codebase.outlines import Depth, Entry, Outline
from mu.errors import MuError

WORDS = st.text(st.characters(codec="utf-8", categories=("L", "N", "P", "S", "Zs")), max_size=60)
LINES = st.lists(WORDS, max_size=40)
FILES = st.lists(st.tuples(WORDS, LINES), max_size=12)


def material(files: Sequence[tuple[str, Sequence[str]]], *, is_focused: bool) -> Material:
    """A part whose files have a definition on every fourth line."""
    known = [
        PartFile(key, f"dir/f{key}.py", "python", "source", sum(map(len, lines)), len(lines))
        for key, (_, lines) in enumerate(files)
    ]
    texts = {key: lines for key, (_, lines) in enumerate(files)}

    def outlines(keys: Sequence[int]) -> Mapping[int, Outline]:
        return {key: outline(key) for key in keys if texts[key]}

    def outline(key: int) -> Outline:
        entries = [
            Entry(f"d{n}", f"# d{n}({line})  {n}", line, Depth(n % 3), n % 4)
            for n, line in enumerate(texts[key], 1)
        ]
        return Outline(files[key][0], tuple(entries))

    definitions = [
        Definition(100 * file.key + n, file.key, "function", n, min(n + 3, file.lines), "", "", 1.0)
        for file in known
        for n in range(1, file.lines + 1, 4)
    ]
    return Material(
        Part(tuple(known), {0: 1.0} if is_focused else {}),
        Head((("file_count", str(len(known))),), (("files", tuple(f.path for f in known)),)),
        outlines,
        lambda: definitions,
        lambda file, first, last: texts[file.key][first - 1 : last],
        lambda rest: f"mu pack --offset {rest}",
    )


@given(
    files=FILES,
    budget=st.sampled_from((40, 100, 300, 1_000, 5_000)),
    form=st.sampled_from(Form),
    detail=st.sampled_from(Detail),
    is_focused=st.booleans(),
)
def test_a_budget_holds_and_documents_can_be_read(
    files: list[tuple[str, list[str]]], budget: int, form: Form, detail: Detail, is_focused: bool
) -> None:
    given_material = material(files, is_focused=is_focused)
    try:
        packed = pack_codebase(given_material, budget=budget, form=form, detail=detail)
    except MuError:
        assume(budget >= 200)
        raise

    assert len(packed.text) <= budget * 4
    if form is Form.JSON:
        json.loads(packed.text)
    elif form is Form.XML:
        ElementTree.fromstring(packed.text)
    whole = sum(len(line) for _, lines in files for line in lines)
    if detail is Detail.SOURCE and whole > 8 * budget and budget >= 1_000:
        assert packed.tokens >= 0.7 * budget


@given(files=FILES, form=st.sampled_from(Form), detail=st.sampled_from(Detail))
def test_pages_tell_of_each_file_once_and_in_order(
    files: list[tuple[str, list[str]]], form: Form, detail: Detail
) -> None:
    if detail is Detail.OVERVIEW:
        return
    given_material = material(files, is_focused=False)
    told: list[str] = []
    offset: int | None = 0
    while offset is not None:
        page = pack_codebase(given_material, budget=200, form=form, detail=detail, offset=offset)
        assert page.files or page.next_offset is None
        told += page.files
        offset = page.next_offset

    assert told == [file.path for file in given_material.part.files]


def test_a_budget_in_which_no_file_fits_is_refused() -> None:
    given_material = material([("", ["words"])], is_focused=False)
    long = replace(given_material.part.files[0], path="x" * 900)
    part = Part((long,), {})

    with pytest.raises(MuError, match="200 tokens are too few"):
        pack_codebase(
            replace(given_material, part=part), budget=200, form=Form.MU, detail=Detail.SIGNATURES
        )
