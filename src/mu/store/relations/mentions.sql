-- Documents and sections, and the code they name; the columns of `edges` but `kind`.
SELECT * EXCLUDE (kind) FROM edges WHERE kind = 'mentions'
