"""Pack a repository, or a part of it, into one document within a token budget."""

import shlex
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import PurePosixPath

from mu.context import CHARACTERS
from mu.context.codebase import (
    Detail,
    Form,
    Head,
    Lines,
    Material,
    Part,
    PartFile,
    definitions,
    find_part,
    pack_codebase,
    read_outlines,
)
from mu.errors import ExitCode, MuError
from mu.model.relation import Relation
from mu.operations.packing.part_overview import overview
from mu.operations.source_lines import SourceLines, safe_lines
from mu.operations.workspace import Workspace
from mu.render.shown import Shown
from mu.render.text import printable
from mu.source import native_path

FEWEST_TOKENS, MOST_TOKENS = 200, 1_000_000
DEFAULT_TOKENS = 8_000

_SAMPLE = 10
_LONGEST_LINE = 400
"""Characters of a line that are shown; longer ones are data, not code."""

_LONGEST_READ = 4_000
"""Characters of a line that are looked at for secrets, so that none is cut in two."""

_PATHS = "SELECT path FROM file WHERE status = 'indexed'"

More = Callable[[int], str]
"""Gives the call that reads on after a number of files."""


@dataclass(frozen=True, slots=True)
class Codebase(Shown):
    """A part of a repository as `text`, of about `tokens` and at most `budget` tokens.

    Of the part: how many files and lines it has, its size in units of 1,000 bytes, the tokens that
    its files would take, its most important files, and how many there are beside those. `files`
    are those whose signatures the text tells, `sources` those of which it shows source. `notes` say
    what is missing and why. `next_offset` is what to pass as `offset` for the files after these,
    None at the end.
    """

    path: str
    focus: str
    detail: Detail
    budget: int
    tokens: int
    text: str
    file_count: int
    total_lines: int
    size_kb: int
    estimated_tokens: int
    sample_files: tuple[str, ...]
    remaining_count: int
    files: tuple[str, ...]
    sources: tuple[str, ...]
    notes: tuple[str, ...]
    next_offset: int | None

    def with_note(self, note: str) -> "Codebase":
        """Give the same with one more note."""
        return replace(self, notes=(*self.notes, note))


@dataclass(frozen=True, slots=True)
class PackRequest:
    """What to pack: a part, a focus in it, a token budget, a level of detail and a format."""

    path: str
    focus: str
    tokens: int
    detail: Detail
    form: Form = Form.MU
    offset: int = 0
    has_sample: bool = False  # whether the head names the most important files


def pack(
    workspace: Workspace,
    path: str = "",
    *,
    tokens: int = DEFAULT_TOKENS,
    focus: str = "",
    form: Form = Form.MU,
    offset: int = 0,
) -> Codebase:
    """Pack a repository, or the part at a path, into one document: signatures, then sources.

    What most depends on comes first, or with a `focus` what says most about it; tests come last. As
    much as fits into `tokens`, estimated as characters / 4, and never more. Secrets are taken out,
    and source is shown only of files that are as they were when the graph was built. Raises
    MuError (usage) for a path that leads out of the repository, and (no node) for one that is not
    there.
    """
    asked = PackRequest(path, focus, tokens, Detail.SOURCE, form, offset)
    return _with_staleness_note(
        workspace, pack_part(workspace, asked, more=lambda rest: _command("pack", asked, rest))
    )


def compress(
    workspace: Workspace,
    path: str = "",
    *,
    tokens: int = DEFAULT_TOKENS,
    focus: str = "",
    offset: int = 0,
) -> Codebase:
    """List the signatures of a repository, or of the part at a path, as MU text.

    As `pack` does it without sources: public signatures by file, then what is said about them, then
    what is private.
    """
    asked = PackRequest(path, focus, tokens, Detail.SIGNATURES, Form.MU, offset)
    return _with_staleness_note(
        workspace, pack_part(workspace, asked, more=lambda rest: _command("compress", asked, rest))
    )


def _with_staleness_note(workspace: Workspace, told: Codebase) -> Codebase:
    """Add a note on files that changed since the graph was built."""
    return replace(told, notes=(*workspace.freshness.notes, *told.notes))


