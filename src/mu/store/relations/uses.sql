-- Functions and classes, and the types, constants, variables and decorators they name; the columns of `edges` but `kind`.
SELECT * EXCLUDE (kind) FROM edges WHERE kind = 'uses'
