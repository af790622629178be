; Names and fields that are used, wherever the grammar lets an expression stand. Not repeated here:
; calls, their arguments, and what bindings and returns capture, which are built as values anyway.

(binary_expression [(identifier) (field_access)] @reference.value)
(unary_expression [(identifier) (field_access)] @reference.value)
(update_expression [(identifier) (field_access)] @reference.value)
(ternary_expression [(identifier) (field_access)] @reference.value)
(parenthesized_expression [(identifier) (field_access)] @reference.value)
(cast_expression value: [(identifier) (field_access)] @reference.value)
(instanceof_expression left: [(identifier) (field_access)] @reference.value)
(dimensions_expr [(identifier) (field_access)] @reference.value)
(array_access [(identifier) (field_access)] @reference.value)
(array_initializer [(identifier) (field_access)] @reference.value)
(assignment_expression [(identifier) (field_access)] @reference.value)
(throw_statement [(identifier) (field_access)] @reference.value)
(switch_label (field_access) @reference.value)
(switch_label (identifier) @reference.label)
(lambda_expression body: [(identifier) (field_access)] @reference.value)
(argument_list [(identifier) (field_access)] @reference.value)
(annotation_argument_list [(identifier) (field_access)] @reference.value)
(element_value_pair value: [(identifier) (field_access)] @reference.value)
(element_value_array_initializer [(identifier) (field_access)] @reference.value)

; Types beside expressions and in heads.
(class_literal (_) @reference.type)
(instanceof_expression right: (_) @reference.type)
(record_pattern . (_) @reference.type)
(cast_expression type: (_) @reference.type)
(array_creation_expression type: (_) @reference.type)
(type_arguments (_) @reference.type)
(throws (_) @reference.type)
(receiver_parameter [(type_identifier) (generic_type) (scoped_type_identifier)] @reference.type)
(permits (type_list (_) @reference.type))

; Annotations in annotations, and of types: they are on no definition.
(marker_annotation name: (_) @reference.type)
(annotation_argument_list (annotation name: (_) @reference.type))
(element_value_pair value: (annotation name: (_) @reference.type))
(element_value_array_initializer (annotation name: (_) @reference.type))
(annotated_type (annotation name: (_) @reference.type))

; What is put into a text, if it is no number.
(binary_expression
  left: [(identifier) (field_access) (method_invocation) (object_creation_expression) (this)] @value
  operator: "+") @operation.applied.text
(binary_expression
  operator: "+"
  right: [(identifier) (field_access) (method_invocation) (object_creation_expression) (this)] @value
) @operation.applied.text
