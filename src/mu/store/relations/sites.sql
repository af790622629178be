-- The ledger: every reference in the text, what it means and by which rule, or why nothing is known.
SELECT
    site.kind::VARCHAR AS kind,  -- `import`, `call`, `base`, `annotation`, `decorator`, `value`, `link` or `mention`
    source.id AS source,  -- id of the node whose text holds the reference
    target.id AS target,  -- id of the node it means; NULL when unresolved
    source.name AS source_name,  -- the first one's name
    target.name AS target_name,  -- the second one's name
    file.path AS path,  -- path of the file
    site.line AS line,  -- line, from 1
    site.text AS text,  -- the reference as written
    site.name AS name,  -- its last identifier
    site.choice AS choice,  -- number of this answer, from 0, where several may answer
    site.rule::VARCHAR AS rule,  -- how it was resolved; NULL when it was not
    site.reason::VARCHAR AS reason,  -- `external`, `ambiguous`, `dynamic` or `unknown`; NULL for an edge inside the repository
    site.candidates AS candidates  -- how many definitions would fit; up to 10 where nothing more is known
FROM graph.main.site AS site
JOIN graph.main.node AS source ON source.key = site.source
LEFT JOIN graph.main.node AS target ON target.key = site.target
LEFT JOIN graph.main.file AS file ON file.key = site.file
