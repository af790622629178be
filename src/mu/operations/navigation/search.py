"""Find definitions by name or words."""

import time
from collections.abc import Sequence

from mu.analysis.node_search.listing_scope import EVERYTHING, Scope, checked
from mu.analysis.node_search.word_search import RANKED, SEARCH_COLUMNS, Hit, find
from mu.model.kinds import NodeKind, Verdict
from mu.model.relation import Answer
from mu.operations.freshness import with_staleness_note
from mu.operations.results import Rows, check_page, next_offset
from mu.operations.workspace import Workspace


def search(
    workspace: Workspace,
    words: str,
    *,
    kinds: Sequence[NodeKind] = tuple(NodeKind),
    scope: Scope = EVERYTHING,
    limit: int = 20,
    offset: int = 0,
) -> Rows:
    """Find nodes by words, in a name or a question: `resolve_redirects`, `what handles auth?`.

    Names that are the words, or begin with them, come first; then what says most about them in
    its name, path, signature, docstring, comments and strings. Endings and common abbreviations
    do not matter (`auth` is `authentication`, and never `author`); `why` says what was found where.
    When no word is found, those spelled like it are. Tests and generated code come last. At most
    200 are ranked.
    """
    check_page(limit, offset)
    started = time.perf_counter()
    hits = find(workspace.graph, words, kinds=kinds, scope=checked(workspace.graph, scope))
    rows = tuple((*hit.place, hit.score, hit.why) for hit in hits[offset : offset + limit])
    answer = Answer(
        SEARCH_COLUMNS,
        rows,
        total=len(hits),
        truncated=offset + len(rows) < len(hits),
        verdict=Verdict.AT_LEAST,
        notes=_said(words, hits),
        elapsed_ms=(time.perf_counter() - started) * 1000,
    )
    return with_staleness_note(workspace.freshness, Rows(answer, next_offset(answer, offset)))


def _said(words: str, hits: Sequence[Hit]) -> tuple[str, ...]:
    """Say what the hits are, the best first; of one word, also whether a name is it."""
    if not hits:
        return (f"nothing here says anything about '{words}'",)
    if hits[0].is_by_name or len(words.split()) != 1:
        return (RANKED,)
    text = f"`mu grep '{words}'` finds the lines with this text"
    return (f"no name is '{words}' or begins with it: these have words of it; {text}", RANKED)
