; Names and members that are used, wherever the grammar lets an expression stand. Not repeated here:
; calls, their arguments, and what bindings and returns capture, which are built as values anyway.

(binary_expression [(identifier) (scoped_identifier) (field_expression)] @reference.value)
(unary_expression [(identifier) (scoped_identifier) (field_expression)] @reference.value)
(parenthesized_expression [(identifier) (scoped_identifier) (field_expression)] @reference.value)
(index_expression [(identifier) (scoped_identifier) (field_expression)] @reference.value)
(range_expression [(identifier) (scoped_identifier) (field_expression)] @reference.value)
(match_expression value: [(identifier) (scoped_identifier) (field_expression)] @reference.value)
(match_pattern (scoped_identifier) @reference.value)
(match_arm value: [(identifier) (scoped_identifier) (field_expression)] @reference.value)
(tuple_struct_pattern type: (_) @reference.value)
(struct_pattern type: (_) @reference.value)
(range_pattern [(identifier) (scoped_identifier)] @reference.value)
(reference_expression value: [(identifier) (scoped_identifier) (field_expression)] @reference.value)
(tuple_expression [(identifier) (scoped_identifier) (field_expression)] @reference.value)
(array_expression [(identifier) (scoped_identifier) (field_expression)] @reference.value)
(break_expression [(identifier) (scoped_identifier) (field_expression)] @reference.value)
(await_expression [(identifier) (scoped_identifier) (field_expression)] @reference.value)
(type_cast_expression
  value: [(identifier) (scoped_identifier) (field_expression)] @reference.value)
(if_expression condition: [(identifier) (scoped_identifier) (field_expression)] @reference.value)
(while_expression condition: [(identifier) (scoped_identifier) (field_expression)] @reference.value)
(let_condition value: [(identifier) (scoped_identifier) (field_expression)] @reference.value)
(block [(identifier) (scoped_identifier) (field_expression)] @reference.value)
(assignment_expression right: [(identifier) (scoped_identifier) (field_expression)] @reference.value)
(compound_assignment_expr [(identifier) (scoped_identifier) (field_expression)] @reference.value)
(closure_expression body: [(identifier) (scoped_identifier) (field_expression)] @reference.value)

(compound_assignment_expr
  left: (_) @changed operator: _ @operator right: (_) @right) @operation.changed

; Types beside expressions, and what bounds them.
(type_arguments (_) @reference.type)
(trait_bounds (_) @reference.type)
(where_predicate left: (_) @reference.type)
(bounded_type (_) @reference.type)
(removed_trait_bound (_) @reference.type)
(qualified_type alias: (_) @reference.type)
(type_cast_expression type: (_) @reference.type)

; What a macro is handed that cannot be read as arguments stays words, as does what it becomes, and
; what attributes are handed.
(macro_invocation (token_tree) @reference.words)
(macro_rule right: (token_tree) @reference.words)
(attribute arguments: (token_tree) @reference.settings)

; An error is handed on, as what the function says that it gives.
(try_expression (_) @value) @operation.raised
