-- Every node: modules, classes, functions, variables, documents, sections, externals.
SELECT
    node.id AS id,  -- readable and unique, such as `fn:src/app/auth.py:login`
    node.kind::VARCHAR AS kind,  -- `module`, `class`, `function`, `variable`, `document`, `section` or `external`
    node.subkind AS subkind,  -- more closely: `method`, `interface`, `package`, `constant` and the like
    node.name AS name,  -- its own name
    node.qualified_name AS qualified_name,  -- the dotted name, from the module down
    node.module AS module,  -- dotted name of the module it stands in
    node.language AS language,  -- the language it is written in
    file.path AS path,  -- path from the root, with `/`; NULL outside the repository
    node.start_line AS start_line,  -- first line, from 1
    node.end_line AS end_line,  -- last line
    node.signature AS signature,  -- the signature as written
    node.docstring AS docstring,  -- its documentation as written
    node.visibility AS visibility,  -- `public`, `private` or what the language has
    node.is_async AS is_async,  -- whether it is asynchronous
    node.is_static AS is_static,  -- whether it belongs to the class and not to an instance
    node.is_abstract AS is_abstract,  -- whether it must be implemented elsewhere
    node.is_test AS is_test,  -- whether it is part of the tests
    node.is_generated AS is_generated,  -- whether a program wrote it
    node.decorators AS decorators,  -- decorators as written, without the marker
    node.parameters AS parameters,  -- parameters as written
    node.returns AS returns,  -- declared return type; empty when there is none
    node.complexity AS complexity,  -- cyclomatic complexity (McCabe 1976): decision points + 1
    node.lines AS lines,  -- number of lines
    node.digest AS digest  -- changes when the body does
FROM graph.main.node AS node
LEFT JOIN graph.main.file AS file ON file.key = node.file
