; The structure of a value, asked of one node at a time: only the node itself is matched.

(identifier) @expression.name
(type_identifier) @expression.name
(this) @expression.name
(super) @expression.name
(scoped_type_identifier) @expression.dotted
(scoped_identifier) @expression.dotted
(field_access object: (_) @base field: (identifier) @name) @expression.attribute
(method_invocation
  object: (_) @base name: (identifier) @name arguments: (argument_list) @arguments) @expression.call
(method_invocation
  !object name: (identifier) @base arguments: (argument_list) @arguments) @expression.call
(object_creation_expression
  type: (generic_type . (_) @base) arguments: (argument_list) @arguments) @expression.call
(object_creation_expression
  type: (_) @base arguments: (argument_list) @arguments) @expression.call
(explicit_constructor_invocation
  constructor: [(super) (this)] @base arguments: (argument_list) @arguments) @expression.call
(generic_type . (_) @base (type_arguments) @arguments) @expression.index
(array_access array: (_) @base index: (_) @arguments) @expression.index
(array_type element: (_) @body) @expression.comprehension.array
(wildcard (_) @base) @expression.same
(parenthesized_expression (_) @base) @expression.same
(assignment_expression right: (_) @base) @expression.same
(ternary_expression consequence: (_) @option alternative: (_) @option) @expression.union

(string_literal) @expression.string
(decimal_integer_literal) @expression.literal.int
(decimal_floating_point_literal) @expression.literal.float
(character_literal) @expression.literal.char
(true) @expression.literal.bool
(false) @expression.literal.bool
(null_literal) @expression.literal.none
(line_comment) @skip
(block_comment) @skip
(annotation) @skip
(marker_annotation) @skip
