; Classes, methods, what documents them, blocks with names of their own, and where execution branches.

(class_declaration
  name: (identifier) @name
  type_parameters: (type_parameters)? @generics
  superclass: (superclass)? @bases
  interfaces: (super_interfaces (type_list) @bases)?
  body: (class_body) @body) @definition.class
(interface_declaration
  name: (identifier) @name
  type_parameters: (type_parameters)? @generics
  (extends_interfaces (type_list) @bases)?
  body: (interface_body) @body) @definition.class.interface
(enum_declaration
  name: (identifier) @name
  interfaces: (super_interfaces (type_list) @bases)?
  body: (enum_body) @body) @definition.class.enum

(method_declaration
  type_parameters: (type_parameters)? @generics
  type: (_) @returns
  name: (identifier) @name
  parameters: (formal_parameters) @parameters
  body: (block) @body) @definition.function
; The end of a method without a body stands for it.
(method_declaration
  type_parameters: (type_parameters)? @generics
  type: (_) @returns
  name: (identifier) @name
  parameters: (formal_parameters) @parameters
  ";" @body) @definition.function
(constructor_declaration
  type_parameters: (type_parameters)? @generics
  name: (identifier) @name
  parameters: (formal_parameters) @parameters
  body: (constructor_body) @body) @definition.function.constructor

[(block) (enhanced_for_statement) (for_statement) (catch_clause) (try_with_resources_statement)
 (lambda_expression) (switch_block_statement_group)] @scope.block

(return_statement (_) @value) @return

[(if_statement) (for_statement) (enhanced_for_statement) (while_statement) (do_statement)
 (catch_clause) (ternary_expression) (switch_label)] @branch
(binary_expression operator: ["&&" "||"]) @branch
