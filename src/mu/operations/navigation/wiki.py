"""List, search and read the documents of a repository, and report broken links in them."""

from dataclasses import dataclass

from mu.analysis.node_search.node_resolution import resolve_node
from mu.errors import ExitCode, MuError
from mu.model.found import FoundNode
from mu.model.kinds import NodeKind
from mu.model.relation import Relation
from mu.operations.navigation.node_source import SourceLine, read
from mu.operations.navigation.search import search
from mu.operations.results import DEFAULT_LIMIT, Rows, check_page, next_offset, with_notes
from mu.operations.workspace import Workspace
from mu.render.shown import Shown

_PAGES = """
WITH counted AS (
    SELECT page.file, edge.kind, count(DISTINCT edge.target) AS total
    FROM edge JOIN node AS page ON page.key = edge.source
    WHERE edge.kind IN ('links', 'mentions') AND page.kind IN ('document', 'section')
    GROUP BY ALL
)
SELECT page.id, page.name AS title, page.subkind AS category, place.path, page.lines,
    coalesce(links.total, 0) AS links, coalesce(mentions.total, 0) AS mentions
FROM node AS page JOIN file AS place ON place.key = page.file
LEFT JOIN counted AS links ON links.file = page.file AND links.kind = 'links'
LEFT JOIN counted AS mentions ON mentions.file = page.file AND mentions.kind = 'mentions'
WHERE page.kind = 'document'
    AND ($1 = '' OR regexp_replace(page.subkind, 's$', '') = regexp_replace(lower($1), 's$', ''))
ORDER BY place.path
"""

_OF_THE_PAST = (
    r"(^|/)[^/]*(changelog|changes|history|news|migrat|upgrad|whats.?new|releases?)[^/]*(/|\.\w+$)"
)
"""Documents about the past: names in them may be gone without being a mistake."""

_DRIFT = """
SELECT path, line, kind, text, reason FROM sites
WHERE kind IN ('link', 'mention') AND target IS NULL AND starts_with(path, $1)
    AND reason = 'unknown'
ORDER BY kind, regexp_matches(path, $2, 'i'), NOT (kind = 'link' AND regexp_matches(text, '[./#]')),
    path, line, text
"""

_AROUND = """
SELECT DISTINCT far.id, edge.kind::VARCHAR
FROM edge JOIN node AS near ON near.key = edge.source JOIN node AS far ON far.key = edge.target
WHERE edge.kind IN ('links', 'mentions') AND near.file = $1 ORDER BY ALL
"""
_BACK = """
SELECT DISTINCT place.path FROM edge
JOIN node AS near ON near.key = edge.source JOIN file AS place ON place.key = near.file
JOIN node AS far ON far.key = edge.target
WHERE edge.kind = 'links' AND far.file = $1 AND near.file <> $1 ORDER BY ALL
"""
_PAGE = "SELECT file, subkind, name FROM node WHERE key = ?"


@dataclass(frozen=True, slots=True)
class WikiPage(Shown):
    """A page: some of its lines, and what it has to do with others.

    `links` and `mentions` are ids of what it leads to and of code that it names, `backlinks` the
    paths of pages that lead to it. `next_offset` is where to go on reading, None at the end.
    """

    node: FoundNode
    title: str
    category: str
    lines: tuple[SourceLine, ...]
    total: int
    next_offset: int | None
    links: tuple[str, ...]
    mentions: tuple[str, ...]
    backlinks: tuple[str, ...]


def wiki_list(
    workspace: Workspace, category: str = "", *, limit: int = DEFAULT_LIMIT, offset: int = 0
) -> Rows:
    """List the pages, of one category if it is named; singular and plural are alike.

    Columns: id, title, category, path, lines, and how much it links to and mentions. A category
    that no page has gives no row.
    """
    check_page(limit, offset)
    answer = workspace.graph.run(Relation(_PAGES, (category,)), limit=limit, offset=offset)
    what = f"no page has the category '{category}'" if category else "there are no pages here"
    note = "" if answer.total else what
    return Rows(with_notes(answer, note), next_offset(answer, offset))


def wiki_search(workspace: Workspace, words: str, *, limit: int = 20, offset: int = 0) -> Rows:
    """Find pages and sections by words, ranked as `search` ranks."""
    kinds = (NodeKind.DOCUMENT, NodeKind.SECTION)
    return search(workspace, words, kinds=kinds, limit=limit, offset=offset)


def wiki_read(
    workspace: Workspace, page: str, *, limit: int = DEFAULT_LIMIT, offset: int = 0
) -> WikiPage:
    """Read a page or a section: its lines, links, mentions, and the pages that link to it.

    Raises MuError (no node) for what is no page.
    """
    node = resolve_node(workspace.graph, page)
    if node.kind not in {NodeKind.DOCUMENT, NodeKind.SECTION}:
        raise MuError(f"{node.id} is no page", "`mu wiki list` lists them", ExitCode.NO_NODE)
    text = read(workspace, node.id, limit=limit, offset=offset)
    (file, category, title) = workspace.graph.run(Relation(_PAGE, (node.key,))).rows[0]
    around = workspace.graph.run(Relation(_AROUND, (file,)), limit=None).rows
    back = workspace.graph.run(Relation(_BACK, (file,)), limit=None).rows
    return WikiPage(
        node,
        str(title),
        str(category),
        text.lines,
        text.total,
        text.next_offset,
        tuple(str(far) for far, kind in around if kind == "links"),
        tuple(str(far) for far, kind in around if kind == "mentions"),
        tuple(str(path) for (path,) in back),
    )


def wiki_drift(
    workspace: Workspace, prefix: str = "", *, limit: int = DEFAULT_LIMIT, offset: int = 0
) -> Rows:
    """List the links and mentions of pages that lead nowhere, of pages whose path begins so.

    Columns: path, line, kind (link or mention), text and reason; then commit, date and summary of
    the commit after which the target was no more, which git's history is followed for, five seconds
    at most. A mention is listed when it is clearly a name and nothing here or outside has it;
    what several have is not drift. Links that say a path or an anchor come first, then labels,
    which another project may have, then mentions; of each kind, documents about changes come last.
    """
    from mu.operations.navigation.document_drift import (
        with_commits,  # it parses pages: other commands do without
    )

    check_page(limit, offset)
    relation = Relation(_DRIFT, (prefix, _OF_THE_PAST))
    answer = workspace.graph.run(relation, limit=limit, offset=offset)
    note = "" if answer.total else "all links and mentions lead somewhere"
    return Rows(with_notes(with_commits(workspace, answer), note), next_offset(answer, offset))
