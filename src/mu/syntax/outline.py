"""The skeleton of a file: which scopes and definitions it has, and what holds any byte of it.

A definition's name is bound in the scope around it; its body is a scope of its own, and headers
(decorators, bases, defaults, annotations) are outside that. So the innermost body that holds a byte
answers both in which scope a name is read and on whose behalf something runs.
"""

from dataclasses import dataclass, field

import tree_sitter as ts

from mu.model.facts import Flag, Scope, ScopeKind
from mu.syntax.grammar import Captures, NodeQuery
from mu.syntax.scopes import Region, RegionMap


@dataclass(slots=True)
class Draft:
    """A definition while its parts, captured by several patterns, are gathered."""

    node: ts.Node
    parts: Captures
    is_class: bool = False
    subkind: str = ""
    name: ts.Node | None = None
    decorators: list[ts.Node] = field(default_factory=list)
    parameters: list[tuple[ts.Node, str, Captures]] = field(default_factory=list)

    @property
    def body(self) -> ts.Node:
        """The node whose scope the definition opens."""
        return self.parts["body"][0]


class Outline:
    """Scopes and drafts of one file; `owners` gives the definition that each scope runs for."""

    def __init__(
        self,
        source: bytes,
        root: ts.Node,
        matches: dict[str, list[Captures]],
        *,
        parameters: NodeQuery,
    ) -> None:
        self.source = source
        self._parameters = parameters
        self._root = root
        self._matches = matches
        self.drafts = self._draft()
        self.lambdas = {
            draft.body.start_byte: number
            for number, draft in enumerate(self.drafts)
            if draft.subkind == "lambda"
        }
        self._lay_out_scopes()
        annotations = matches.get("region.annotation", ())
        self._annotations = _covering(annotations, "region.annotation")
        self._conditions = tuple(
            (_covering(matches.get(role, ()), role), flag)
            for role, flag in (
                ("region.type_only", Flag.TYPE_ONLY),
                ("region.conditional", Flag.CONDITIONAL),
            )
        )

    def condition_of(self, node: ts.Node) -> Flag:
        """Under which conditions `node` stands."""
        flags = Flag.NONE
        for regions, flag in self._conditions:
            if regions.at(node.start_byte) >= 0:
                flags |= flag
        return flags

    def is_annotation(self, node: ts.Node) -> bool:
        """Whether `node` stands inside a type annotation."""
        return self._annotations.at(node.start_byte) >= 0

    def owner_at(self, byte: int) -> int:
        """The definition on whose behalf the code at `byte` runs, or -1 for the file's own."""
        return self.owners[self.scope_map.at(byte)]

    def named_owner_at(self, byte: int) -> int:
        """The same, but a function without a name counts as part of what is around it."""
        return self.named_owners[self.scope_map.at(byte)]

    def _draft(self) -> list[Draft]:
        drafts = [
            Draft(parts["definition.class"][0], parts, is_class=True, name=parts["name"][0])
            for parts in self._matches.get("definition.class", ())
        ]
        drafts += (
            Draft(parts["definition.function"][0], parts, name=parts["name"][0])
            for parts in self._matches.get("definition.function", ())
        )
        names = {
            parts["body"][0].start_byte: parts["name"][0]
            for parts in self._matches.get("definition.lambda", ())
        }
        for parts in self._matches.get("scope.function", ()):
            name = names.get(parts["body"][0].start_byte)
            node = parts["scope.function"][0]
            drafts.append(Draft(node, parts, subkind="lambda", name=name))
        drafts.sort(key=lambda draft: (draft.node.start_byte, -draft.node.end_byte))
        self._decorate(drafts)
        for draft in drafts:
            for holder in draft.parts.get("parameters", ()):
                draft.parameters = [
                    (node, found[0].name, found[1])
                    for node in holder.named_children
                    if (found := self._parameters.ask(node)) is not None
                ]
        return drafts

    def _decorate(self, drafts: list[Draft]) -> None:
        by_start = {draft.node.start_byte: draft for draft in drafts}
        for parts in self._matches.get("decorator", ()):
            draft = by_start.get(parts["of"][0].start_byte)
            if draft is not None:
                draft.decorators.append(parts["value"][0])

    def _lay_out_scopes(self) -> None:
        """Number the scopes in the order of the text, the file itself first."""
        regions: list[Region] = [(-1, len(self.source) + 1)]
        kinds = [(ScopeKind.MODULE, -1)]
        nodes = [self._root]
        for number, draft in enumerate(self.drafts):
            nodes.append(draft.body)
            kinds.append((ScopeKind.CLASS if draft.is_class else ScopeKind.FUNCTION, number))
        for parts in self._matches.get("scope.block", ()):
            nodes.append(parts["scope.block"][0])
            kinds.append((ScopeKind.BLOCK, -1))
        regions += ((node.start_byte, node.end_byte) for node in nodes[1:])
        self.scope_map = RegionMap(regions)
        self.scopes = []
        self.owners: list[int] = []
        self.named_owners: list[int] = []
        self.body_scopes = [0] * len(self.drafts)
        for place, region in enumerate(self.scope_map.order):
            kind, definition = kinds[region]
            parent = self.scope_map.parents[place]
            node = nodes[region]
            lines = node.start_point[0] + 1, node.end_point[0] + 1
            self.scopes.append(Scope(kind, parent, definition, *lines))
            inherited = self.owners[parent] if parent >= 0 else -1
            self.owners.append(inherited if kind == ScopeKind.BLOCK else definition)
            is_named = definition >= 0 and self.drafts[definition].name is not None
            around = self.named_owners[parent] if parent >= 0 else -1
            self.named_owners.append(definition if is_named else around)
            if definition >= 0:
                self.body_scopes[definition] = place


def _covering(captured: list[Captures] | tuple[()], role: str) -> RegionMap:
    """A map that answers >= 0 inside any node captured as `role`."""
    nodes = (parts[role][0] for parts in captured)
    return RegionMap(list(dict.fromkeys((n.start_byte, n.end_byte) for n in nodes)))
