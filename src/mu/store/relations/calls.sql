-- Functions and module bodies that call functions or make objects of classes; the columns of `edges` but `kind`.
SELECT * EXCLUDE (kind) FROM edges WHERE kind = 'calls'
