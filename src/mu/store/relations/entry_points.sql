-- What runs though nothing in the repository may call it: programs, tests, routes, commands and the like; one row for each.
SELECT
    node.id AS id,  -- id of the node that runs, as in `nodes`
    entry.role::VARCHAR AS role,  -- `main`, `script`, `test`, `fixture`, `route`, `command`, `task`, `receiver`, `hook` or `override`
    entry.method AS method,  -- HTTP methods of a route, with commas; empty for any
    entry.label AS label,  -- by what name it is asked for, such as the pattern of a route; empty when it is not constant
    entry.framework AS framework,  -- what calls it: a package, a manifest or the language
    entry.path AS path,  -- path of the file that says so
    entry.line AS line  -- line there, from 1
FROM graph.main.entry AS entry
JOIN graph.main.node AS node ON node.key = entry.node
