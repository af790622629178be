; Names and fields that are used, wherever the grammar lets an expression stand. Not repeated here:
; calls, their arguments, and what bindings and returns capture, which are built as values anyway.

(binary_expression [(identifier) (field_access)] @reference.value)
(unary_expression [(identifier) (field_access)] @reference.value)
(update_expression [(identifier) (field_access)] @reference.value)
(ternary_expression [(identifier) (field_access)] @reference.value)
(parenthesized_expression [(identifier) (field_access)] @reference.value)
(cast_expression value: [(identifier) (field_access)] @reference.value)
(instanceof_expression left: [(identifier) (field_access)] @reference.value)
(array_access [(identifier) (field_access)] @reference.value)
(array_initializer [(identifier) (field_access)] @reference.value)
(assignment_expression [(identifier) (field_access)] @reference.value)
(throw_statement [(identifier) (field_access)] @reference.value)
(switch_label (identifier) @reference.value)
(lambda_expression body: [(identifier) (field_access)] @reference.value)

; What is put into a text, if it is no number.
(binary_expression
  left: [(identifier) (field_access) (method_invocation) (object_creation_expression) (this)] @value
  operator: "+") @operation.applied.text
(binary_expression
  operator: "+"
  right: [(identifier) (field_access) (method_invocation) (object_creation_expression) (this)] @value
) @operation.applied.text
