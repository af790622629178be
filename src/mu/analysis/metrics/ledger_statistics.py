"""The ledger in numbers, as SQL over the tables of a graph.

A reference that several definitions may answer counts once. The receiver in the text
of an unresolved reference is its receiver; calls in it are written without their arguments.
"""

_OPEN = "site.choice = 0 AND site.reason IN ('ambiguous', 'dynamic', 'unknown')"

FATES = """
SELECT file.language AS language,
    CASE WHEN grouping(site.kind) = 1 THEN 'all' ELSE site.kind::VARCHAR END AS kind,
    count(*) AS total,
    count(*) FILTER (site.reason IS NULL) AS resolved,
    count(*) FILTER (site.reason = 'external') AS external,
    count(*) FILTER (site.reason = 'ambiguous') AS ambiguous,
    count(*) FILTER (site.reason = 'dynamic') AS dynamic,
    count(*) FILTER (site.reason = 'unknown') AS unknown
FROM site JOIN file ON file.key = site.file
WHERE site.choice = 0
GROUP BY GROUPING SETS ((file.language, site.kind), (file.language))
ORDER BY language, grouping(site.kind) DESC, total DESC, kind
"""

RULES = """
SELECT near.language AS language, edge.rule::VARCHAR AS rule, count(*) AS edges,
    any_value(measured."right" / measured.judged) AS confidence
FROM edge JOIN node AS near ON near.key = edge.source
LEFT JOIN measured ON measured.language = near.language AND measured.rule = edge.rule
    AND measured.judged >= 20
GROUP BY near.language, edge.rule
ORDER BY language, edges DESC, rule
"""

_FREQUENT = f"""
SELECT {{text}} AS text, count(*) AS count, arg_min(file.path, (file.path, site.line)) AS path,
    arg_min(site.line, (file.path, site.line)) AS line
FROM site JOIN file ON file.key = site.file
WHERE {_OPEN} AND {{text}} <> ''
GROUP BY ALL
ORDER BY count DESC, text
LIMIT 10
"""

RECEIVERS = _FREQUENT.format(
    text="CASE WHEN ends_with(site.text, '.' || site.name)"
    " THEN left(site.text, -1 - length(site.name)) ELSE '' END"
)

NAMES = _FREQUENT.format(text="site.name")

SKIPPED = """
SELECT reason, count(*) AS files, min(path) AS path FROM file WHERE status = 'skipped'
GROUP BY reason ORDER BY files DESC, reason
"""

PROBLEMS = """
SELECT what, count(DISTINCT path) AS files, min(path) AS path FROM (
    SELECT path, regexp_replace(unnest(problems), '^[0-9]+: ', '') AS what FROM file
    WHERE status = 'indexed'
)
GROUP BY what ORDER BY files DESC, what LIMIT 10
"""

LARGE_FILES = """
SELECT reason, count(*) AS files,
    (count(*) * regexp_extract(reason, '[0-9]+')::HUGEINT
        * (SELECT count(*) FROM site WHERE choice = 0)
        // greatest(1, (SELECT sum(bytes) FROM file WHERE status = 'indexed')))::BIGINT AS weight
FROM file WHERE status = 'skipped' AND regexp_matches(reason, '^larger than [0-9]+ ')
GROUP BY reason
"""
"""(reason, files, references in them at least): the size of a file that was skipped is not kept."""

MISSED_ROOTS = """
WITH led_outside AS (
    SELECT site.kind, string_split(site.text, '.') AS names,
        string_split(coalesce(far.qualified_name, site.text), '.')[1] AS top
    FROM site LEFT JOIN node AS far ON far.key = site.target
    WHERE site.choice = 0 AND (site.reason = 'external' AND far.subkind <> 'stdlib'
        OR site.reason = 'unknown' AND site.kind = 'import')
),
parts AS (
    SELECT string_split(regexp_replace(path, '[.][a-z]+$', ''), '/') AS names, key AS file
    FROM file WHERE status = 'indexed'
),
package AS (
    SELECT DISTINCT regexp_replace(place.path, '/[^/]*$', '') AS path
    FROM node JOIN file AS place ON place.key = node.file
    WHERE node.kind = 'module' AND node.subkind = 'package'
),
member AS (
    SELECT names[:depth] AS path, names[depth + 1] AS top, names[depth + 2] AS name
    FROM parts, unnest(range(1, len(names))) AS level(depth)
    UNION
    SELECT names[:depth], names[depth + 1], node.name
    FROM parts JOIN node ON node.file = parts.file, unnest([len(names) - 1, len(names) - 2])
        AS level(depth)
    WHERE depth > 0 AND node.parent IN (SELECT key FROM node WHERE kind = 'module')
),
root AS (
    SELECT array_to_string(path, '/') AS path, top, name FROM member
    WHERE array_to_string(path, '/') NOT IN (FROM package)
),
named AS (
    SELECT root.path, led_outside.top, count(*) AS imports
    FROM led_outside JOIN root ON root.top = led_outside.top AND root.name = led_outside.names[2]
    WHERE led_outside.kind = 'import' AND led_outside.names[1] = led_outside.top
    GROUP BY ALL
),
outside AS (
    SELECT top, count(*) AS weight,
        count(*) FILTER (kind = 'import' AND len(names) > 1 AND names[1] = top) AS imports
    FROM led_outside GROUP BY top
)
SELECT named.path, sum(named.imports)::BIGINT AS imports, sum(outside.weight)::BIGINT AS weight
FROM named JOIN outside ON outside.top = named.top AND named.imports * 2 > outside.imports
GROUP BY named.path
ORDER BY weight DESC, named.path
"""
"""(folder, imports, references) of names that lead outside and that a folder could be the root of.

A folder counts when more than half of the imports of a name find there what they take: a module
that is only called like a library does not.
"""
