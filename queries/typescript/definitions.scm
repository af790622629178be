; Classes, functions, what decorates them, blocks with names of their own, and where execution
; branches. `_signature` and ambient definitions have no body.

(class_declaration
  decorator: (decorator)* @decorators
  name: (type_identifier) @name
  type_parameters: (type_parameters)? @generics
  (class_heritage (extends_clause)? @bases (implements_clause)? @bases)?
  body: (class_body) @body) @definition.class
(abstract_class_declaration
  decorator: (decorator)* @decorators
  name: (type_identifier) @name
  type_parameters: (type_parameters)? @generics
  (class_heritage (extends_clause)? @bases (implements_clause)? @bases)?
  body: (class_body) @body) @definition.class.abstract
(class
  name: (type_identifier)? @name
  type_parameters: (type_parameters)? @generics
  (class_heritage (extends_clause)? @bases (implements_clause)? @bases)?
  body: (class_body) @body) @scope.class
(interface_declaration
  name: (type_identifier) @name
  type_parameters: (type_parameters)? @generics
  (extends_type_clause)? @bases
  body: (interface_body) @body) @definition.class.interface
(type_alias_declaration
  name: (type_identifier) @name
  type_parameters: (type_parameters)? @generics
  value: (object_type) @body) @definition.class.interface
(enum_declaration
  name: (identifier) @name
  body: (enum_body) @body) @definition.class.enum
(internal_module name: (identifier) @name body: (statement_block) @body) @definition.class.namespace
(module name: (identifier) @name body: (statement_block) @body) @definition.class.namespace
(object) @scope.class.object
(object_type) @scope.class.interface
(spread_element (_) @value) @extends  ; of an object: that of a list is none

(function_declaration
  "async"? @async
  name: (identifier) @name
  type_parameters: (type_parameters)? @generics
  parameters: (formal_parameters) @parameters
  return_type: [(type_annotation) (type_predicate_annotation) (asserts_annotation)]? @returns
  body: (statement_block) @body) @definition.function
(generator_function_declaration
  "async"? @async
  name: (identifier) @name
  type_parameters: (type_parameters)? @generics
  parameters: (formal_parameters) @parameters
  return_type: [(type_annotation) (type_predicate_annotation) (asserts_annotation)]? @returns
  body: (statement_block) @body) @definition.function
(function_signature
  name: (identifier) @name
  type_parameters: (type_parameters)? @generics
  parameters: (formal_parameters) @parameters
  return_type: [(type_annotation) (type_predicate_annotation) (asserts_annotation)]? @returns) @definition.function

(method_definition
  ["get" "set"]
  name: [(property_identifier) (private_property_identifier)] @name
  parameters: (formal_parameters) @parameters
  return_type: [(type_annotation) (type_predicate_annotation) (asserts_annotation)]? @returns
  body: (statement_block) @body) @definition.function.property
(method_definition
  "static"? @static
  "async"? @async
  name: [
    (property_identifier) (private_property_identifier) (computed_property_name) (string)
  ] @name
  type_parameters: (type_parameters)? @generics
  parameters: (formal_parameters) @parameters
  return_type: [(type_annotation) (type_predicate_annotation) (asserts_annotation)]? @returns
  body: (statement_block) @body) @definition.function
(abstract_method_signature
  ["get" "set"]
  name: [(property_identifier) (private_property_identifier)] @name
  parameters: (formal_parameters) @parameters
  return_type: [(type_annotation) (type_predicate_annotation) (asserts_annotation)]? @returns) @definition.function.property
(abstract_method_signature
  name: [
    (property_identifier) (private_property_identifier) (computed_property_name) (string)
  ] @name
  type_parameters: (type_parameters)? @generics
  parameters: (formal_parameters) @parameters
  return_type: [(type_annotation) (type_predicate_annotation) (asserts_annotation)]? @returns) @definition.function
(method_signature
  ["get" "set"]
  name: [(property_identifier) (private_property_identifier)] @name
  parameters: (formal_parameters) @parameters
  return_type: [(type_annotation) (type_predicate_annotation) (asserts_annotation)]? @returns) @definition.function.property
(method_signature
  "static"? @static
  name: [
    (property_identifier) (private_property_identifier) (computed_property_name) (string)
  ] @name
  type_parameters: (type_parameters)? @generics
  parameters: (formal_parameters) @parameters
  return_type: [(type_annotation) (type_predicate_annotation) (asserts_annotation)]? @returns) @definition.function

