"""Draws nodes, asks who uses them, and holds each `exact` answer against a search of the text.

Callers and dependents of each node are asked as the commands do. Where one of the answers is
`exact`, every line with the node's bare name has to be explained: by a row of the ledger, a
definition, or the syntax. A line that is not may be a use that the answer lacks. The draw is seeded
by the graph's digest: nobody chooses the nodes.
"""

import random
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.explaining import UNEXPLAINED, Hit, Repository
from mu.model.kinds import Verdict
from mu.model.relation import Relation
from mu.operations.navigation.dependencies import callers, dependents
from mu.operations.workspace import Workspace

COLUMNS = (
    *("item", "repository", "node", "exact", "rows", "hits", "place", "source line"),
    *("verdict", "reason"),
)

_NODES = """
SELECT node.id, node.name FROM node JOIN file AS place ON place.key = node.file
WHERE node.kind IN ('class', 'function', 'variable') AND NOT node.is_test
    AND place.category = 'source' AND length(node.name) > 2
ORDER BY node.key
"""
"""Names of one or two letters stand in every file."""

_CALLS = """
SELECT count(*) FROM site JOIN node AS caller ON caller.key = site.source
JOIN node AS callee ON callee.key = site.target
WHERE callee.id = $id AND site.kind = 'call' AND caller.id <> callee.id
    AND NOT list_contains($found::VARCHAR[], caller.id)
    AND NOT (caller.parent = callee.parent AND caller.name = callee.name)
"""
"""Overloads are one thing: that one calls another is no row."""


@dataclass(frozen=True, slots=True)
class Checked:
    """A node whose callers or dependents are `exact`, and every line that has its name.

    `rows` are how many callers and dependents the answers have, `lacking` how many sites of calls
    mean the node and have no row in its callers.
    """

    repository: str
    node: str
    exact: tuple[str, ...]
    rows: tuple[int, int]
    hits: tuple[Hit, ...]
    lacking: int

    @property
    def unexplained(self) -> tuple[Hit, ...]:
        """The lines that nothing explains."""
        return tuple(hit for hit in self.hits if hit.reason == UNEXPLAINED)


def check(folder: Path, *, count: int) -> tuple[int, list[Checked]]:
    """Draw `count` nodes of the graph in a folder; gives how many, and those with `exact`."""
    with Workspace(folder) as workspace:
        nodes = workspace.graph.run(Relation(_NODES), limit=None).rows
        digest = workspace.graph.meta()["digest"]
        drawn = random.Random(f"{digest} exact").sample(range(len(nodes)), min(count, len(nodes)))
        repository = Repository(folder, workspace.graph)
        found = [
            _checked(workspace, repository, str(nodes[place][0]), str(nodes[place][1]))
            for place in drawn
        ]
    return len(drawn), [each for each in found if each is not None]


def _checked(workspace: Workspace, source: Repository, node: str, name: str) -> Checked | None:
    calling, using = callers(workspace, node), dependents(workspace, node)
    answers = {"callers": calling.answer, "dependents": using.answer}
    exact = tuple(what for what, answer in answers.items() if answer.verdict is Verdict.EXACT)
    if not exact:
        return None
    is_called = exact == ("callers",) and node.startswith("var:")
    found = [str(row[0]) for row in calling.answer.rows]
    lacking = workspace.graph.run(Relation(_CALLS, {"id": node, "found": found})).rows[0][0]
    return Checked(
        source.root.name,
        node,
        exact,
        (calling.answer.total, using.answer.total),
        tuple(source.hits(name, is_called=is_called)),
        int(str(lacking)),
    )


def table(checked: Iterable[Checked], *, first: int = 1) -> str:
    """Write a row for each node whose lines are all explained, and for each line that is not."""
    rows = []
    for number, each in enumerate(checked, first):
        start = (
            *(str(number), each.repository, each.node, "+".join(each.exact)),
            *("/".join(map(str, each.rows)), str(len(each.hits))),
        )
        if not each.unexplained:
            why = Counter(_short(hit.reason) for hit in each.hits)
            rows.append((*start, "", "", "explained", _counted(why)))
        rows += [
            (*start, f"{hit.path}:{hit.line}", " ".join(hit.text.split()), "", "")
            for hit in each.unexplained
        ]
    return "".join("\t".join(row) + "\n" for row in (COLUMNS, *rows))


def summary(results: Sequence[tuple[str, int, Sequence[Checked]]]) -> str:
    """Write how many were drawn, exact, found and explained, by repository, and why in all."""
    lines = ["| repository | nodes | exact callers | exact dependents | lines | unexplained |"]
    lines.append("|---|---|---|---|---|---|")
    reasons: Counter[str] = Counter()
    for name, drawn, checked in results:
        both = [sum(what in each.exact for each in checked) for what in ("callers", "dependents")]
        hits = [hit for each in checked for hit in each.hits]
        reasons.update(_short(hit.reason) for hit in hits)
        unexplained = sum(hit.reason == UNEXPLAINED for hit in hits)
        cells = (name, drawn, *both, len(hits), unexplained)
        lines.append(f"| {' | '.join(map(str, cells))} |")
    lacking = sum(each.lacking for _, _, checked in results for each in checked)
    lines += [
        "",
        f"{_counted(reasons)}",
        f"sites of calls without a row among the callers: {lacking}",
    ]
    return "\n".join(lines)


def _short(reason: str) -> str:
    """Leave out what a row or a definition means."""
    parts = (part.partition(":")[0].partition(" of ")[0] for part in reason.split(" + "))
    return " + ".join(dict.fromkeys(parts)) or "unexplained"


def _counted(reasons: Counter[str]) -> str:
    return ", ".join(f"{count} {reason}" for reason, count in reasons.most_common())
