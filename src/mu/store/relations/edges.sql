-- Every edge: `source` depends on `target`; for `contains`, `target` is defined in `source`.
SELECT
    source.id AS source,  -- id of the node that depends
    target.id AS target,  -- id of the node it depends on
    source.name AS source_name,  -- its name
    target.name AS target_name,  -- its name
    edge.kind::VARCHAR AS kind,  -- `contains`, `imports`, `calls`, `inherits`, `overrides`, `uses`, `tests`, `links` or `mentions`
    edge.role AS role,  -- `annotation`, `value`, `decorator`, `type-only`, `lazy`, `extends`, `call`; empty for the plain case
    file.path AS path,  -- path of the source node's file
    edge.line AS line,  -- line of the first site, from 1
    edge.rule::VARCHAR AS rule,  -- how the first site was resolved
    measured."right" / measured.judged AS confidence,  -- share of judged edges of this rule and language that were right; NULL below 20 judged
    edge.sites AS sites  -- how many sites say so
FROM graph.main.edge AS edge
JOIN graph.main.node AS source ON source.key = edge.source
JOIN graph.main.node AS target ON target.key = edge.target
LEFT JOIN graph.main.file AS file ON file.key = source.file
LEFT JOIN graph.main.measured AS measured
    ON measured.language = source.language AND measured.rule = edge.rule AND measured.judged >= 20
UNION ALL
SELECT
    source.id, target.id, source.name, target.name, 'tests',
    CASE WHEN edge.kind = 'calls' THEN 'call' ELSE edge.role END,
    file.path, edge.line, edge.rule::VARCHAR, measured."right" / measured.judged, edge.sites
FROM graph.main.edge AS edge
JOIN graph.main.node AS source ON source.key = edge.source
JOIN graph.main.node AS target ON target.key = edge.target
LEFT JOIN graph.main.file AS file ON file.key = source.file
LEFT JOIN graph.main.measured AS measured
    ON measured.language = source.language AND measured.rule = edge.rule AND measured.judged >= 20
WHERE edge.kind IN ('calls', 'uses')
    AND source.is_test AND (source.kind = 'function' OR source.kind = 'module' AND edge.kind = 'calls')
    AND NOT target.is_test AND target.kind IN ('class', 'function', 'variable')
