"""Linking a part again gives the graph that linking everything gives, row for row."""

import re
import tempfile
from dataclasses import fields
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from judging.pipeline import link_sources, read_sources, write_files

from mu.model.graph import Graph
from mu.resolve import Linking
from properties.texts import CASES
from support.examples import examples

_WORD = re.compile(r"[A-Za-z_]\w*")
_STATEMENT = re.compile(r"\s*[\w.]+(\(.*\))+;?").fullmatch
_COMMENTS = {".py": "# a remark", ".rs": "// a remark"}
_STEPS = 5

Files = dict[str, str]

few = examples(1)


def _pick(data: st.DataObject, things: list[str]) -> str:
    return data.draw(st.sampled_from(sorted(things)))


def _remark(data: st.DataObject, files: Files, path: str) -> None:
    """Put a comment, or nothing, on lines of their own."""
    lines = files[path].splitlines()
    place = data.draw(st.integers(0, len(lines)))
    remark = _COMMENTS.get(Path(path).suffix, "// a remark")
    indent = re.match(r"\s*", lines[place])[0] if place < len(lines) else ""
    lines.insert(place, indent + remark if data.draw(st.booleans()) else "")
    files[path] = "\n".join(lines) + "\n"


def _repeat(data: st.DataObject, files: Files, path: str) -> None:
    """Say a line twice, there or elsewhere."""
    lines = files[path].splitlines() or [""]
    line = lines[data.draw(st.integers(0, len(lines) - 1))]
    lines.insert(data.draw(st.integers(0, len(lines))), line)
    files[path] = "\n".join(lines) + "\n"


def _call(data: st.DataObject, files: Files, path: str) -> None:
    """Call once more what is called somewhere, below a line that is a statement by itself."""
    lines = files[path].splitlines()
    calls = [line for text in files.values() for line in text.splitlines() if _STATEMENT(line)]
    places = [place for place, line in enumerate(lines) if _STATEMENT(line)]
    if places:
        place = data.draw(st.sampled_from(places))
        call = _pick(data, calls).strip() if data.draw(st.booleans()) else lines[place].strip()
        indent = re.match(r"\s*", lines[place])[0]
        if data.draw(st.booleans()):
            lines.insert(place, indent + call)
        else:
            lines[place] = indent + call
        files[path] = "\n".join(lines) + "\n"


def _drop(data: st.DataObject, files: Files, path: str) -> None:
    lines = files[path].splitlines() or [""]
    del lines[data.draw(st.integers(0, len(lines) - 1))]
    files[path] = "\n".join(lines) + "\n"


def _rename(data: st.DataObject, files: Files, path: str) -> None:
    """Write another word of the repository in the place of one, once or everywhere in a file."""
    words = _WORD.findall(files[path])
    if words:
        word = _pick(data, words)
        other = _pick(data, [w for text in files.values() for w in _WORD.findall(text)] + ["fresh"])
        count = data.draw(st.sampled_from((0, 1)))
        files[path] = re.sub(rf"\b{word}\b", other, files[path], count=count)


def _cut(data: st.DataObject, files: Files, path: str) -> None:
    """Leave the text broken."""
    files[path] = files[path][: data.draw(st.integers(0, len(files[path])))]


def _swap(data: st.DataObject, files: Files, path: str) -> None:
    other = _pick(data, list(files))
    files[path], files[other] = files[other], files[path]


def _remove(_: st.DataObject, files: Files, path: str) -> None:
    if len(files) > 1:
        del files[path]


def _add(data: st.DataObject, files: Files, path: str) -> None:
    """A copy of a file beside it, or above it."""
    folder, _, name = path.rpartition("/")
    new = name if data.draw(st.booleans()) else f"{folder}/new_{name}".lstrip("/")
    files[new] = files[path]


def _extend(data: st.DataObject, files: Files, path: str) -> None:
    """The text of another file below, which may redefine what it has."""
    files[path] += "\n" + files[_pick(data, list(files))]


_EDITS = (
    *(_remark, _call, _call, _call, _call, _call),
    *(_repeat, _drop, _rename, _cut, _swap, _remove, _add, _extend),
)


def _differences(one: Graph, other: Graph) -> list[str]:
    """The tables that differ, with the first rows that do."""
    found = []
    for table in fields(Graph):
        rows, others = getattr(one, table.name), getattr(other, table.name)
        if list(rows) != list(others):
            pairs = list(zip(rows, others, strict=False))
            first = next((pair for pair in pairs if pair[0] != pair[1]), None)
            found.append(f"{table.name}: {len(rows)} and {len(others)}: {first}")
    return found


@pytest.mark.slow(reason="links a project twice after each of five edits")
@few
@given(st.integers(0, len(CASES) - 1), st.data())
def test_relinking_after_each_edit_gives_the_graph_made_anew(
    number: int, data: st.DataObject
) -> None:
    case = CASES[number]
    files = dict(case.files)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_files(files, folder)
        linking = Linking(read_sources(folder, roots=case.roots))
        for _ in range(_STEPS):
            path = _pick(data, list(files))
            data.draw(st.sampled_from(_EDITS))(data, files, path)
            for old in folder.rglob("*"):
                if old.is_file():
                    old.unlink()
            write_files(files, folder)
            sources = read_sources(folder, roots=case.roots)

            graph = linking.relink(sources)

            assert _differences(graph, link_sources(sources)) == []
        linking.close()
