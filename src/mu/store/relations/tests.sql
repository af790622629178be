-- Functions of the tests, modules of tests whose own code calls something, and the code they call or use that is itself no test; made of `calls` and `uses`; the columns of `edges` but `kind`.
SELECT * EXCLUDE (kind) FROM edges WHERE kind = 'tests'
