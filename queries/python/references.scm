; Names and attributes that are used, wherever the grammar lets an expression stand. Not repeated
; here: calls, their arguments, and what bindings, returns, defaults and lambdas capture, which are
; built as values anyway.

(binary_operator [(identifier) (attribute)] @reference.value)
(comparison_operator [(identifier) (attribute)] @reference.value)
(boolean_operator [(identifier) (attribute)] @reference.value)
(not_operator [(identifier) (attribute)] @reference.value)
(unary_operator [(identifier) (attribute)] @reference.value)
(conditional_expression [(identifier) (attribute)] @reference.value)
(list [(identifier) (attribute)] @reference.value)
(tuple [(identifier) (attribute)] @reference.value)
(set [(identifier) (attribute)] @reference.value)
(pair [(identifier) (attribute)] @reference.value)
(expression_list [(identifier) (attribute)] @reference.value)
(subscript [(identifier) (attribute)] @reference.value)
(slice [(identifier) (attribute)] @reference.value)
(parenthesized_expression [(identifier) (attribute)] @reference.value)
(interpolation [(identifier) (attribute)] @reference.value)
(await [(identifier) (attribute)] @reference.value)
(raise_statement [(identifier) (attribute)] @reference.value)
(assert_statement [(identifier) (attribute)] @reference.value)
(expression_statement [(identifier) (attribute)] @reference.value)
(if_statement condition: [(identifier) (attribute)] @reference.value)
(elif_clause condition: [(identifier) (attribute)] @reference.value)
(while_statement condition: [(identifier) (attribute)] @reference.value)
(if_clause [(identifier) (attribute)] @reference.value)
(with_item value: [(identifier) (attribute)] @reference.value)
(except_clause value: [(identifier) (attribute)] @reference.value)
(match_statement subject: [(identifier) (attribute)] @reference.value)
(augmented_assignment right: [(identifier) (attribute)] @reference.value)
(list_comprehension body: [(identifier) (attribute)] @reference.value)
(set_comprehension body: [(identifier) (attribute)] @reference.value)
(generator_expression body: [(identifier) (attribute)] @reference.value)
(list_splat [(identifier) (attribute)] @reference.value)
(dictionary_splat [(identifier) (attribute)] @reference.value)
(class_pattern (dotted_name) @reference.value)
(case_pattern (dotted_name (identifier) (identifier)) @reference.value)
(union_pattern (dotted_name (identifier) (identifier)) @reference.value)
(keyword_pattern (dotted_name (identifier) (identifier)) @reference.value)
(dict_pattern key: (dotted_name (identifier) (identifier)) @reference.value)
(augmented_assignment left: (attribute) @reference.value)
(format_expression [(identifier) (attribute)] @reference.value)
; What is a statement of its own in Python 2.
(print_statement [(identifier) (attribute)] @reference.value)
(chevron [(identifier) (attribute)] @reference.value)
(exec_statement [(identifier) (attribute)] @reference.value)

; What runs a method without naming it, beside loops and what `expressions.scm` has.
(with_item value: [
  (identifier) (attribute) (call) (subscript) (await) (parenthesized_expression)
  (binary_operator) (boolean_operator) (conditional_expression) (list) (tuple)
] @value) @operation.entered
(delete_statement [(subscript) (attribute)] @value) @operation.deleted
(delete_statement (expression_list [(subscript) (attribute)] @value)) @operation.deleted

; What is tested, and what is put into a text. Comparisons and the like are plain truth values.
(if_statement condition: [(identifier) (attribute) (call) (subscript)] @value) @operation.applied.if
(elif_clause condition: [(identifier) (attribute) (call) (subscript)] @value) @operation.applied.if
(while_statement condition: [(identifier) (attribute) (call) (subscript)] @value) @operation.applied.if
(conditional_expression . (_) . [(identifier) (attribute) (call) (subscript)] @value) @operation.applied.if
(boolean_operator left: [(identifier) (attribute) (call) (subscript)] @value) @operation.applied.if
(not_operator argument: [(identifier) (attribute) (call) (subscript)] @value) @operation.applied.if
(if_clause [(identifier) (attribute) (call) (subscript)] @value) @operation.applied.if
(interpolation expression: [(identifier) (attribute) (call) (subscript)] @value
  !type_conversion) @operation.applied.format
(interpolation expression: [(identifier) (attribute) (call) (subscript)] @value
  type_conversion: (_)) @operation.applied.repr
; A class that is raised is called for the instance.
(raise_statement . [(identifier) (attribute)] @value) @operation.applied.raise
; What is awaited.
(await [(identifier) (attribute) (call) (subscript) (await) (parenthesized_expression)] @value)
  @operation.applied.await
(augmented_assignment left: (_) @changed operator: _ @operator right: (_) @right) @operation.changed
