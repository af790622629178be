"""Imports as rows: which name comes from where, and under what condition."""

import tree_sitter as ts

from mu.model.facts import Flag, Import
from mu.syntax.grammar import Captures
from mu.syntax.outline import Outline


def collect_imports(matches: dict[str, list[Captures]], outline: Outline) -> tuple[Import, ...]:
    """Every imported name, in the order of the text."""
    source = outline.source
    found: list[tuple[int, Import]] = []
    for role, flag in _ROLES:
        for parts in matches.get(role, ()):
            node = parts[role][0]
            taken = (parts.get("name") or parts.get("module") or [node])[0]
            row = Import(
                scope=outline.scope_map.at(node.start_byte),
                local=_text(source, parts, "alias") or _text(source, parts, "name"),
                level=len(_text(source, parts, "level").strip()),
                module=_text(source, parts, "module"),
                name=_text(source, parts, "name"),
                flags=flag | outline.condition_of(node),
                line=taken.start_point[0] + 1,
            )
            found.append((taken.start_byte, row))
    return tuple(row for _, row in sorted(found, key=lambda item: item[0]))


_ROLES = (
    ("import.module", Flag.NONE),
    ("import.name", Flag.NONE),
    ("import.wildcard", Flag.WILDCARD),
)


def _text(source: bytes, parts: dict[str, list[ts.Node]], part: str) -> str:
    nodes = parts.get(part)
    if not nodes:
        return ""
    text = source[nodes[0].start_byte : nodes[0].end_byte].decode("utf-8", "replace")
    return text if text.isidentifier() else "".join(text.split())
