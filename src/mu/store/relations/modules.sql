-- Source files and packages; the columns of `nodes`.
SELECT * FROM nodes WHERE kind = 'module'
