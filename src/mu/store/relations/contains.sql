-- What is defined in what: a module's classes, a class's methods; the columns of `edges` but `kind`.
SELECT * EXCLUDE (kind) FROM edges WHERE kind = 'contains'
