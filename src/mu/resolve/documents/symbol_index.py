"""Symbol index: definitions by every name that a document may use for them."""

import re
from collections import defaultdict
from collections.abc import Sequence

from mu.model.graph import Graph
from mu.model.kinds import EdgeKind, NodeKind, Reason, Rule
from mu.model.packed_rows import PackedEdges

Outcome = tuple[int, Rule | None, Reason | None, int]
"""(target node or -1, rule, reason, candidates) of a pointer."""

CLEAR = re.compile(r"[a-z][A-Z]|[A-Z][a-z]+[A-Z]|\w_\w|\w\.\w")
"""A pattern that is found in words which are clearly names of code."""

_CODE_KINDS = (NodeKind.MODULE, NodeKind.CLASS, NodeKind.FUNCTION, NodeKind.VARIABLE)


class SymbolIndex:
    """The definitions of the repository, by every name that a document may use for them."""

    def __init__(self, graph: Graph) -> None:
        self._nodes = graph.nodes
        self._qualified: dict[str, list[int]] = defaultdict(list)
        self._named: dict[str, list[int]] = defaultdict(list)
        self._members: dict[tuple[int, str], int] = {}
        self._outside: dict[str, list[int]] = defaultdict(list)
        self._found: dict[tuple[str, str, bool], Outcome] = {}
        qualified, named, members = self._qualified, self._named, self._members
        for node in graph.nodes:
            key, _, kind, _, name, dotted, _, _, file, parent = node[:10]
            if kind == NodeKind.EXTERNAL:
                self._outside[dotted].append(key)
                if CLEAR.search(name):
                    self._outside[name].append(key)
            elif file >= 0 and kind in _CODE_KINDS:
                qualified[dotted].append(key)
                named[name].append(key)
                members.setdefault((parent, name), key)
        self._bases: dict[int, list[int]] = defaultdict(list)
        edges = PackedEdges.of(graph.edges)
        for source, target in edges.ends(EdgeKind.INHERITS):
            self._bases[source].append(target)
        for source, target in edges.ends(EdgeKind.IMPORTS):
            if graph.nodes[target].file >= 0:
                self._members.setdefault((source, graph.nodes[target].name), target)

    def find(self, text: str, scope: str, *, is_import: bool) -> Outcome:
        """Return the outcome of a dotted name in a document about `scope`.

        An import is a full name.
        """
        asked = text, scope, is_import
        known = self._found.get(asked)
        if known is None:
            known = self._found[asked] = self._find(text, scope, is_import=is_import)
        return known

    def _find(self, text: str, scope: str, *, is_import: bool) -> Outcome:
        for dotted in (f"{scope}.{text}", text) if scope else (text,):
            found = self._qualified.get(dotted)
            if found:
                return only(self._best(found), Rule.SYNTAX)
            member = self._member(dotted)
            if member is not None:
                return member[0], member[1], None, 1
        outside = self._outside.get(text, ())
        if is_import:
            return self._external(outside) or (-1, None, Reason.UNKNOWN, 0)
        name = text.rpartition(".")[2]
        ending = f".{text}"
        found = [
            key
            for key in self._named.get(name, ())
            if "." not in text or self._nodes[key].qualified_name.endswith(ending)
        ]
        if not found and "." in text:
            owner, _, name = text.rpartition(".")
            owners = self._best(self._named.get(owner.rpartition(".")[2], []))
            owners = [
                key for key in owners if f".{self._nodes[key].qualified_name}".endswith(f".{owner}")
            ]
            if len(owners) == 1:
                inherited = self._inherited(owners[0], name)
                if inherited >= 0:
                    return inherited, Rule.INHERITED, None, 1
        external = None if found else self._external(outside)
        return external or only(self._best(found), Rule.UNIQUE_NAME)

    def _external(self, found: Sequence[int]) -> Outcome | None:
        return (found[0], Rule.UNIQUE_NAME, Reason.EXTERNAL, 1) if len(found) == 1 else None

    def _member(self, dotted: str) -> tuple[int, Rule] | None:
        """Find a member by its full name, through imports of modules and bases of classes."""
        parts = dotted.split(".")
        for split in range(len(parts) - 1, 0, -1):
            owners = self._qualified.get(".".join(parts[:split]))
            if not owners:
                continue
            key, rule = self._best(owners)[0], Rule.IMPORT
            for name in parts[split:]:
                below = self._members.get((key, name), -1)
                if below < 0:
                    below, rule = self._inherited(key, name), Rule.INHERITED
                if below < 0:
                    return None
                key = below
            return key, rule
        return None

    def _inherited(self, key: int, name: str) -> int:
        """Find a member on the nearest base of a class, breadth first; -1 if there is none."""
        seen, waiting = {key}, [key]
        while waiting:
            current = waiting.pop(0)
            found = self._members.get((current, name), -1)
            if found >= 0:
                return found
            waiting += [base for base in self._bases.get(current, ()) if base not in seen]
            seen.update(waiting)
        return -1

    def _best(self, found: Sequence[int]) -> list[int]:
        """Drop tests if there is anything else, and all but one of equal names with one parent."""
        nodes = [self._nodes[key] for key in found]
        nodes = [node for node in nodes if not node.is_test] or nodes
        firsts: dict[tuple[int, str], int] = {}
        for node in nodes:
            firsts.setdefault(
                (node.parent if node.parent >= 0 else -1 - node.key, node.name), node.key
            )
        return list(firsts.values())


def only(found: Sequence[int], rule: Rule) -> Outcome:
    """Return the outcome of a single match, or the reason why there is none."""
    if len(found) == 1:
        return found[0], rule, None, 1
    return -1, None, Reason.AMBIGUOUS if found else Reason.UNKNOWN, len(found)
