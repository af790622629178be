"""Find nodes by words: by their names first, then by BM25F over all their text.

Each word of a question is answered by its variants in the graph (`mu.lexical.variants`). What a
node says about a word is its BM25F score (Robertson and Zaragoza 2009, section 3.6): the weight
that the index has, saturated, times how rare the word is. The best variant counts, and not their
sum. A word that only the class or module around a node says counts for a part, and a node that
says few of the words loses by it. Tests and generated code come below what they are made for.
"""

import math
import re
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from mu.analysis.node_search.listing_scope import EVERYTHING, Scope
from mu.analysis.node_search.peripheral_paths import PERIPHERAL
from mu.errors import ExitCode, MuError
from mu.lexical import FIELDS, SCALE, Field, content_words, prefixes, split_words, variants
from mu.model.kinds import NodeKind
from mu.model.relation import Cell, Input, Relation
from mu.store import GraphFile

SEARCH_COLUMNS = ("id", "name", "kind", "path", "line", "score", "why")
_TYPES = (*("VARCHAR",) * 4, "INTEGER", "DOUBLE", "VARCHAR", "INTEGER")

MAX_WORDS = 16
"""Words of a question that are looked for, the rarest of it."""

LONGEST_TEXT = 48
"""Words of a text that are looked for, the rarest of it."""

MOST = 200
"""So many nodes are ranked; those after them would be no answer to anybody."""

RANKED = f"a ranking of at most {MOST}: other nodes may fit the words, too"
"""Why what is found is never all there is."""

_TIERS = ("", "name begins so", "same name", "same name")
_SCALE = ((0.0, 0.6), (0.6, 0.75), (0.75, 0.85), (0.85, 1.0))
"""By tier: why a name is found, and which part of the scale from 0 to 1 is its. The name that is
all the words is the best, then the one that is those words of a question that mean something."""

_CONSIDERED = 1_000
"""So many are looked at with what is around them, by what they say themselves."""

_TELLING = math.log(1 + 0.75 / 0.25)
"""The rarity of a word that a quarter of all nodes say: it tells nothing where another one does."""

_SATURATION = 4.0 * SCALE
"""The k1 of BM25: the weight at which a word has half of what it can add."""

_AROUND = 0.4
"""What a word counts for that only the class or the module around a node says."""

_CLOSE = 0.6
"""What a word counts for that is merely spelled like the one asked for."""

_DONE = 0.5
"""What a participle counts for in a question."""

_BESIDE = 0.3
"""What a node counts for that stands aside: what examples and fixtures say is said of others."""

_MOST_VARIANTS = 40

_BODY = int(Field.BODY)
"""What a posting has that is of a body alone. A search leaves it out: what uses something by its
name would come before what does it, and no word would be rare."""

_TITLES = [(int(field), shape.title) for field, shape in FIELDS.items()]
"""The bits of fields, as plain numbers: those of an enumeration took a tenth of a search."""

_VOCABULARY = f"""
SELECT text, len(list_filter(fields, lambda field: field <> {_BODY})) AS said FROM word
WHERE said > 0 ORDER BY text
"""
_WITH_BODIES = "SELECT text, length(nodes) FROM word ORDER BY text"

_CLOSEST = """
SELECT text, length(nodes) FROM word
WHERE abs(length(text) - length($1)) <= $2 AND damerau_levenshtein(text, $1) <= $2
ORDER BY damerau_levenshtein(text, $1), length(nodes) DESC, text LIMIT 3
"""

_COUNT = "SELECT count(*) FROM node WHERE kind <> 'external'"

