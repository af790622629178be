"""Definitions as rows: headers read part by part, bodies by what they give and how they branch."""

import inspect
from collections import Counter
from hashlib import blake2b

import tree_sitter as ts

from mu.model.facts import (
    Binding,
    BindingKind,
    Definition,
    Flag,
    Op,
    Parameter,
    Reference,
    ReferenceKind,
)
from mu.syntax.annotations import AnnotationReader
from mu.syntax.expressions import ExpressionTable
from mu.syntax.grammar import Captures
from mu.syntax.outline import Draft, Outline
from mu.syntax.type_parameters import TypeParameters

LONGEST_SIGNATURE = 1000
LONGEST_DOCSTRING = 4000


class DefinitionBuilder:
    """Builds the rows of one file, gathering the references and bindings of headers on the way."""

    def __init__(
        self,
        outline: Outline,
        matches: dict[str, list[Captures]],
        *,
        values: ExpressionTable,
        annotations: AnnotationReader,
    ) -> None:
        self._outline = outline
        self._matches = matches
        self._values = values
        self._annotations = annotations
        self.references: list[Reference] = []
        self.bindings: list[Binding] = []
        self._type_parameters = TypeParameters(outline)
        self._annotated: set[tuple[int, int]] = set()  # (row, owner) of the references there are
        self._docstrings = {
            parts["docstring"][0].start_byte: parts["text"][0]
            for parts in matches.get("docstring", ())
            if parts["docstring"][0].parent is not None
        }

    def build(self) -> tuple[Definition, ...]:
        """All definitions, in the order of the outline's drafts."""
        branches = Counter(
            self._outline.owner_at(parts["branch"][0].start_byte)
            for parts in self._matches.get("branch", ())
        )
        returned = self._given("return")
        yielded = self._given("yield")
        generators = {
            self._outline.owner_at(parts["generator"][0].start_byte)
            for parts in self._matches.get("generator", ())
        }
        rows = []
        for number, draft in enumerate(self._outline.drafts):
            flags = Flag.GENERATOR if number in generators else Flag.NONE
            given = returned.get(number, ()), yielded.get(number, ())
            rows.append(self._definition(number, draft, flags, branches[number] + 1, given))
        return tuple(rows)

    def declare(self, node: ts.Node) -> int:
        """The row of an annotation that stands with a variable, its references noted."""
        return self._annotation(node, self._outline.named_owner_at(node.start_byte))

    def module_docstring(self) -> str:
        """What documents the file itself."""
        for parts in self._matches.get("docstring", ()):
            if parts["docstring"][0].parent is None:
                return self._clean(parts["text"][0])
        return ""

    def _definition(
        self,
        number: int,
        draft: Draft,
        flags: Flag,
        complexity: int,
        given: tuple[tuple[int, ...], tuple[int, ...]],
    ) -> Definition:
        node, parts = draft.node, draft.parts
        start_line = node.start_point[0] + 1
        returned, yielded = given
        if draft.subkind == "lambda":
            returned = (self._values.build(draft.body),)
        if "async" in parts:
            flags |= Flag.ASYNC
        returns = parts.get("returns")
        docstring = self._docstrings.get(draft.body.start_byte)
        text = self._outline.source[node.start_byte : node.end_byte]
        return Definition(
            kind="class" if draft.is_class else "function",
            subkind=draft.subkind,
            name="" if draft.name is None else self._values.text(draft.name),
            scope=self._outline.scope_map.at(node.start_byte),
            body=self._outline.body_scopes[number],
            start_line=start_line,
            end_line=node.end_point[0] + 1,
            signature=self._signature(draft),
            docstring="" if docstring is None else self._clean(docstring),
            flags=flags | self._outline.condition_of(node),
            parameters=self._parameters(number, draft),
            returns=self._annotation(returns[0], number) if returns else 0,
            returns_text=self._squeezed(returns[0]) if returns else "",
            decorators=self._decorators(number, draft),
            bases=self._bases(number, draft),
            returned=returned,
            yielded=yielded,
            complexity=complexity,
            digest=blake2b(text, digest_size=8).hexdigest(),
        )

    def _given(self, role: str) -> dict[int, tuple[int, ...]]:
        """What each definition returns or yields, each expression once."""
        found: dict[int, dict[int, None]] = {}
        for parts in self._matches.get(role, ()):
            owner = self._outline.owner_at(parts[role][0].start_byte)
            found.setdefault(owner, {})[self._values.build(parts["value"][0])] = None
        return {owner: tuple(rows) for owner, rows in found.items()}

    def _parameters(self, number: int, draft: Draft) -> tuple[Parameter, ...]:
        found = [
            self._parameter(node, role, parts, number) for node, role, parts in draft.parameters
        ]
        body = self._outline.body_scopes[number]
        line = draft.node.start_point[0] + 1
        for row in found:
            self._bind_parameter(row, body, line)
        return tuple(found)

    def _parameter(self, node: ts.Node, role: str, parts: Captures, number: int) -> Parameter:
        return Parameter(
            name=self._values.text(parts["name"][0] if "name" in parts else node),
            kind={"parameter.rest": "*", "parameter.keywords": "**"}.get(role, ""),
            text=self._squeezed(node),
            annotation=self._annotation(parts["type"][0], number) if "type" in parts else 0,
            default=self._values.build(parts["value"][0]) if "value" in parts else 0,
        )

    def _bind_parameter(self, row: Parameter, scope: int, line: int) -> None:
        if row.annotation:
            declared = row.annotation
            if row.kind:
                holder = {"*": "tuple", "**": "dict"}[row.kind]
                declared = self._values.row((int(Op.COMPREHENSION), holder, declared, ()))
            kind = BindingKind.DECLARED
            self.bindings.append(Binding(kind, scope, 0, row.name, declared, line))
        if row.default:
            self.bindings.append(Binding(BindingKind.VALUE, scope, 0, row.name, row.default, line))

    def _annotation(self, node: ts.Node, number: int) -> int:
        row = self._annotations.read(node)
        line = node.start_point[0] + 1
        own = self._type_parameters.of(number)
        for leaf in self._annotations.leaves(row):
            if (leaf, number) not in self._annotated and self._values.rows[leaf][1] not in own:
                self._annotated.add((leaf, number))
                self.references.append((ReferenceKind.ANNOTATION, leaf, number, line))
        return row

    def _decorators(self, number: int, draft: Draft) -> tuple[tuple[int, int, str], ...]:
        found = []
        for node in draft.decorators:
            row, line = self._values.build_annotation(node), node.start_point[0] + 1
            found.append((row, line, self._squeezed(node)))
            op, _, base, _ = self._values.rows[row]
            used = base if op == Op.CALL else row
            if used:
                self.references.append((ReferenceKind.DECORATOR, used, number, line))
        return tuple(found)

    def _bases(self, number: int, draft: Draft) -> tuple[tuple[int, int, str], ...]:
        holder = draft.parts.get("bases")
        if not holder:
            return ()
        found = []
        for node in holder[0].named_children:
            row, line = self._values.build_annotation(node), node.start_point[0] + 1
            op, text, base, _ = self._values.rows[row]
            if op == Op.KEYWORD:
                found.append((base, line, text))
            elif op != Op.OPAQUE or node.type != "comment":
                found.append((row, line, ""))
                used = base if op == Op.INDEX else row
                self.references.append((ReferenceKind.BASE, used, number, line))
                for leaf in self._annotations.arguments(row):
                    self.references.append((ReferenceKind.ANNOTATION, leaf, number, line))
        return tuple(found)

    def _signature(self, draft: Draft) -> str:
        start, end = draft.node.start_byte, draft.body.start_byte
        if draft.subkind == "lambda":
            end = draft.node.end_byte
        text = self._outline.source[start:end].decode("utf-8", "replace")
        return " ".join(text.split()).rstrip(": ")[:LONGEST_SIGNATURE]

    def _squeezed(self, node: ts.Node) -> str:
        text = self._values.text(node)
        return " ".join(text.split()) if "\n" in text else text

    def _clean(self, node: ts.Node) -> str:
        text = self._values.text(node)
        return (inspect.cleandoc(text) if "\n" in text else text.strip())[:LONGEST_DOCSTRING]
