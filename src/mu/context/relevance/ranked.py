"""A node of a ranking, and how it is fetched."""

from collections.abc import Mapping
from dataclasses import dataclass

from mu.model.relation import Relation
from mu.store import GraphFile

MOST = 200
"""So many nodes are ranked."""

_ROWS = """
SELECT node.key, node.id, node.kind::VARCHAR, place.path, node.start_line, node.end_line,
    node.name, node.signature, node.docstring, node.language, node.digest, node.is_test
FROM node JOIN file AS place ON place.key = node.file
WHERE node.key IN (SELECT unnest($1::INTEGER[])) AND node.start_line > 0
"""


@dataclass(frozen=True, slots=True)
class Ranked:
    """A node with its place and rank; `score` is at most 1 and compares nodes of one question."""

    key: int
    id: str
    kind: str
    path: str
    line: int
    end_line: int
    title: str
    signature: str
    docstring: str
    language: str
    digest: str
    score: float
    why: str
    is_test: bool = False


def fetch(
    graph: GraphFile, total: Mapping[int, float], *, reasons: Mapping[int, str]
) -> list[Ranked]:
    """Fetch what is known of the best nodes; those merely near that are tests are left out."""
    chosen = sorted(total, key=lambda key: (-total[key], key))[: 2 * MOST]
    rows = graph.run(Relation(_ROWS, (chosen,)), limit=None).rows
    by_key = {int(str(row[0])): row for row in rows}
    most = max(total.values(), default=1.0) or 1.0
    ranked = []
    for key in chosen:
        if key not in by_key:
            continue
        _, node_id, kind, path, line, end, *texts, is_test = by_key[key]
        if is_test and key not in reasons:
            continue
        title, signature, docstring, language, digest = map(str, texts)
        ranked.append(
            Ranked(
                key, str(node_id), str(kind), str(path), int(str(line)), int(str(end)),
                _title(str(node_id), str(kind), title), signature, docstring, language, digest,
                round(total[key] / most, 4), reasons.get(key, "near what was found"),
                bool(is_test),
            )
        )  # fmt: skip
    return ranked


def _title(node_id: str, kind: str, name: str) -> str:
    """Give what a node is called within its file: `Flask.run`, or a page's heading."""
    if kind in {"class", "function", "variable"}:
        return node_id.rpartition(":")[2]
    return name
