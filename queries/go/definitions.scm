; Types, functions, methods by receiver, what documents them, blocks, and where execution branches.

(package_clause (package_identifier) @name) @package

(type_spec
  name: (type_identifier) @name
  type_parameters: (type_parameter_list)? @generics
  type: (struct_type (field_declaration_list) @body)) @definition.class.struct
(type_spec
  name: (type_identifier) @name
  type_parameters: (type_parameter_list)? @generics
  type: (interface_type) @body) @definition.class.interface
(type_spec
  name: (type_identifier) @name
  type_parameters: (type_parameter_list)? @generics
  type: [(slice_type) (array_type) (map_type) (channel_type)] @bases @body) @definition.class.type
(type_spec
  name: (type_identifier) @name
  type_parameters: (type_parameter_list)? @generics
  type: [(type_identifier) (qualified_type) (generic_type)] @bases @body) @definition.class.type
(type_spec
  name: (type_identifier) @name
  type_parameters: (type_parameter_list)? @generics
  type: [(function_type) (pointer_type) (parenthesized_type)] @body) @definition.class.type

(field_declaration !name type: [(type_identifier) (qualified_type)] @name @value) @extends
(field_declaration !name type: (generic_type type: (_) @name) @value) @extends
(interface_type (type_elem (_) @value) @extends)

(function_declaration
  name: (identifier) @name
  type_parameters: (type_parameter_list)? @generics
  parameters: (parameter_list) @parameters
  result: [(parameter_list) @results
    [(type_identifier) (qualified_type) (generic_type) (pointer_type) (slice_type) (array_type)
     (map_type) (channel_type) (function_type) (interface_type) (struct_type)
     (parenthesized_type)] @returns]?
  body: (block)? @body) @definition.function
(method_declaration
  receiver: (parameter_list (parameter_declaration type: [
    (type_identifier) @class
    (pointer_type (type_identifier) @class)
    (generic_type type: (type_identifier) @class type_arguments: (type_arguments) @generics)
    (pointer_type
      (generic_type type: (type_identifier) @class type_arguments: (type_arguments) @generics))
  ])) @parameters
  name: (field_identifier) @name
  parameters: (parameter_list) @parameters
  result: [(parameter_list) @results
    [(type_identifier) (qualified_type) (generic_type) (pointer_type) (slice_type) (array_type)
     (map_type) (channel_type) (function_type) (interface_type) (struct_type)
     (parenthesized_type)] @returns]?
  body: (block)? @body) @definition.function
(method_elem
  name: (field_identifier) @name
  parameters: (parameter_list) @parameters
  result: [(parameter_list) @results
    [(type_identifier) (qualified_type) (generic_type) (pointer_type) (slice_type) (array_type)
     (map_type) (channel_type) (function_type) (interface_type) (struct_type)
     (parenthesized_type)] @returns]?) @definition.function

(func_literal
  parameters: (parameter_list) @parameters
  result: [(parameter_list) @results
    [(type_identifier) (qualified_type) (generic_type) (pointer_type) (slice_type) (array_type)
     (map_type) (channel_type) (function_type) (interface_type) (struct_type)
     (parenthesized_type)] @returns]?
  body: (block) @body) @scope.function

(short_var_declaration
  left: (expression_list . (identifier) @name .)
  right: (expression_list . (func_literal body: (_) @body) .)) @definition.lambda
(var_spec
  . name: (identifier) @name . value: (expression_list . (func_literal body: (_) @body) .)
) @definition.lambda

[(block) (if_statement) (for_statement) (expression_switch_statement) (type_switch_statement)
 (expression_case) (type_case) (default_case) (communication_case)] @scope.block

(struct_type) @scope.class.struct

(return_statement (expression_list) @value) @return

[(if_statement) (for_statement) (expression_case) (type_case) (communication_case)] @branch
(binary_expression operator: ["&&" "||"]) @branch
