; The structure of a value, asked of one node at a time: only the node itself is matched.

(identifier) @expression.name
(type_identifier) @expression.name
(predefined_type) @expression.name
(property_identifier) @expression.name
(private_property_identifier) @expression.name
(this) @expression.name
(this_type) @expression.name
(super) @expression.name
(import) @expression.name
(nested_identifier) @expression.dotted
(nested_type_identifier) @expression.dotted
(member_expression object: (_) @base property: (_) @name) @expression.attribute
(call_expression function: (_) @base arguments: (arguments) @arguments) @expression.call
(call_expression function: (_) @base arguments: (template_string) @argument) @expression.call
(new_expression
  constructor: (_) @base
  type_arguments: (type_arguments) @generics arguments: (arguments) @arguments) @expression.call
(new_expression constructor: (_) @base arguments: (arguments) @arguments) @expression.call
(new_expression constructor: (_) @base !arguments) @expression.call
(subscript_expression object: (_) @base index: (_) @argument) @expression.index
(generic_type name: (_) @base type_arguments: (type_arguments) @arguments) @expression.index
(extends_clause
  value: (_) @base type_arguments: (type_arguments) @arguments) @expression.index
(extends_clause value: (_) @base) @expression.same
(lookup_type . (_) @base (_) @argument) @expression.index
(array_type (_) @body) @expression.comprehension.array
(await_expression (_) @base) @expression.await
(ternary_expression consequence: (_) @option alternative: (_) @option) @expression.union
(binary_expression left: (_) @option operator: ["||" "??"] right: (_) @option) @expression.union
(augmented_assignment_expression
  left: (_) @option operator: ["||=" "??="] right: (_) @option) @expression.union
(binary_expression operator: "&&" right: (_) @base) @expression.same
(union_type . (_) @option (_) @option .) @expression.union
(union_type . (_) @base .) @expression.same
(intersection_type . (_) @option (_) @option .) @expression.union
(intersection_type . (_) @base .) @expression.same
(function_type
  type_parameters: (type_parameters)? @generics
  parameters: (formal_parameters) @parameters return_type: (_) @returns) @expression.callable
(tuple_type) @expression.collection.tuple
(optional_type (_) @base) @expression.same
(rest_type (_) @base) @expression.same
(readonly_type (_) @base) @expression.same
(type_annotation (_) @base) @expression.same
(constraint (_) @base) @expression.same
(default_type (_) @base) @expression.same
(parenthesized_type (_) @base) @expression.same
(literal_type (_) @base) @expression.same

(parenthesized_expression (_) @base) @expression.same
(sequence_expression (_) @base .) @expression.same
(non_null_expression (_) @base) @expression.same
(satisfies_expression . (_) @base) @expression.same
(as_expression . (_) @base "const") @expression.same
(as_expression . (_) @value (_) @type .) @expression.cast
(assignment_expression right: (_) @base) @expression.same
(instantiation_expression . (_) @base) @expression.same
(yield_expression) @expression.yielded

(array) @expression.collection.array
(spread_element (_) @base) @expression.spread
(string) @expression.string
(template_string) @expression.string
(number) @expression.literal.number
(regex) @expression.literal.regex
(true) @expression.literal.boolean
(false) @expression.literal.boolean
(null) @expression.literal.none
(undefined) @expression.literal.none
(comment) @skip
