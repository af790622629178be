; The structure of a value, asked of one node at a time: only the node itself is matched.

[(identifier) (type_identifier) (package_identifier) (field_identifier)] @expression.name
(qualified_type) @expression.dotted
(selector_expression operand: (_) @base field: (field_identifier) @name) @expression.attribute
(call_expression function: (_) @base arguments: (argument_list) @arguments) @expression.call
(type_conversion_expression
  type: [(type_identifier) (qualified_type)] @base operand: (_) @argument) @expression.call
(type_conversion_expression
  type: (generic_type type: (_) @base) operand: (_) @argument) @expression.call
(type_conversion_expression type: (_) @type) @expression.cast
(type_assertion_expression type: (_) @type) @expression.cast
(composite_literal
  type: [(type_identifier) (qualified_type)] @base body: (literal_value) @arguments) @expression.call
(composite_literal
  type: (generic_type) @base body: (literal_value) @arguments) @expression.call
(composite_literal type: (_) @type body: (_) @value) @expression.composite
(literal_value (keyed_element)) @expression.collection.dict
(literal_value) @expression.collection.slice
(generic_type type: (_) @base type_arguments: (type_arguments) @arguments) @expression.index
(type_instantiation_expression type: (_) @base) @expression.index
(index_expression operand: (_) @base index: (_) @argument) @expression.index
(slice_expression operand: (_) @base) @expression.same
(type_elem . (_) @base .) @expression.same
(type_elem . (_) @option ("|" (_) @option)+) @expression.union
(negated_type (_) @base) @expression.same
(pointer_type (_) @base) @expression.same
(parenthesized_type (_) @base) @expression.same
(parenthesized_expression (_) @base) @expression.same
(unary_expression operator: ["&" "*"] operand: (_) @base) @expression.same
(unary_expression operator: "<-" operand: (_) @base) @expression.await
(slice_type element: (_) @body) @expression.comprehension.slice
(array_type element: (_) @body) @expression.comprehension.slice
(implicit_length_array_type element: (_) @body) @expression.comprehension.slice
(channel_type value: (_) @body) @expression.comprehension.chan
(map_type key: (_) @key value: (_) @body) @expression.comprehension.dict
(function_type
  parameters: (parameter_list) @parameters result: (_)? @returns) @expression.callable
(parameter_list . (_) @base .) @expression.same
(parameter_list) @expression.collection.tuple
(parameter_declaration type: (_) @base) @expression.same
(func_literal body: (_) @body) @expression.function
(expression_list . (_) @base .) @expression.same
(expression_list) @expression.collection.tuple
(literal_element (_) @base) @expression.same
(keyed_element
  key: (literal_element (identifier) @name) value: (literal_element (_) @value)) @expression.keyword
(keyed_element
  key: (literal_element (_) @key) value: (literal_element (_) @value)) @expression.pair
(variadic_argument (_) @base) @expression.spread

(interpreted_string_literal) @expression.string
(raw_string_literal) @expression.literal.str
(int_literal) @expression.literal.int
(float_literal) @expression.literal.float
(imaginary_literal) @expression.literal.complex
(rune_literal) @expression.literal.rune
(true) @expression.literal.bool
(false) @expression.literal.bool
(nil) @expression.literal.none
(comment) @skip
