-- What made this graph, and from what.
SELECT
    meta.name AS name,  -- name of the fact: `schema`, `mu_version`, `digest` and the like
    meta.value AS value  -- its value, as text
FROM graph.main.meta AS meta
