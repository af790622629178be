"""Pack a part of a codebase into a budget: signatures of its files first, then their sources.

Files are taken in their order, so that what is left out can be asked for by its number. Each gets
its public signatures, one file a bounded share of the room; then comes the source of what is most
important in the files that were taken, then whole files, more words, and what is private. Every
piece is written out and counted before it is taken, so that a budget is never passed.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from mu.context.codebase.forms import WRITERS, Form, Head
from mu.context.codebase.importance import Definition, Part
from mu.context.codebase.outlines import Depth
from mu.context.codebase.room import Room
from mu.context.codebase.signatures import Outlines, Signatures
from mu.context.codebase.sources import Lines, Sources
from mu.context.tokens import CHARACTERS, estimate_tokens
from mu.errors import ExitCode, MuError


class Detail(StrEnum):
    """How much is told of a codebase."""

    OVERVIEW = "overview"
    SIGNATURES = "signatures"
    SOURCE = "source"


_HEAD = {Detail.OVERVIEW: 1.0, Detail.SIGNATURES: 0.15, Detail.SOURCE: 0.1}
"""The share of a budget that the lists of the head may take."""

_OUTLINES = 0.4
"""The share of the room that signatures take where sources are wanted."""

_FOCUSED_OUTLINES = 0.2
"""The same where a focus tells what sources are wanted."""

_ONE_OUTLINE, _LEAST_OF_ONE = 0.1, 300
"""The share of the room for signatures that one file takes at first, and characters at least."""

_ONE_SOURCE = 0.25
"""The share of the room that one definition's source takes."""


@dataclass(frozen=True, slots=True)
class Material:
    """What there is to pack.

    `definitions` are read when sources are wanted; `more` tells how to read on after some files.
    """

    part: Part
    head: Head
    outlines: Outlines
    definitions: Callable[[], Sequence[Definition]]
    lines: Lines
    more: Callable[[int], str]


@dataclass(frozen=True, slots=True)
class PackedCodebase:
    """What fits; `tokens` are estimated and at most the budget.

    `files` are those whose signatures are told, `sources` those of which text is shown, `changed`
    those that are no longer as they were when the graph was built. `next_offset` is how many files
    to leave out to read on, None at the end.
    """

    text: str
    tokens: int
    files: tuple[str, ...]
    sources: tuple[str, ...]
    changed: tuple[str, ...]
    next_offset: int | None


def pack_codebase(
    material: Material, *, budget: int, form: Form, detail: Detail, offset: int = 0
) -> PackedCodebase:
    """Tell as much of a part as fits into `budget` tokens, leaving out its first `offset` files.

    Raises MuError (usage) when not even what is told of the whole part, and one file, fits.
    """
    files = material.part.files[offset:]
    writer = WRITERS[form]
    whole = budget * CHARACTERS
    longest = material.more(len(material.part.files))
    frame = len(writer.document("", (), (), longest))
    head = writer.head(_fitting_head(material.head, form, int(whole * _HEAD[detail]) - frame))
    room = Room(whole, whole - frame - len(head))
    if room.left < 0:
        raise _too_few(budget)
    signatures = Signatures(files, material.outlines, writer, room)
    sources = Sources(material.lines, writer, room)
    if detail is Detail.SOURCE:
        _take_both(material, signatures, sources, room)
    elif detail is Detail.SIGNATURES:
        _take_signatures(signatures, room.left)
    signatures.lengthen()
    signatures.deepen(Depth.DESCRIBED)
    signatures.deepen(Depth.ALL)
    told = len(signatures.told)
    if files and not told and detail is not Detail.OVERVIEW:
        raise _too_few(budget)
    end = offset + told if told < len(files) and detail is not Detail.OVERVIEW else None
    rest = "" if end is None else material.more(end)
    text = writer.document(head, signatures.texts, sources.texts, rest)
    return PackedCodebase(
        text,
        estimate_tokens(text),
        tuple(file.path for file in files[:told]),
        sources.paths,
        tuple(sorted(sources.changed)),
        end,
    )


def _too_few(budget: int) -> MuError:
    what = f"{budget} tokens are too few to tell of this part"
    return MuError(what, f"give {2 * budget}", ExitCode.USAGE)


def _take_both(material: Material, signatures: Signatures, sources: Sources, room: Room) -> None:
    """Take signatures and the sources of what they tell of, in turn, while there is room."""
    files = {file.key: file for file in material.part.files}
    share = _FOCUSED_OUTLINES if material.part.focused else _OUTLINES
    waiting = material.definitions()
    largest = int(room.left * _ONE_SOURCE)
    told: set[str] = set()
    while True:
        _take_signatures(signatures, int(room.left * share))
        reached = {each.outline.path for each in signatures.told}
        if reached == told:
            break
        told = reached
        for each in waiting:
            if files[each.file].path in told:
                sources.add(each, files[each.file], most=largest)
        waiting = [each for each in waiting if files[each.file].path not in told]
    for file in files.values():
        if file.path in told:
            sources.complete(file)


def _take_signatures(signatures: Signatures, limit: int) -> None:
    signatures.take(limit, most_of_one=max(_LEAST_OF_ONE, int(limit * _ONE_OUTLINE)))


def _fitting_head(head: Head, form: Form, room: int) -> Head:
    """Give a head with as many items of each list as fit; the facts alone may take more."""
    write = WRITERS[form].head
    longest = max((len(items) for _, items in head.lists), default=0)
    for most in range(longest, 0, -1):
        lists = tuple((name, items[:most]) for name, items in head.lists if items)
        shorter = replace(head, lists=lists)
        if len(write(shorter)) <= room:
            return shorter
    return replace(head, lists=())
