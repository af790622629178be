; Names and members that are used, wherever the grammar lets an expression stand. Not repeated here:
; calls, their arguments, and what bindings and returns capture, which are built as values anyway.

(binary_expression [(identifier) (member_expression)] @reference.value)
(unary_expression [(identifier) (member_expression)] @reference.value)
(update_expression [(identifier) (member_expression)] @reference.value)
(ternary_expression [(identifier) (member_expression)] @reference.value)
(parenthesized_expression [(identifier) (member_expression)] @reference.value)
(sequence_expression [(identifier) (member_expression)] @reference.value)
(subscript_expression [(identifier) (member_expression)] @reference.value)
(augmented_assignment_expression [(identifier) (member_expression)] @reference.value)
(array [(identifier) (member_expression)] @reference.value)
(spread_element [(identifier) (member_expression)] @reference.value)
(template_substitution [(identifier) (member_expression)] @reference.value)
(throw_statement [(identifier) (member_expression)] @reference.value)
(expression_statement (member_expression) @reference.value)
(switch_case [(identifier) (member_expression)] @reference.value)
(computed_property_name [(identifier) (member_expression)] @reference.value)
(for_in_statement operator: "in" right: [(identifier) (member_expression)] @reference.value)
(await_expression [(identifier) (member_expression)] @reference.value)
(enum_assignment value: [(identifier) (member_expression)] @reference.value)

; Names of types, wherever they stand, and values whose types are asked for.
(type_identifier) @reference.type
(nested_type_identifier) @reference.type
(type_query [(identifier) (member_expression)] @reference.value)
(instantiation_expression . [(identifier) (member_expression)] @reference.value)

; What is put into a text.
(template_substitution
  [(identifier) (member_expression) (call_expression) (new_expression) (this)] @value
) @operation.applied.text
(binary_expression
  left: [(string) (template_string)]
  operator: "+"
  right: [(identifier) (member_expression) (call_expression) (new_expression) (this)] @value
) @operation.applied.text
