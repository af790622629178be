-- Symbols outside the repository, by dotted name; the columns of `nodes`.
SELECT * FROM nodes WHERE kind = 'external'
