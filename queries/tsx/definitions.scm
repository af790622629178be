; What React's wrappers are handed is what the name stands for.
(variable_declarator
  name: (identifier) @name
  value: (call_expression
    function: (identifier) @_wrapper
    arguments: (arguments . [(arrow_function) (function_expression)] @body))
  (#any-of? @_wrapper "forwardRef" "memo" "useCallback")) @definition.lambda
(variable_declarator
  name: (identifier) @name
  value: (call_expression
    function: (member_expression object: (identifier) @_react property: (_) @_wrapper)
    arguments: (arguments . [(arrow_function) (function_expression)] @body))
  (#eq? @_react "React")
  (#any-of? @_wrapper "forwardRef" "memo" "useCallback")) @definition.lambda
