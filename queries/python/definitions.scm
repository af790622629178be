; Classes, functions, what documents and decorates them, and where execution branches.

(class_definition
  name: (identifier) @name
  type_parameters: (type_parameter)? @generics
  superclasses: (argument_list)? @bases
  body: (block) @body) @definition.class

(function_definition
  "async"? @async
  name: (identifier) @name
  type_parameters: (type_parameter)? @generics
  parameters: (parameters) @parameters
  return_type: (type)? @returns
  body: (block) @body) @definition.function

(assignment
  left: (identifier) @name
  right: (lambda parameters: (lambda_parameters)? @parameters body: (_) @body)) @definition.lambda

(lambda parameters: (lambda_parameters)? @parameters body: (_) @body) @scope.function

[(list_comprehension) (set_comprehension) (dictionary_comprehension) (generator_expression)] @scope.block

(decorator (_) @value) @decorator
(decorated_definition definition: (_) @of) @decorator

(expression_statement . (string (string_start) @_start (string_content) @text)
  (#not-match? @_start "[bBfF]")) @docstring

(return_statement (_) @value) @return
(yield "from"? @all (_) @value) @yield
(yield) @generator

[(if_statement) (elif_clause) (for_statement) (while_statement) (except_clause)
 (conditional_expression) (boolean_operator) (case_clause) (for_in_clause) (if_clause)] @branch

(if_statement
  condition: [(identifier) @_guard (attribute attribute: (identifier) @_guard)]
  consequence: (block) @region.type_only
  (#eq? @_guard "TYPE_CHECKING"))
[(if_statement) (try_statement)] @region.conditional
(type) @region.annotation
