"""Wikis to test with: a small one, and one of 36 pages and some 340 KB, made of words."""

import random
from pathlib import Path

TOPICS = (
    "retries", "sessions", "templates", "migrations", "caching", "signals", "webhooks", "uploads",
    "translation", "throttling", "permissions", "scheduling",
)  # fmt: skip
"""What the pages are about: a concept, a component and a guide of each."""

_FOLDERS = ("concepts", "components", "guides")
_FILLER = (
    "system", "value", "request", "stored", "handled", "order", "worker", "client", "record",
    "result", "table", "field", "change", "path", "state", "queue", "index", "limit", "event",
    "owner", "policy", "service", "handler", "default", "option", "number", "window", "message",
)  # fmt: skip
_PAGE_CHARACTERS = 9_450


def write_wiki(folder: Path) -> Path:
    """Write the pages below a folder and give it."""
    chance = random.Random(7)
    for topic in TOPICS:
        for kind in _FOLDERS:
            path = folder / kind / f"{topic}.md"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(_page(topic, kind, chance), encoding="utf-8")
    return folder


def _page(topic: str, kind: str, chance: random.Random) -> str:
    head = f"---\ntitle: {topic.capitalize()} {kind}\nowner: team-{topic}\n---\n# {topic}\n\n"
    parts = [head, f"What the {kind} of {topic} are.\n\n"]
    length = sum(map(len, parts))
    while length < _PAGE_CHARACTERS:
        words = chance.choices(_FILLER, k=60)
        if chance.random() < 0.3:
            words[5] = topic
        if chance.random() < 0.05:
            words[9] = chance.choice(TOPICS)
        part = " ".join(words).capitalize() + ".\n\n"
        parts.append(part)
        length += len(part)
    return "".join(parts)


SMALL = {
    "concepts/login.md": "---\ntitle: Login\nowner: ann\n---\nHow somebody enters.\n",
    "guides/entering.md": "# Entering\n\nlogin login login login login\n",
    "notes.txt": "No heading, and (*) signs.\n",
    ".hidden/secret.md": "# Hidden\n",
    "_drafts/draft.md": "# Draft\n",
    "things.md": "---\ncategory: Guides\n---\n# Things\n\nOf all sorts.\n",
}
"""A small wiki: two pages of it are hidden."""


def folder_of(tmp_path: Path, pages: dict[str, str]) -> Path:
    """Write pages, by their paths, below a folder and give it."""
    for path, content in pages.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(content, encoding="utf-8")
    return tmp_path
