-- Headings in documents and what stands under them; the columns of `nodes`.
SELECT * FROM nodes WHERE kind = 'section'
