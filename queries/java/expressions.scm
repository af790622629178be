; The structure of a value, asked of one node at a time: only the node itself is matched.

(identifier) @expression.name
(type_identifier) @expression.name
(this) @expression.name
(super) @expression.name
(scoped_type_identifier
  (generic_type) @base (type_identifier) @name) @expression.attribute
(scoped_type_identifier) @expression.dotted
(scoped_identifier) @expression.dotted
(field_access object: (_) @base field: (identifier) @name) @expression.attribute
(method_reference . (_) @base (identifier) @name .) @expression.attribute.function
(method_reference . (_) @base "new" @name .) @expression.attribute.function
(method_invocation
  object: (_) @base name: (identifier) @name arguments: (argument_list) @arguments) @expression.call
(method_invocation
  !object name: (identifier) @base arguments: (argument_list) @arguments) @expression.call
(object_creation_expression
  . (_) @base "." "new" type: (type_identifier) @name
  arguments: (argument_list) @arguments) @expression.call
(object_creation_expression
  . (_) @base "." "new" type: (generic_type . (type_identifier) @name)
  arguments: (argument_list) @arguments) @expression.call
(object_creation_expression
  type: (generic_type . (_) @base) arguments: (argument_list) @arguments) @expression.call
(object_creation_expression
  type: (_) @base arguments: (argument_list) @arguments) @expression.call
(annotation name: (_) @base arguments: (annotation_argument_list) @arguments) @expression.call
(marker_annotation name: (_) @base) @expression.same
(element_value_pair key: (_) @name value: (_) @value) @expression.keyword
(explicit_constructor_invocation
  constructor: [(super) (this)] @base arguments: (argument_list) @arguments) @expression.call
(generic_type . (_) @base (type_arguments) @arguments) @expression.index
(array_access array: (_) @base index: (_) @argument) @expression.index
(array_type element: (_) @body) @expression.comprehension.array
(wildcard (_) @base .) @expression.same
(annotated_type (_) @base .) @expression.same
(cast_expression type: (_) @type value: (_) @value) @expression.cast
(lambda_expression body: (_) @body) @expression.function
(array_initializer) @expression.collection.array
(element_value_array_initializer) @expression.collection.array
(array_creation_expression value: (array_initializer) @base) @expression.same
(parenthesized_expression (_) @base) @expression.same
(assignment_expression right: (_) @base) @expression.same
(binary_expression operator: "+" right: (string_literal) @base) @expression.same
(binary_expression left: (_) @base operator: ["+" "-" "*" "/" "%"]) @expression.same
(ternary_expression consequence: (_) @option alternative: (_) @option) @expression.union

(string_literal) @expression.string
(decimal_integer_literal) @expression.literal.int
(decimal_floating_point_literal) @expression.literal.double
(character_literal) @expression.literal.char
(true) @expression.literal.bool
(false) @expression.literal.bool
(class_literal (_)) @expression.literal.class
(null_literal) @expression.literal.none
; Types that are no classes are what their values are written as.
(boolean_type) @expression.literal.bool
(floating_point_type "float") @expression.literal.float
(floating_point_type "double") @expression.literal.double
(integral_type "char") @expression.literal.char
(integral_type "int") @expression.literal.int
(integral_type "long") @expression.literal.long
(integral_type "short") @expression.literal.short
(integral_type "byte") @expression.literal.byte
(line_comment) @skip
(block_comment) @skip