_SCORED = """
WITH posting AS (
    SELECT asked.term, asked.word, asked.value, unnest(word.nodes) AS node,
        unnest(word.weights) AS weight, unnest(word.fields) AS fields
    FROM asked JOIN word ON word.text = asked.word
), own AS MATERIALIZED (
    SELECT said.*, kind, parent, file, is_test, is_generated
    FROM (
        SELECT node, term, max(value * weight / (weight + $saturation)) AS score,
            bit_or(fields) AS fields, arg_max(word, value * weight / (weight + $saturation)) AS word
        FROM posting WHERE fields <> $body GROUP BY node, term
    ) AS said JOIN node ON node.key = said.node
), named AS (
    SELECT key AS node, kind, parent, file, is_test, is_generated, 0.0 AS score,
        replace(lower(name), '_', '') AS joined,
        CASE WHEN joined = $joined OR lower(name) = $text
                  OR ends_with(lower(qualified_name), '.' || $text) THEN 3
             WHEN joined = $meant THEN 2
             ELSE 1 END AS tier
    FROM node
    WHERE contains(lower(name), $part) AND (tier > 1 OR regexp_matches(name, $beginning))
), candidate AS MATERIALIZED (
    SELECT node, any_value(kind) AS kind, any_value(parent) AS parent, any_value(file) AS file,
        coalesce(max(tier), 0) AS tier, any_value({standing}) AS standing
    FROM (FROM own UNION ALL BY NAME FROM named)
    WHERE list_contains($kinds::VARCHAR[], kind::VARCHAR){scope}
    GROUP BY node ORDER BY tier DESC, sum(score) * any_value({standing}) DESC, node
    LIMIT $considered
), said AS (
    SELECT node, term, score, fields, word FROM own SEMI JOIN candidate USING (node)
    UNION ALL BY NAME
    SELECT candidate.node, term, score * $around AS score, 0 AS fields, word
    FROM own JOIN candidate ON candidate.parent = own.node WHERE own.kind = 'class'
    UNION ALL BY NAME
    SELECT candidate.node, term, score * $around AS score, 0 AS fields, word
    FROM own JOIN candidate USING (file) WHERE own.kind = 'module' AND candidate.kind <> 'module'
), best AS (
    SELECT node, term, max(score) AS score, bit_or(fields) AS fields,
        arg_max(word, score) AS word, any_value(rarity) * if(max(fields) = 0, $around, 1) AS covered
    FROM said JOIN (SELECT term, any_value(rarity) AS rarity FROM asked GROUP BY term) USING (term)
    GROUP BY node, term
), total AS (
    SELECT node, sum(score) * sum(covered) / $rarity AS score, list(term ORDER BY term) AS terms,
        list(fields ORDER BY term) AS fields, list(word ORDER BY term) AS words
    FROM best GROUP BY node
)
SELECT node.key, node.id, node.name, node.kind::VARCHAR, place.path,
    nullif(node.start_line, 0) AS line, tier,
    coalesce(score, 0.0) * standing
        * if(page.subkind = 'changelog', 0.3, 1)
        * if(regexp_matches(place.path, $aside, 'i'), $beside, 1)
        * CASE place.category WHEN 'vendored' THEN 0.5 WHEN 'minified' THEN 0.3 ELSE 1 END
        AS score,
    terms, fields, words
FROM candidate LEFT JOIN total USING (node) JOIN node ON node.key = candidate.node
LEFT JOIN file AS place ON place.key = candidate.file
LEFT JOIN (SELECT file, subkind FROM node WHERE kind = 'document') AS page
    ON page.file = candidate.file
ORDER BY tier > 0 AND (standing < 0.4 OR regexp_matches(place.path, $aside, 'i')), tier DESC,
    score DESC, length(node.name), node.key
LIMIT $most
"""

_IN_FOLDER = """
        AND file IN (
            SELECT key FROM file WHERE path = $within OR starts_with(path, $within || '/')
        )"""