(arrow_function
  "async"? @async
  type_parameters: (type_parameters)? @generics
  parameters: (formal_parameters) @parameters
  return_type: [(type_annotation) (type_predicate_annotation) (asserts_annotation)]? @returns
  body: (_) @body) @scope.function
(arrow_function "async"? @async parameter: (identifier) @parameters body: (_) @body) @scope.function
(function_expression
  "async"? @async
  name: (identifier)? @name
  type_parameters: (type_parameters)? @generics
  parameters: (formal_parameters) @parameters
  return_type: [(type_annotation) (type_predicate_annotation) (asserts_annotation)]? @returns
  body: (statement_block) @body) @scope.function.function
(generator_function
  "async"? @async
  name: (identifier)? @name
  type_parameters: (type_parameters)? @generics
  parameters: (formal_parameters) @parameters
  return_type: [(type_annotation) (type_predicate_annotation) (asserts_annotation)]? @returns
  body: (statement_block) @body) @scope.function.function

; What is written in place has the name of what it is assigned to.
(variable_declarator
  name: (identifier) @name
  value: [
    (arrow_function) (function_expression) (generator_function) (class) (object)
  ] @body) @definition.lambda
(variable_declarator
  name: (identifier) @name
  value: (parenthesized_expression
    [(arrow_function) (function_expression)] @body)) @definition.lambda
(variable_declarator
  name: (identifier) @name
  value: (as_expression . (parenthesized_expression
    [(arrow_function) (function_expression)] @body))) @definition.lambda
(variable_declarator
  name: (identifier) @name
  value: (satisfies_expression . (parenthesized_expression
    [(arrow_function) (function_expression)] @body))) @definition.lambda
(variable_declarator
  name: (identifier) @name
  value: (as_expression . [(function_expression) (object)] @body)) @definition.lambda
(variable_declarator
  name: (identifier) @name
  value: (satisfies_expression . [(function_expression) (object)] @body)) @definition.lambda
(variable_declarator
  name: (identifier) @name
  value: (satisfies_expression . (as_expression . (object) @body))) @definition.lambda
(variable_declarator
  name: (identifier) @name
  value: (non_null_expression (parenthesized_expression
    [(arrow_function) (function_expression)] @body))) @definition.lambda
(pair
  key: [(property_identifier) (string)] @name
  value: [
    (arrow_function) (function_expression) (generator_function) (class) (object)
  ] @body) @definition.lambda
(public_field_definition
  name: [(property_identifier) (private_property_identifier)] @name
  value: [(arrow_function) (function_expression) (class) (object)] @body) @definition.lambda
(assignment_expression
  left: (member_expression object: (_) @owner property: (_) @name)
  right: [
    (arrow_function) (function_expression) (generator_function) (class) (object)
  ] @body) @definition.lambda
(export_statement
  "default" @name
  value: [(arrow_function) (function_expression) (class) (object)] @body) @definition.lambda
(export_statement
  "default" @name value: (as_expression . (object) @body)) @definition.lambda
(export_statement
  "default" @name value: (satisfies_expression . (object) @body)) @definition.lambda

[(for_in_statement) (for_statement) (catch_clause)] @scope.block
(statement_block (lexical_declaration)) @scope.block
(statement_block (class_declaration)) @scope.block
(statement_block (function_declaration)) @scope.block
(switch_body) @scope.block
(module name: (string)) @scope.block  ; what it holds is not the file's

(decorator (_) @value) @decorator
(public_field_definition decorator: (decorator (_) @value) name: (_) @of) @decorator

(return_statement (_) @value) @return
(yield_expression (_) @value) @yield
(yield_expression) @generator

[(if_statement) (for_statement) (for_in_statement) (while_statement) (do_statement)
 (catch_clause) (ternary_expression) (switch_case)] @branch
(binary_expression operator: ["&&" "||" "??"]) @branch

(type_annotation) @region.annotation
(type_arguments) @region.annotation
(type_parameters) @region.annotation
(implements_clause) @region.annotation
(type_query) @region.annotation

; Names that stand for types here alone.
[(type_alias_declaration) (call_signature) (construct_signature) (type_arguments)] @region.generic
(type_parameter name: (_) @name) @generic
(infer_type . (type_identifier) @name) @generic
(mapped_type_clause name: (_) @name) @generic
