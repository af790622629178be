-- Constants, class attributes, fields and globals; the columns of `nodes`.
SELECT * FROM nodes WHERE kind = 'variable'
