"""Type parameters: names in annotations that stand for any type, so for nothing that is defined."""

import re

from mu.syntax.outline import Outline

_NAME = re.compile(r"\W*(\w+)")


class TypeParameters:
    """The type parameters that each definition of a file sees: its own and those around it."""

    def __init__(self, outline: Outline) -> None:
        self._outline = outline
        self._own = {
            number: frozenset(_names(outline, number))
            for number, draft in enumerate(outline.drafts)
            if "generics" in draft.parts
        }
        self._seen: dict[int, frozenset[str]] = {-1: frozenset()}

    def of(self, definition: int) -> frozenset[str]:
        """Their names; none for -1, the file itself."""
        if not self._own:
            return self._seen[-1]
        inward = []
        while definition not in self._seen:
            inward.append(definition)
            definition = self._outline.owner_at(self._outline.drafts[definition].node.start_byte)
        seen = self._seen[definition]
        for number in reversed(inward):
            seen = self._seen[number] = seen | self._own.get(number, frozenset())
        return seen


def _names(outline: Outline, number: int) -> list[str]:
    holder = outline.drafts[number].parts["generics"][0]
    texts = (outline.source[node.start_byte : node.end_byte] for node in holder.named_children)
    found = (_NAME.match(text.decode("utf-8", "replace")) for text in texts)
    return [match[1] for match in found if match is not None]
