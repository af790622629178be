; The structure of a value, asked of one node at a time: only the node itself is matched.

(identifier) @expression.name
(dotted_name) @expression.dotted
(attribute object: (_) @base attribute: (identifier) @name) @expression.attribute
(call function: (_) @base arguments: (argument_list) @arguments) @expression.call
(call function: (_) @base arguments: (generator_expression) @argument) @expression.call
(subscript value: (_) @base) @expression.index
(generic_type . (_) @base (type_parameter) @arguments) @expression.index
(await (_) @base) @expression.await
(parenthesized_expression (_) @base) @expression.same
(named_expression value: (_) @base) @expression.same
(assignment right: (_) @base) @expression.same
(type (_) @base) @expression.same
(conditional_expression . (_) @option (_) (_) @option .) @expression.union
(boolean_operator left: (_) @option operator: "or" right: (_) @option) @expression.union
(boolean_operator operator: "and" right: (_) @option) @expression.union
(binary_operator left: (_) @left operator: _ @operator right: (_) @right) @expression.operator
(unary_operator operator: _ @operator argument: (_) @left) @expression.operator
(comparison_operator . (_) @left operators: _ @operator . (_) @right) @expression.operator
(union_type (type) @option (type) @option) @expression.union
(member_type (_) @base (identifier) @name) @expression.attribute
(lambda body: (_) @body) @expression.function
(yield) @expression.yielded

(list) @expression.collection.list
(tuple) @expression.collection.tuple
(expression_list) @expression.collection.tuple
(set) @expression.collection.set
; No collection to a reader, but made of its parts like one, and of a type of its own.
(slice) @expression.collection.slice
(dictionary) @expression.collection.dict
(pair key: (_) @key value: (_) @value) @expression.pair
(list_splat (_) @base) @expression.spread
(dictionary_splat (_) @base) @expression.spread
(splat_type (_) @base) @expression.spread
(keyword_argument name: (identifier) @name value: (_) @value) @expression.keyword
(list_comprehension body: (_) @body) @expression.comprehension.list
(set_comprehension body: (_) @body) @expression.comprehension.set
(generator_expression body: (_) @body) @expression.comprehension.generator
(dictionary_comprehension body: (_) @body) @expression.comprehension.dict

(string) @expression.string
(concatenated_string) @expression.literal.str
(integer) @expression.literal.int
(float) @expression.literal.float
(true) @expression.literal.bool
(false) @expression.literal.bool
(none) @expression.literal.none
(comment) @skip
