"""Texts that try to leave MUQL: payloads in the places of good queries, and queries cut up.

Everything is made from a seed, so a failure can be had again.
"""

import random
import re
import sys
from collections.abc import Iterator
from itertools import product
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "muql"))

from suites import HERE, graph_text, read_cases

from mu.muql.grammar import CLAUSES, METRICS, QUESTIONS, STATEMENTS
from mu.store import PUBLIC

__all__ = ["INJECTIONS", "PLACES", "fuzzed", "graph_text", "injected"]

ENDINGS = ("", "'", '"', "';", "')", "'))", '")', "*/", "--\n", "\n;", "$$", "\\'", "' ", "]", "}")
"""What may end the place a payload stands in."""

PAYLOADS = (
    "SELECT 1",
    "DROP TABLE node",
    "COPY nodes TO '{folder}/out.csv'",
    "COPY (SELECT * FROM read_text('{secret}')) TO '{folder}/out.csv'",
    "ATTACH '{folder}/new.db' AS more",
    "EXPORT DATABASE '{folder}/all'",
    "INSTALL httpfs",
    "LOAD '{folder}/x.duckdb_extension'",
    "SET enable_external_access = true",
    "RESET lock_configuration",
    "PRAGMA database_list",
    "CREATE TEMP MACRO lower(x) AS 'no'",
    "CREATE OR REPLACE TEMP VIEW nodes AS SELECT 1",
    "INSERT INTO graph.main.node SELECT * FROM graph.main.node",
    "UPDATE graph.main.node SET name = 'x'",
    "DELETE FROM graph.main.edge",
    "CALL pragma_version()",
    "SELECT content FROM read_text('{secret}')",
    "SELECT * FROM '{secret}'",
    "FROM read_csv('{secret}')",
    "FROM glob('{folder}/*')",
    "UNION ALL SELECT content FROM read_text('{secret}')",
    "UNION SELECT id FROM graph.main.node",
    "OR 1 = 1",
    "AND (SELECT count(*) FROM duckdb_settings()) > 0",
    "|| getenv('HOME') ||",
    "= (SELECT current_setting('temp_directory'))",
    ", repeat('x', 1000000000000)",
    "FROM range(1000000000000)",
    "WITH x AS (DELETE FROM graph.main.node RETURNING key) SELECT * FROM x",
    "EXPLAIN ANALYZE SELECT 1",
    "query('COPY nodes TO ''{folder}/out.csv''')",
    "$injected",
    "?",
    "-- SELECT",
    "/* open",
)

INJECTIONS = [
    f"{ending} {payload}{close}"
    for ending, payload, close in product(ENDINGS, PAYLOADS, (" --", ""))
][::2] + [f"{ending} {payload}" for payload in PAYLOADS for ending in ENDINGS[:2]]
"""More than 500 texts."""

PLACES = {
    "a text": "SELECT name FROM nodes WHERE name = '%s'",
    "an escape string": "SELECT name FROM nodes WHERE name = E'%s'",
    "a pattern": "SELECT name FROM nodes WHERE name LIKE '%s'",
    "a regular expression": "SELECT name FROM nodes WHERE regexp_matches(name, '%s')",
    "a list": "SELECT name FROM nodes WHERE name IN ('a', '%s')",
    "a dollar string": "SELECT $$%s$$ AS a",
    "a column": "SELECT %s FROM nodes",
    "a quoted column": 'SELECT "%s" FROM nodes',
    "an alias": "SELECT name AS %s FROM nodes",
    "a relation": "SELECT * FROM %s",
    "a quoted relation": 'SELECT * FROM "%s"',
    "a common table": "WITH %s AS (SELECT 1) SELECT 1",
    "a function": "SELECT %s(name) FROM nodes",
    "a table function": "SELECT * FROM %s(1)",
    "an operator": "SELECT name FROM nodes WHERE line %s 1",
    "a number": "SELECT name FROM functions WHERE complexity > %s",
    "a limit": "SELECT name FROM nodes LIMIT %s",
    "an order": "SELECT name FROM nodes ORDER BY %s",
    "a group": "SELECT count(*) FROM nodes GROUP BY %s",
    "a type": "SELECT CAST(name AS %s) FROM nodes",
    "a cast": "SELECT name::%s FROM nodes",
    "a window": "SELECT rank() OVER (%s) FROM nodes",
    "a collation": "SELECT name COLLATE %s FROM nodes",
    "a join": "SELECT n.name FROM nodes n JOIN edges e ON %s",
    "a comment": "SELECT 1 AS a /* %s */ FROM nodes",
    "a node of a function": "SELECT * FROM callers('%s')",
    "a depth of a function": "SELECT * FROM impact('Store.save', depth := %s)",
    "a kind of a function": "SELECT * FROM deps('Store.save', kinds := ['%s'])",
    "a node": "SHOW callers OF %s",
    "a quoted node": 'SHOW callers OF "%s"',
    "a node in text quotes": "SHOW impact OF '%s'",
    "a depth": "SHOW impact OF Store.save DEPTH %s",
    "a kind": "SHOW impact OF Store.save VIA %s",
    "a condition": "SHOW impact OF Store.save WHERE %s",
    "a text of a condition": "SHOW impact OF Store.save WHERE name = '%s' LIMIT 3",
    "an order of a statement": "FIND functions CALLING Store.save ORDER BY %s",
    "a limit of a statement": "SHOW impact OF Store.save LIMIT %s",
    "an offset of a statement": "SHOW impact OF Store.save LIMIT 2 OFFSET %s",
    "a question": "SHOW %s OF Store.save",
    "a thing": "FIND %s CALLING Store.save",
    "a node of FIND": "FIND functions CALLING %s TRANSITIVELY",
    "a part of a name": "FIND functions MATCHING '%s'",
    "a decorator": "FIND functions WITH DECORATOR '%s'",
    "a prefix": "FIND CYCLES VIA imports IN '%s'",
    "a start": "PATH FROM %s TO Store.save",
    "a goal": "PATH FROM shop/auth.py TO '%s' VIA calls",
    "a metric": "ANALYZE %s",
    "a part": "ANALYZE complexity FOR '%s' WHERE complexity > 1",
    "a subject": "DESCRIBE %s",
    "an explained query": "EXPLAIN %s",
    "a named query": "@%s",
    "an argument": "@long_functions(least := %s)",
    "a text argument": "@tests_of(node := '%s')",
    "a statement": "%s",
}
"""Good queries with a hole."""

