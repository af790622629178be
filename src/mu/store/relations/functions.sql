-- Everything that can be called, methods included; the columns of `nodes`.
SELECT * FROM nodes WHERE kind = 'function'