def pack_part(workspace: Workspace, asked: PackRequest, *, more: More) -> Codebase:
    """Pack what is requested; raises what `pack` raises."""
    if not FEWEST_TOKENS <= asked.tokens <= MOST_TOKENS:
        what = f"a budget of {asked.tokens} tokens is out of range"
        raise MuError(what, f"give one from {FEWEST_TOKENS} to {MOST_TOKENS:,}", ExitCode.USAGE)
    if asked.offset < 0:
        raise MuError(f"offset {asked.offset} is negative", "give 0 or more", ExitCode.USAGE)
    graph = workspace.graph
    prefix = _checked(workspace, asked.path)
    part = find_part(graph, prefix, focus=asked.focus)
    sample = _sample(part, asked.tokens)
    facts = _facts(part, prefix, sample if asked.has_sample else None)
    material = Material(
        part,
        Head(facts, overview(graph, part, prefix=prefix)),
        outlines=lambda files: read_outlines(graph, files),
        definitions=lambda: definitions(graph, part),
        lines=_reader(workspace, part),
        more=more,
    )
    packed = pack_codebase(
        material, budget=asked.tokens, form=asked.form, detail=asked.detail, offset=asked.offset
    )
    return Codebase(
        prefix or ".",
        asked.focus,
        asked.detail,
        asked.tokens,
        packed.tokens,
        packed.text,
        *_sizes(part),
        sample,
        len(part.files) - len(sample),
        packed.files,
        packed.sources,
        tuple(_notes(part, asked, packed.changed)),
        packed.next_offset,
    )


def _checked(workspace: Workspace, path: str) -> str:
    """Normalise a path from the root; '' is the root itself. Raises MuError (usage, no node)."""
    parts = PurePosixPath(path)
    if parts.is_absolute():
        raise MuError(f"{path} is absolute", "give a path from the root", ExitCode.USAGE)
    if ".." in parts.parts or "\0" in path:
        raise MuError(f"{path!r} leads out of the repository", "give a path in it", ExitCode.USAGE)
    prefix = "" if parts == PurePosixPath() else parts.as_posix()
    root = workspace.root.resolve()
    place = workspace.root / native_path(prefix)
    if not place.resolve().is_relative_to(root):
        raise MuError(f"{path} leads out of the repository by a link", code=ExitCode.USAGE)
    if not place.exists():
        raise MuError(f"there is no {path} here", _nearest(workspace, prefix), ExitCode.NO_NODE)
    return prefix


def _nearest(workspace: Workspace, prefix: str) -> str:
    """Suggest the folder or file whose path is most like one that is not there."""
    rows = workspace.graph.run(Relation(_PATHS), limit=None).rows
    paths = [PurePosixPath(str(path)) for (path,) in rows]
    known = {each.as_posix() for path in paths for each in (path, *path.parents)} - {"."}
    found = get_close_matches(prefix, sorted(known), n=1)
    return f"did you mean {found[0]}?" if found else "paths are from the root of the repository"


def _notes(part: Part, asked: PackRequest, changed: Sequence[str]) -> Iterator[str]:
    """Note what is missing from the text, and why."""
    if not part.files:
        yield "there is nothing here that MU reads; see `mu kernel languages`"
    elif asked.focus and not part.focused:
        yield f"nothing here says anything about '{asked.focus}'"
    if changed:
        files = "1 file" if len(changed) == 1 else f"{len(changed):,} files"
        yield f"{files} changed after the build, so no source is shown of them: `mu kernel build`"


def _sizes(part: Part) -> tuple[int, int, int, int]:
    """Give the number of files and lines, the size, and the tokens that all files would take."""
    size = sum(file.bytes for file in part.files)
    lines = sum(file.lines for file in part.files)
    return len(part.files), lines, round(size / 1000), -(-size // CHARACTERS)


def _sample(part: Part, tokens: int) -> tuple[str, ...]:
    """Give the most important files, ten at most, whose paths fit into a fifth of a budget."""
    paths = [printable(file.path) for file in part.files[:_SAMPLE]]
    while sum(map(len, paths)) > tokens * CHARACTERS // 5:
        paths.pop()
    return tuple(paths)


def _facts(part: Part, prefix: str, sample: Sequence[str] | None) -> tuple[tuple[str, str], ...]:
    names = ("file_count", "total_lines", "size_kb", "estimated_tokens")
    counts = zip(names, map(str, _sizes(part)), strict=True)
    facts = (("path", printable(prefix) or "."), *counts)
    if sample is None:
        return facts
    rest = str(len(part.files) - len(sample))
    return (*facts, ("sample_files", ",".join(sample)), ("remaining_count", rest))


def _reader(workspace: Workspace, part: Part) -> Lines:
    """Give a function that reads lines of the files, without secrets, long ones cut."""
    source = SourceLines(workspace)
    source.expect(file.path for file in part.files)

    def lines(file: PartFile, first: int, last: int) -> Sequence[str]:
        read = [line[:_LONGEST_READ] for line in source.between(file.path, first=first, last=last)]
        return [
            line if len(line) <= _LONGEST_LINE else f"{line[:_LONGEST_LINE]}..."
            for line in safe_lines(read)
        ]

    return lines


def _command(verb: str, asked: PackRequest, rest: int) -> str:
    """Write the command that reads on."""
    words = ["mu", verb, *([asked.path] if asked.path else []), "--tokens", str(asked.tokens)]
    words += ["--focus", asked.focus] if asked.focus else []
    words += ["--format", asked.form] if asked.form is not Form.MU else []
    return printable(shlex.join([*words, "--offset", str(rest)]))
