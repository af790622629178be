-- Every file that was seen, indexed or skipped.
SELECT
    file.path AS path,  -- path from the root, with `/`
    file.language AS language,  -- the language's name; empty when the file has none
    file.category::VARCHAR AS category,  -- `source`, `test`, `generated`, `vendored` or `minified`, a module without contents
    file.status AS status,  -- `indexed` or `skipped`
    file.reason AS reason,  -- why it was skipped; empty when it was indexed
    file.digest AS digest,  -- BLAKE2b-128 of the bytes that were parsed, in hex
    file.bytes AS bytes,  -- size on disk, in bytes
    file.lines AS lines,  -- number of lines
    file.problems AS problems  -- what the parser could not read, as `line: what`
FROM graph.main.file AS file
