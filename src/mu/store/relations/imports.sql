-- Modules that import modules or symbols outside the repository; the columns of `edges` but `kind`.
SELECT * EXCLUDE (kind) FROM edges WHERE kind = 'imports'
