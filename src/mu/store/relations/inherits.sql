-- Classes and their bases; the columns of `edges` but `kind`.
SELECT * EXCLUDE (kind) FROM edges WHERE kind = 'inherits'
