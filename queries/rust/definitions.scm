; Types, traits, functions, implementations, modules in place, blocks, and where execution branches.

(struct_item
  name: (type_identifier) @name
  type_parameters: (type_parameters)? @generics
  body: (ordered_field_declaration_list) @parameters
  (where_clause)? @limits) @definition.class.struct
(struct_item
  name: (type_identifier) @name
  type_parameters: (type_parameters)? @generics
  (where_clause)? @limits
  body: (field_declaration_list)? @body) @definition.class.struct
(union_item
  name: (type_identifier) @name
  type_parameters: (type_parameters)? @generics
  (where_clause)? @limits
  body: (_) @body) @definition.class.union
(enum_item
  name: (type_identifier) @name
  type_parameters: (type_parameters)? @generics
  (where_clause)? @limits
  body: (_) @body) @definition.class.enum
(trait_item
  name: (type_identifier) @name
  type_parameters: (type_parameters)? @generics
  bounds: (trait_bounds)? @bases
  (where_clause)? @limits
  body: (_) @body) @definition.class.trait
(mod_item name: (identifier) @name body: (_) @body) @definition.class.namespace

(impl_item
  type_parameters: (type_parameters)? @generics
  trait: (_)? @bases
  type: (_) @class
  (where_clause)? @limits
  body: (_) @body) @definition.extension

(function_item
  name: (identifier) @name
  type_parameters: (type_parameters)? @generics
  parameters: (parameters) @parameters
  return_type: (_)? @returns
  (where_clause)? @limits
  body: (block) @body) @definition.function
(function_signature_item
  name: (identifier) @name
  type_parameters: (type_parameters)? @generics
  parameters: (parameters) @parameters
  return_type: (_)? @returns
  (where_clause)? @limits) @definition.function
(macro_definition
  name: (identifier) @name (macro_rule) @parameters @header) @definition.function.macro

(closure_expression
  parameters: (closure_parameters) @parameters
  return_type: (_)? @returns
  body: (_) @body) @scope.function
(let_declaration
  pattern: (identifier) @name value: (closure_expression body: (_) @body)) @definition.lambda

[(block) (for_expression) (while_expression) (if_expression) (match_arm)] @scope.block

(return_expression (_) @value) @return

[(if_expression) (for_expression) (while_expression) (match_arm)] @branch
(binary_expression operator: ["&&" "||"]) @branch

; Of attributes only those that mark tests, or say how other languages reach what follows, are read:
; most stand on what is no definition.
(attribute_item (attribute . (identifier) @_name) @value
  (#any-of? @_name "test" "bench" "no_mangle" "export_name" "unsafe" "pyfunction" "pymodule"
    "pyclass" "pymethods")) @decorator
(attribute_item (attribute . (scoped_identifier name: (identifier) @_name)) @value
  (#any-of? @_name "test" "bench" "pyfunction" "pymodule" "pyclass" "pymethods")) @decorator
