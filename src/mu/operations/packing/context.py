"""Gather the source that answers a question, within a token budget, without a model."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from mu.context import Intent, Piece, Ranked, RankedFile, Sources, Style, pack, rank
from mu.errors import ExitCode, MuError
from mu.model.relation import Relation
from mu.operations.packing.ranking_inputs import repository_of
from mu.operations.source_lines import SourceLines, safe_lines
from mu.operations.workspace import Workspace
from mu.render.shown import Shown

DEFAULT_TOKENS = 4_000
FEWEST_TOKENS, MOST_TOKENS = 200, 1_000_000

_MEMBERS = """
SELECT parent, start_line, name, signature FROM node
WHERE list_contains($1::INTEGER[], parent) AND kind IN ('class', 'function', 'section')
ORDER BY start_line, key
"""


@dataclass(frozen=True, slots=True)
class RankedNode:
    """A node and why it is there; `score` is at most 1 and compares nodes of one question."""

    id: str
    kind: str
    path: str
    line: int
    score: float
    why: str


@dataclass(frozen=True, slots=True)
class ContextItem:
    """A node of a context: the `lines` of it that are shown, none where only its place is.

    `is_cut` says that there is more of it to read.
    """

    id: str
    kind: str
    path: str
    line: int
    end_line: int
    signature: str
    lines: tuple[str, ...]
    is_cut: bool
    score: float
    why: str


@dataclass(frozen=True, slots=True)
class Context(Shown):
    """What to read for `question`: `text` is all `items` written out, of at most `budget` tokens.

    `ranked_files` and `ranked_nodes` are everything that was ranked, the best first; they are for
    other programs and not part of the budget. `notes` say what changed since the graph was built.
    """

    question: str
    intent: Intent
    budget: int
    tokens: int
    text: str
    items: tuple[ContextItem, ...]
    ranked_files: tuple[RankedFile, ...]
    ranked_nodes: tuple[RankedNode, ...]
    notes: tuple[str, ...] = ()


def context(
    workspace: Workspace,
    question: str,
    *,
    tokens: int = DEFAULT_TOKENS,
    style: Style = Style.MU,
    is_explained: bool = False,
) -> Context:
    """Gather what to read for a question: source of the nearest, signatures of what is near.

    Ranked by what `search` finds, by what the question names, and by nearness over calls,
    inheritance, uses, imports and mentions; packed to `tokens`, which are estimated as characters
    / 4. No model is asked. Source is shown only where files are as they were when the graph was
    built, and secrets in it are taken out. With `is_explained` each item says why it is there.
    """
    if not FEWEST_TOKENS <= tokens <= MOST_TOKENS:
        what = f"a budget of {tokens} tokens is out of range"
        raise MuError(what, f"give one from {FEWEST_TOKENS} to {MOST_TOKENS:,}", ExitCode.USAGE)
    source = SourceLines(workspace)
    ranking = rank(workspace.graph, question, repository=repository_of(workspace, source))
    ranked = ranking.nodes
    packed = pack(
        ranked,
        _sources(workspace, source, ranked),
        budget=tokens,
        style=style,
        is_explained=is_explained,
    )
    return Context(
        question,
        ranking.intent,
        tokens,
        packed.tokens,
        packed.text,
        tuple(map(_item, packed.pieces)),
        ranking.files,
        tuple(RankedNode(n.id, n.kind, n.path, n.line, n.score, n.why) for n in ranked),
        workspace.freshness.notes,
    )


def _sources(workspace: Workspace, source: SourceLines, ranked: Sequence[Ranked]) -> Sources:
    """Give what reads the lines of nodes, and lists the members of those that have any."""
    source.expect(node.path for node in ranked)
    holders = [node.key for node in ranked if node.kind in {"class", "module", "document"}]
    members: dict[int, list[str]] = defaultdict(list)
    rows = workspace.graph.run(Relation(_MEMBERS, (holders,)), limit=None).rows
    for parent, line, name, signature in rows:
        said = " ".join(str(signature).split()) or str(name)
        members[int(str(parent))].append(f"  {line}: {said}")

    def lines(node: Ranked) -> Sequence[str]:
        return safe_lines(source.between(node.path, first=node.line, last=node.end_line))

    def outline(node: Ranked) -> Sequence[str]:
        said = node.docstring.strip().split("\n\n")[0].splitlines()
        return safe_lines([*said, *members[node.key]])

    return Sources(lines, outline)


def _item(piece: Piece) -> ContextItem:
    node = piece.node
    return ContextItem(
        node.id, node.kind, node.path, node.line, node.end_line, node.signature,
        piece.lines, piece.is_cut, node.score, node.why,
    )  # fmt: skip