_WORDS = """
SELECT FROM WHERE GROUP BY ALL ORDER HAVING QUALIFY LIMIT OFFSET WITH RECURSIVE AS UNION EXCEPT JOIN
LEFT ON USING LATERAL CASE WHEN THEN ELSE END AND OR NOT IN IS NULL LIKE BETWEEN EXISTS DISTINCT
OVER PARTITION ROWS FILTER CAST VALUES TABLE EXCLUDE REPLACE COPY SET PIVOT DESCRIBE SUMMARIZE
SAMPLE ( ) [ ] { } , . ; * + - / % = < > || :: := : -> => ? $1 $a # @ ! 0 1 -1 20
99999999999999999999 1e309 'a' '' '(' "name" 'é' -- /* */ $$ lambda x name kind id path lines
parameters type n t count(*) sum max lower length list_value unnest range row_number rank read_csv
node INTEGER VARCHAR COLLATE nocase COLUMNS INTERVAL DATE TRY AT VERSION MATERIALIZED ASOF OF VIA
DEPTH TO shop/db.py Store.save 'Store.save' "Store.find" fn:shop/db.py:Store.save shop/db.py:12
callers('Store') impact( deps( cycles() path( kinds depth imports calls walked start seen rowid
"""
_VOCABULARY = [
    *_WORDS.split(),
    *PUBLIC,
    *QUESTIONS,
    *METRICS,
    *(word for clause in CLAUSES.values() for word in clause.words),
    *(word for statement in STATEMENTS for word in statement.head if word.isalpha()),
]
_PIECES = re.compile(r"\s+|\w+|'[^']*'|[^\w\s]")
_SIGNS = "\"'`;:,.()[]{}$@#%*/\\-+=<>|&^~!?\0\n\t\r\x1b\u200b\ufeff é\U0001f600\x85\u2028"


def injected(*, step: int = 1, secret: str, folder: str) -> Iterator[str]:
    """Give every injection in every place, or each `step`-th; `{secret}` is a file not to read."""
    pairs = list(product(PLACES.values(), INJECTIONS))
    for place, payload in pairs[::step]:
        text = payload.replace("{secret}", secret).replace("{folder}", folder)
        yield place.replace("%s", text)
        if "'%s'" in place:
            yield place.replace("%s", text.replace("'", "''"))


def fuzzed(count: int, *, seed: int) -> Iterator[str]:
    """Give `count` texts: suites' queries cut up, words at random, and any characters at all."""
    draw = random.Random(seed)
    cases = [*read_cases(HERE), *read_cases(HERE / "bad")]
    queries = [*(case.query for case in cases), *(e for s in STATEMENTS for e in s.examples)]
    for _ in range(count):
        sort = draw.random()
        if sort < 0.70:
            yield _cut_up(draw, queries)
        elif sort < 0.95:
            yield " ".join(draw.choices(_VOCABULARY, k=draw.randrange(1, 25)))
        else:
            yield "".join(chr(_code(draw)) for _ in range(draw.randrange(1, 80)))


def _cut_up(draw: random.Random, queries: list[str]) -> str:
    pieces = _PIECES.findall(draw.choice(queries))
    for _ in range(draw.randrange(1, 5)):
        at = draw.randrange(len(pieces) + 1)
        end = at + draw.randrange(3)
        way = draw.randrange(7)
        if way == 0:
            pieces[at:end] = []
        elif way == 1:
            pieces[at:end] = [" ", draw.choice(_VOCABULARY), " "]
        elif way == 2:
            pieces[at:at] = pieces[at:end] * draw.randrange(1, 4)
        elif way == 3:
            pieces[at:end] = [draw.choice(_SIGNS)]
        elif way == 4:
            other = _PIECES.findall(draw.choice(queries))
            start = draw.randrange(len(other) + 1)
            pieces[at:end] = other[start : start + draw.randrange(1, 12)]
        elif way == 5:
            pieces[at:] = pieces[at:][::-1] if draw.random() < 0.2 else []
        else:
            pieces[at:end] = [" ", "(", *_PIECES.findall(draw.choice(queries)), ")"]
    return "".join(pieces)


def _code(draw: random.Random) -> int:
    code = draw.choice((draw.randrange(128), draw.randrange(0x3000), draw.randrange(0x110000)))
    return code if draw.random() < 0.01 or not 0xD800 <= code < 0xE000 else 0x20
