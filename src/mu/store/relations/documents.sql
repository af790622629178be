-- Pages, such as Markdown files; the columns of `nodes`.
SELECT * FROM nodes WHERE kind = 'document'
