"""Functions that escape: passed as values to calls that are not resolved.

`box.run(job)` with an unknown `box` may call `job`, and where known calls of `run` pass functions
on to a line that calls what it holds, that line may call `job` too. A value and a call belong
together here when they stand on one line of one function: the ledger has no arguments. Minified
files, whose lines are whole programs, have no part in this.
"""

IS_CALLED = """EXISTS (
            FROM site AS called WHERE called.file = site.file AND called.line = site.line
                AND called.source = site.source AND called.kind = 'call'
                AND called.text = site.text AND called.rule IS DISTINCT FROM 'callback'
        )"""
"""The condition that a call on the line has the text of a value: an override of it runs there."""

_PASSED = """site.kind = 'value' AND met.kind = 'function' AND met.subkind <> 'property'
        AND place.category <> 'minified'"""

PASSED = f"""
SELECT 1 FROM {{walked}} AS walked JOIN node AS met ON met.key = walked.node
JOIN site ON site.target = met.key JOIN file AS place ON place.key = site.file
WHERE {_PASSED} AND walked.distance < ?
"""
"""Returns a row if a function of a backward walk is passed as a value: else nothing escapes."""

ESCAPING = f"""
escaping AS (
    SELECT open.file, open.line, open.source, open.text
    FROM {{walked}} AS walked JOIN node AS met ON met.key = walked.node
    JOIN site ON site.target = met.key JOIN file AS place ON place.key = site.file
    JOIN open ON open.file = site.file AND open.line = site.line AND open.source = site.source
    WHERE {_PASSED} AND open.kind = 'call' AND walked.distance < $2
        AND NOT starts_with(open.text, site.text || '.')
    UNION
    SELECT open.file, open.line, open.source, open.text
    FROM {{walked}} AS walked JOIN node AS met ON met.key = walked.node
    JOIN site ON site.target = met.key JOIN file AS place ON place.key = site.file
    JOIN site AS call ON call.file = site.file AND call.line = site.line
        AND call.source = site.source AND call.kind = 'call' AND call.target <> met.key
    JOIN open ON open.source = call.target AND open.kind = 'call' AND open.text = open.name
    WHERE {_PASSED} AND walked.distance < $2
),"""
"""The table for `BACKWARD`: open calls that a function of a backward walk is passed to, or that are
made of names in a function that it is passed to.
"""

BACKWARD = """
        OR kind = 'call' AND (file, line, source, text) IN (FROM escaping)"""
"""The condition that takes these."""

FORWARD = """
    UNION ALL
    SELECT site.source, site.file, site.line, site.text, site.reason::VARCHAR, site.candidates,
        false
    FROM site JOIN file AS place ON place.key = site.file
    WHERE list_contains($1::VARCHAR[], site.reason::VARCHAR)
        AND list_contains($2::VARCHAR[], 'call')
        AND source NOT IN (SELECT node FROM {walked} WHERE distance < $3)
        AND (site.name, place.language) IN (FROM passing)
        AND (site.kind = 'decorator'
            OR site.kind = 'call' AND (file, line, source) IN (FROM passed))"""
"""Open calls that may pass functions to where the nodes of a forward walk call what they hold."""

HELD = f"""
held AS (
    SELECT DISTINCT site.target AS node FROM site JOIN node AS met ON met.key = site.target
    WHERE site.source IN (SELECT node FROM {{walked}} WHERE distance < $3) AND site.kind = 'call'
        AND site.rule IN ('callback', 'inferred') AND met.kind = 'function'
        AND met.subkind <> 'constructor' AND met.name <> site.name AND site.text <> ''
),
passed AS (
    SELECT site.file, site.line, site.source FROM site JOIN node AS met ON met.key = site.target
    JOIN file AS place ON place.key = site.file
    WHERE {_PASSED} AND EXISTS (FROM held)
),
passing AS (
    SELECT call.name, place.language FROM site
    JOIN site AS call USING (file, line, source) JOIN file AS place ON place.key = site.file
    WHERE site.kind = 'value' AND site.target IN (FROM held) AND call.kind = 'call'
        AND call.reason IS NULL AND NOT starts_with(call.text, site.text || '.')
    UNION
    SELECT site.name, place.language FROM site JOIN file AS place ON place.key = site.file
    WHERE site.kind = 'decorator' AND site.source IN (FROM held) AND site.reason IS NULL
),"""
"""Tables for `FORWARD`: functions that a walk's nodes call by another name, where functions are
passed on, and (name, language) of the resolved calls that pass those.
"""
