"""What a model is shown of a wiki before it asks: the best pages in part, and an index of all."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from mu.agent.values import Record
from mu.agent.wiki.pages import Entry
from mu.agent.wiki.scoring import rank
from mu.render.redaction import redact

_PART = 5  # the initial context stays under one part in so many of the wiki's characters

MOST_CHARACTERS = 12_000
"""The initial context of a large wiki: some 3,000 tokens, which leaves room for what is read."""

TOP = 5
_LEAST_SHOWN = 240  # characters for a page, else the index is folded to make room
_CUT = "[...]"


@dataclass(frozen=True, slots=True)
class InitialContext(Record):
    """The text, the paths of the pages shown in it, and how the index is folded.

    `index` is whole, folders, categories or none; `characters` are those of the text,
    `wiki_characters` those of all pages.
    """

    text: str
    pages: tuple[str, ...]
    index: str
    characters: int
    wiki_characters: int


def initial_context(entries: Sequence[Entry], task: str) -> InitialContext:
    """Show the five best pages for a task and the index, under a fifth of the wiki.

    Pages are shortened at the ends of paragraphs first; then the index is folded to folders, and
    to categories; then pages are left out, the worst first.
    """
    total = sum(len(entry.page.content) for entry in entries)
    room = min(MOST_CHARACTERS, max(0, -(-total // _PART) - 1))
    best = [entry for _, entry in rank(entries, task)[:TOP]]
    form, index = _fitting_index(entries, room=room, wanted=_LEAST_SHOWN * len(best))
    pages = _shortened(best, room - len(index))
    text = "".join(shown for _, shown in pages) + index
    shown = tuple(path for path, _ in pages)
    return InitialContext(text, shown, form, len(text), total)


def _fitting_index(entries: Sequence[Entry], *, room: int, wanted: int) -> tuple[str, str]:
    """The fullest index that leaves `wanted` characters for pages, else the fullest that fits."""
    forms = (
        ("whole", _whole(entries)),
        ("folders", _by_folder(entries)),
        ("categories", _by_category(entries)),
        ("none", ""),
    )
    for leave in (wanted, 0):
        for name, text in forms[:-1]:
            if len(text) <= room - leave:
                return name, text
    return forms[-1]


def _whole(entries: Sequence[Entry]) -> str:
    groups: defaultdict[str, list[str]] = defaultdict(list)
    for entry in entries:
        groups[entry.page.category].append(entry.page.path)
    rows = [f"{name}:\n" + "".join(f"- {p}\n" for p in groups[name]) for name in sorted(groups)]
    return redact("## All pages\n" + "".join(rows))


def _by_folder(entries: Sequence[Entry]) -> str:
    counts = Counter((e.page.category, str(PurePosixPath(e.page.path).parent)) for e in entries)
    rows = [f"- {name}: {count} in {at}/\n" for (name, at), count in sorted(counts.items())]
    return redact("## Pages by folder\n" + "".join(rows))


def _by_category(entries: Sequence[Entry]) -> str:
    counts = Counter(entry.page.category for entry in entries)
    rows = [f"- {name}: {count}\n" for name, count in sorted(counts.items())]
    return redact("## Pages by category\n" + "".join(rows))


def _shortened(best: Sequence[Entry], room: int) -> list[tuple[str, str]]:
    """Give the pages by path, each in its share of the room; what one leaves, the next may use."""
    for count in range(len(best), 0, -1):
        shown, left = [], room
        for place, entry in enumerate(best[:count]):
            text = _page(entry, left // (count - place))
            left -= len(text)
            shown.append((entry.page.path, text))
        if all(text for _, text in shown):
            return shown
    return []


def _page(entry: Entry, room: int) -> str:
    """A page with its head, cut at the end of a paragraph; nothing when not even the head fits."""
    page = entry.page
    head = redact(f"## {page.path}: {page.title} ({page.category})\n")
    body = redact(page.content.strip())
    if len(head) + len(body) + 2 <= room:
        return f"{head}{body}\n\n"
    body = cut_at_paragraph(body, room - len(head) - len(_CUT) - 3)
    shown = f"{head}{body}\n{_CUT}\n\n" if body else head
    return shown if len(shown) <= room else ""


def cut_at_paragraph(text: str, room: int) -> str:
    """Give whole paragraphs from the beginning, in at most `room` characters."""
    if room <= 0:
        return ""
    if len(text) <= room:
        return text
    end = text.rfind("\n\n", 0, room + 2)
    return text[:end].rstrip() if 0 < end <= room else ""