_STANDING = """
    CASE kind WHEN 'class' THEN 1.15 WHEN 'function' THEN 1.1 WHEN 'module' THEN 1.0
        WHEN 'document' THEN 0.7 WHEN 'section' THEN 0.7 WHEN 'variable' THEN 0.7 ELSE 0.3 END
    * if(is_test, 0.3, 1) * if(is_generated, 0.3, 1)
"""
"""How a node stands beside others that say as much: tests below what they test."""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The words of a graph in order, how many nodes say each, and how many nodes there are."""

    words: tuple[str, ...]
    counts: tuple[int, ...]
    nodes: int

    def starting(self, prefix: str) -> dict[str, int]:
        """Give the words that begin with `prefix`, and how many nodes say each."""
        first, last = (bisect_left(self.words, end) for end in (prefix, prefix + "\U0010ffff"))
        return dict(zip(self.words[first:last], self.counts[first:last], strict=True))

    def rarity(self, answers: Mapping[str, float], counts: Mapping[str, int]) -> float:
        """Give the idf of words taken as one (Robertson and Zaragoza 2009, formula 3.3, plus 1)."""
        count = min(self.nodes, sum(counts[text] * factor for text, factor in answers.items()))
        return math.log(1 + (self.nodes - count + 0.5) / (count + 0.5))


@dataclass(frozen=True, slots=True)
class Asked:
    """A word of a question, and the words of the graph that answer it, with what each counts for.

    `rarity` is the idf of all of them together; `is_close` says that nothing means the word, and
    these are only spelled like it.
    """

    word: str
    answers: Mapping[str, float]
    rarity: float
    is_close: bool = False


@dataclass(frozen=True, slots=True)
class Hit:
    """A node that was found: its key, SEARCH_COLUMNS up to the line, a score up to 1, and why."""

    node: int
    place: tuple[Cell, ...]
    score: float
    why: str
    is_by_name: bool


def search(
    graph: GraphFile,
    words: str,
    *,
    kinds: Sequence[NodeKind] = tuple(NodeKind),
    limit: int = MOST,
) -> Relation:
    """Give at most `limit` nodes that `words` ask for, the best first: SEARCH_COLUMNS.

    The score is at most 1: from 0.75 for a node of the very name, from 0.6 for a name that begins
    with the words, and what is below is a share of the best. Of a long text the 16 rarest words
    are looked for. Raises MuError for no word.
    """
    hits = find(graph, words, kinds=kinds)[:limit]
    rows = [(*hit.place, hit.score, hit.why, rank) for rank, hit in enumerate(hits)]
    found = Input("found", (*SEARCH_COLUMNS, "rank"), _TYPES, rows)
    sql = f"SELECT {', '.join(SEARCH_COLUMNS)} FROM found ORDER BY rank"
    return Relation(sql, (), SEARCH_COLUMNS, (found,))


def find(
    graph: GraphFile,
    words: str,
    *,
    kinds: Sequence[NodeKind] = tuple(NodeKind),
    scope: Scope = EVERYTHING,
    asked: Sequence[Asked] = (),
) -> tuple[Hit, ...]:
    """Give what `search` finds as values, at most MOST of them, the best first.

    Only what lies in the `scope` is ranked. `asked` are the words as they were read, if they were
    already.
    """
    asked = asked or read_question(graph, words)
    rows = graph.run(_scored(words, asked, kinds, scope), limit=None).rows
    best = max((_number(row[7]) for row in rows), default=0.0) or 1.0
    hits = []
    for key, *place, tier, score, terms, fields, answers in rows:
        rank, share = int(_number(tier)), _number(score) / best
        why = _reasons(asked, rank, _list(terms), _list(fields), _list(answers))
        score = _placed(rank, share)
        hits.append(Hit(int(_number(key)), tuple(place), score, why, rank > 0))
    return tuple(hits)


def read_question(graph: GraphFile, words: str, *, is_text: bool = False) -> tuple[Asked, ...]:
    """Find out which words of the graph answer those of a question.

    Where a word has no answer, and no other has, words spelled like it are taken instead. Of a
    longer question the rarest words are taken: 16, or 48 if it `is_text`. A text is also answered
    by words that are said in bodies alone. Raises MuError (usage) where there is no word.
    """
    asked = content_words(split_words(words)) or words.lower().split()
    vocabulary = graph.once(_read_everything if is_text else _read_vocabulary)
    if not asked:
        raise MuError(
            "there is no word to search for",
            "give a part of a name, or say in a few words what it is about",
            ExitCode.USAGE,
        )
    if len(asked) > MAX_WORDS:
        known = [understand(word, vocabulary) for word in dict.fromkeys(asked)]
        answered = [word for word in known if word.answers] or known
        return tuple(_rarest(answered, LONGEST_TEXT if is_text else MAX_WORDS))
    understood: Sequence[Asked] = [understand(word, vocabulary) for word in asked]
    if not any(word.answers for word in understood):
        understood = [_guess(graph, word, vocabulary) for word in asked]
    understood = _telling(understood) if is_text else understood
    said = split_words(words)
    if len(understood) > 1 and len(asked) < len(set(said)):
        told = {word for word, following in pairwise(said) if following in asked}
        understood = [w if w.word in told else _as_said_of_others(w) for w in understood]
    return tuple(understood if is_text else _telling(understood))


def _telling(words: Sequence[Asked]) -> Sequence[Asked]:
    """Leave out what nearly everything says, where there is more.

    In a search that is also a common word for what is done: it would bring up every node that does
    so. A text has other words beside it, and keeps it.
    """
    return [word for word in words if word.rarity >= _TELLING and word.answers] or words


def _rarest(words: Sequence[Asked], most: int) -> Sequence[Asked]:
    """Keep a number of words of a text, the rarest, in the order of the text."""
    kept = sorted(words, key=lambda word: -word.rarity)[:most]
    return [word for word in words if word in kept]


def _as_said_of_others(word: Asked) -> Asked:
    """Let what is done to something count less than the thing: code is named after things.

    In `how are redirects followed`, `followed` may be any of many verbs. What stands before the
    thing tells which: `in a weighted graph`.
    """
    is_done = word.word.endswith("ed") and len(word.word) > 4
    return replace(word, rarity=word.rarity * _DONE) if is_done else word


def _read_vocabulary(graph: GraphFile) -> Vocabulary:
    return _read_words(graph, _VOCABULARY)


def _read_everything(graph: GraphFile) -> Vocabulary:
    return _read_words(graph, _WITH_BODIES)


def _read_words(graph: GraphFile, sql: str) -> Vocabulary:
    rows = graph.run(Relation(sql), limit=None).rows
    nodes = int(_number(graph.run(Relation(_COUNT)).rows[0][0]))
    words, counts = (str(row[0]) for row in rows), (int(_number(row[1])) for row in rows)
    return Vocabulary(tuple(words), tuple(counts), nodes)


def understand(word: str, vocabulary: Vocabulary) -> Asked:
    """Find out which words of a vocabulary answer a word."""
    near: dict[str, int] = {}
    for prefix in prefixes(word):
        near |= vocabulary.starting(prefix)
    answers = {found.word: found.factor for found in variants(word, near)[:_MOST_VARIANTS]}
    return Asked(word, answers, vocabulary.rarity(answers, near))


def _guess(graph: GraphFile, word: str, vocabulary: Vocabulary) -> Asked:
    """Take the words that are spelled most like one, at most two letters away."""
    distance = 1 if len(word) < 6 else 2
    rows = graph.run(Relation(_CLOSEST, (word, distance))).rows if len(word) > 3 else ()
    near = {str(text): int(_number(count)) for text, count in rows}
    answers = dict.fromkeys(near, _CLOSE)
    return Asked(word, answers, vocabulary.rarity(answers, near), is_close=True)


def _scored(
    words: str, asked: Sequence[Asked], kinds: Sequence[NodeKind], scope: Scope
) -> Relation:
    rows: list[tuple[Cell, ...]] = [
        (term, text, word.rarity * factor, word.rarity)
        for term, word in enumerate(asked)
        for text, factor in word.answers.items()
    ]
    columns, types = ("term", "word", "value", "rarity"), ("INTEGER", "VARCHAR", "DOUBLE", "DOUBLE")
    every = split_words(words) or [word.word for word in asked]
    named = [word.word for word in asked] if " " in words.strip() else every
    last = split_words(words.strip().rpartition(".")[2])
    # A name begins with the words where another part of it follows, or nothing.
    beginning = "^_*" + "_?".join(f"(?i:{re.escape(word)})" for word in named)
    parameters: dict[str, Cell] = {
        "text": words.strip().lower(),
        "joined": "".join(every),
        "meant": "".join(named),
        "part": last[0] if "." in words and last else named[0],
        "beginning": rf"{beginning}(?:[_A-Z0-9]|$)",
        "saturation": _SATURATION,
        "body": _BODY,
        "around": _AROUND,
        "rarity": sum(word.rarity for word in asked if word.answers) or 1.0,
        "kinds": [kind.value for kind in kinds],
        "considered": _CONSIDERED,
        "most": MOST,
        "aside": PERIPHERAL,
        "beside": _BESIDE,
    }
    chosen = "" if scope.tests else " AND NOT is_test"
    chosen += "" if scope.external else " AND kind <> 'external'"
    if scope.within:
        chosen += _IN_FOLDER
        parameters["within"] = scope.within
    sql = _SCORED.format(standing=_STANDING, scope=chosen)
    return Relation(sql, parameters, inputs=(Input("asked", columns, types, rows),))


def _placed(tier: int, share: float) -> float:
    """Give the score of a hit: its share of the best, in the part of the scale for its tier."""
    least, most = _SCALE[tier]
    return round(least + (most - least) * share, 3)


def _reasons(
    asked: Sequence[Asked],
    tier: int,
    terms: Sequence[Cell],
    fields: Sequence[Cell],
    answers: Sequence[Cell],
) -> str:
    """Say why a node was found: `same name; auth: name, docstring (authentication)`."""
    reasons = [_TIERS[tier]] if tier else []
    for term, bits, answer in zip(terms, fields, answers, strict=True):
        word = asked[int(_number(term))]
        mask = int(_number(bits))
        places = [title for bit, title in _TITLES if mask & bit]
        said = f"{word.word}: {', '.join(places) or 'around it'}"
        if word.is_close:
            said += f" (spelled {answer})"
        elif answer != word.word:
            said += f" ({answer})"
        reasons.append(said)
    return "; ".join(reasons)


def _number(cell: Cell) -> float:
    if not isinstance(cell, (int, float)):
        raise TypeError(f"not a number: {cell!r}")
    return cell


def _list(cell: Cell) -> Sequence[Cell]:
    return cell if isinstance(cell, list) else ()
