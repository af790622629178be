; What fields and variables are declared to be; `var` leaves it to the value.

(field_declaration
  type: (_) @type declarator: (variable_declarator name: (identifier) @target)) @binding.declared
(field_declaration declarator:
  (variable_declarator name: (identifier) @target value: (_) @value)) @binding.value
(constant_declaration
  type: (_) @type declarator: (variable_declarator name: (identifier) @target)) @binding.declared
(constant_declaration declarator:
  (variable_declarator name: (identifier) @target value: (_) @value)) @binding.value
(local_variable_declaration
  type: (_) @type declarator: (variable_declarator name: (identifier) @target)
  (#not-eq? @type "var")) @binding.declared
(local_variable_declaration declarator:
  (variable_declarator name: (identifier) @target value: (_) @value)) @binding.value
(enhanced_for_statement type: (_) @type name: (identifier) @target
  (#not-eq? @type "var")) @binding.declared
(enhanced_for_statement name: (identifier) @target value: (_) @value) @binding.element
(resource type: (_) @type name: (identifier) @target (#not-eq? @type "var")) @binding.declared
(resource name: (identifier) @target value: (_) @value) @binding.value
(resource name: (_) value: (_) @value) @operation.entered
(catch_formal_parameter (catch_type (_) @type) name: (identifier) @target) @binding.declared
(assignment_expression
  left: [(identifier) (field_access)] @target operator: "=" right: (_) @value) @binding.assigned

; Patterns.
(instanceof_expression right: (_) @type name: (identifier) @target) @binding.declared
(type_pattern (_) @type (identifier) @target) @binding.declared
(record_pattern_component (_) @type (identifier) @target
  (#not-eq? @type "var")) @binding.declared

(enum_constant name: (identifier) @target) @binding.opaque
