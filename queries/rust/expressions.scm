; The structure of a value, asked of one node at a time: only the node itself is matched.

[(identifier) (type_identifier) (primitive_type) (field_identifier) (shorthand_field_identifier)
 (self) (super) (crate)] @expression.name
(scoped_identifier path: (_) @base name: (_) @name) @expression.attribute
(scoped_type_identifier path: (_) @base name: (_) @name) @expression.attribute
(field_expression value: (_) @base field: (_) @name) @expression.attribute
(call_expression function: (_) @base arguments: (arguments) @arguments) @expression.call
(struct_expression name: (_) @base body: (field_initializer_list) @arguments) @expression.call
(macro_invocation macro: (_) @base) @expression.call
(generic_function function: (_) @base) @expression.same
(field_initializer field: (_) @name value: (_) @value) @expression.keyword
(shorthand_field_initializer (identifier) @name @value) @expression.keyword
(base_field_initializer (_) @base) @expression.spread
(generic_type_with_turbofish type: (_) @base) @expression.same
(generic_type type: (_) @base type_arguments: (type_arguments) @arguments) @expression.index
(bracketed_type (_) @base) @expression.same
(type_binding type: (_) @base) @expression.same
(qualified_type type: (_) @base) @expression.same
(reference_type type: (_) @base) @expression.same
(pointer_type type: (_) @base) @expression.same
(dynamic_type trait: (_) @base) @expression.same
(abstract_type trait: (_) @base) @expression.same
(bounded_type . (_) @base) @expression.same
(array_type element: (_) @body) @expression.comprehension.slice
(tuple_type) @expression.collection.tuple
(higher_ranked_trait_bound type: (_) @base) @expression.same
(function_type
  trait: (_)? @name
  parameters: (parameters) @parameters
  return_type: (_)? @returns) @expression.callable
(index_expression . (_) @base (_) @argument .) @expression.index
(try_expression (_) @base) @expression.await
(await_expression (_) @base) @expression.await
(reference_expression value: (_) @base) @expression.same
(unary_expression "*" (_) @base) @expression.same
(unary_expression ["-" "!"] @operator (_) @left) @expression.operator
(binary_expression
  left: (_) @left
  operator: ["+" "-" "*" "/" "%" "^" "&" "|" "<<" ">>" "==" "!=" "<" ">" "<=" ">="] @operator
  right: (_) @right) @expression.operator
(parenthesized_expression (_) @base) @expression.same
(type_cast_expression value: (_) @value type: (_) @type) @expression.cast
(closure_expression body: (_) @body) @expression.function
(tuple_expression) @expression.collection.tuple
(range_expression) @expression.collection.range
(array_expression) @expression.collection.slice

(if_expression consequence: (_) @option alternative: (_) @option) @expression.union
(else_clause (_) @base) @expression.same
(block (_) @option . [(line_comment) (block_comment)]* .) @expression.union
(unsafe_block (_) @option) @expression.union
(expression_statement
  [(if_expression) (match_expression) (block) (unsafe_block)] @option) @expression.union
(match_expression body: (_) @option) @expression.union
(match_block (match_arm)+ @option) @expression.union
(match_arm value: (_) @option) @expression.union

(string_literal) @expression.string
(raw_string_literal) @expression.literal.str
(integer_literal) @expression.literal.int
(float_literal) @expression.literal.float
(char_literal) @expression.literal.char
(boolean_literal) @expression.literal.bool
(line_comment) @skip
(block_comment) @skip
(lifetime) @skip
