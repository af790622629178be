; Classes, methods, what annotates them, blocks with names of their own, and where execution
; branches.

(class_declaration
  (modifiers)? @decorators
  name: (identifier) @name
  type_parameters: (type_parameters)? @generics
  superclass: (superclass)? @bases
  interfaces: (super_interfaces (type_list) @bases)?
  permits: (permits)? @header
  body: (class_body) @body) @definition.class
(interface_declaration
  (modifiers)? @decorators
  name: (identifier) @name
  type_parameters: (type_parameters)? @generics
  (extends_interfaces (type_list) @bases)?
  permits: (permits)? @header
  body: (interface_body) @body) @definition.class.interface
(enum_declaration
  (modifiers)? @decorators
  name: (identifier) @name
  interfaces: (super_interfaces (type_list) @bases)?
  body: (enum_body) @body) @definition.class.enum
(record_declaration
  (modifiers)? @decorators
  name: (identifier) @name
  type_parameters: (type_parameters)? @generics
  parameters: (formal_parameters) @parameters
  interfaces: (super_interfaces (type_list) @bases)?
  body: (class_body) @body) @definition.class.record
(annotation_type_declaration
  (modifiers)? @decorators
  name: (identifier) @name
  body: (annotation_type_body) @body) @definition.class.annotation
; What is written where an instance is made extends what is named there.
(object_creation_expression type: (_) @bases (class_body) @body @scope.class.object)
(enum_constant
  name: (identifier) @name
  arguments: (argument_list)? @header
  body: (class_body) @body) @scope.class.constant

(method_declaration
  (modifiers "static"? @static)? @decorators
  type_parameters: (type_parameters)? @generics
  (marker_annotation)* @header
  type: (_) @returns
  name: (identifier) @name
  parameters: (formal_parameters) @parameters
  (throws)? @header
  body: (block)? @body) @definition.function
(annotation_type_element_declaration
  (modifiers)? @decorators
  type: (_) @returns name: (identifier) @name "(" @parameters
  value: (_)? @header) @definition.function
(constructor_declaration
  (modifiers)? @decorators
  type_parameters: (type_parameters)? @generics
  name: (identifier) @name
  parameters: (formal_parameters) @parameters
  (throws)? @header
  body: (constructor_body) @body) @definition.function.constructor
(lambda_expression
  parameters: [(identifier) (inferred_parameters) (formal_parameters)] @parameters
  body: (_) @body) @scope.function

[(block) (enhanced_for_statement) (for_statement) (catch_clause) (try_with_resources_statement)
 (switch_block_statement_group) (switch_rule)] @scope.block

(modifiers [(annotation) (marker_annotation)] @value) @decorator
(field_declaration
  (modifiers [(annotation) (marker_annotation)] @value)
  declarator: (variable_declarator name: (_) @of)) @decorator
(local_variable_declaration
  (modifiers [(annotation) (marker_annotation)] @value)
  declarator: (variable_declarator name: (_) @of)) @decorator
(constant_declaration
  (modifiers [(annotation) (marker_annotation)] @value)
  declarator: (variable_declarator name: (_) @of)) @decorator
(enum_constant
  (modifiers [(annotation) (marker_annotation)] @value) name: (_) @of) @decorator
(enhanced_for_statement
  (modifiers [(annotation) (marker_annotation)] @value) name: (_) @of) @decorator
(catch_formal_parameter
  (modifiers [(annotation) (marker_annotation)] @value) name: (_) @of) @decorator
(resource
  (modifiers [(annotation) (marker_annotation)] @value) name: (_) @of) @decorator
(package_declaration
  [(annotation) (marker_annotation)] @value [(scoped_identifier) (identifier)] @of) @decorator

(package_declaration [(scoped_identifier) (identifier)] @name) @package

(return_statement (_) @value) @return

[(if_statement) (for_statement) (enhanced_for_statement) (while_statement) (do_statement)
 (catch_clause) (ternary_expression) (switch_label)] @branch
(binary_expression operator: ["&&" "||"]) @branch
