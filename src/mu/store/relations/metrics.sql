-- Coupling and size of each node, by its own edges: those of what it contains do not count.
WITH dependency AS (
    SELECT DISTINCT source, target
    FROM graph.main.edge
    WHERE kind IN ('imports', 'calls', 'inherits', 'overrides', 'uses') AND source <> target
),
incoming AS (SELECT target AS key, count(*) AS total FROM dependency GROUP BY target),
outgoing AS (SELECT source AS key, count(*) AS total FROM dependency GROUP BY source)
SELECT
    node.id AS id,  -- id of the node
    coalesce(incoming.total, 0) AS fan_in,  -- how many other nodes depend on it
    coalesce(outgoing.total, 0) AS fan_out,  -- how many other nodes it depends on
    fan_out / nullif(fan_in + fan_out, 0) AS instability,  -- fan_out / (fan_in + fan_out) (Martin 1994); NULL when both are 0
    node.complexity AS complexity,  -- cyclomatic complexity (McCabe 1976): decision points + 1
    node.lines AS lines  -- number of lines
FROM graph.main.node AS node
LEFT JOIN incoming ON incoming.key = node.key
LEFT JOIN outgoing ON outgoing.key = node.key
