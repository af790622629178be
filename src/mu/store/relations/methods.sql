-- Functions whose parent is a class; the columns of `nodes`.
SELECT * FROM nodes WHERE id IN (
    SELECT child.id
    FROM graph.main.node AS child
    JOIN graph.main.node AS parent ON parent.key = child.parent
    WHERE child.kind = 'function' AND parent.kind = 'class'
)
