; What names, members and parameters may hold.

(variable_declaration (variable_declarator) @target) @binding.hoisted
(for_in_statement kind: "var" left: (identifier) @target) @binding.hoisted

(variable_declarator name: (_) @target type: (type_annotation) @type) @binding.declared
(variable_declarator name: (_) @target value: (_) @value) @binding.value
(variable_declarator name: (identifier) @target !value !type) @binding.opaque
(assignment_expression left: (_) @target right: (_) @value) @binding.assigned
(augmented_assignment_expression
  left: (_) @target operator: ["||=" "&&=" "??="] right: (_) @value) @binding.assigned
(for_in_statement left: (_) @target operator: "of" right: (_) @value) @binding.element
(for_in_statement left: (identifier) @target operator: "in") @binding.opaque
(catch_clause parameter: (identifier) @target) @binding.opaque

(public_field_definition
  name: (_) @target type: (type_annotation) @type) @binding.declared
(public_field_definition name: (_) @target value: (_) @value) @binding.value
(public_field_definition name: (_) @target !value !type) @binding.opaque
(property_signature name: (_) @target type: (type_annotation) @type) @binding.declared
(pair key: (_) @target value: (_) @value) @binding.value
(shorthand_property_identifier) @binding.shorthand
(enum_body name: (property_identifier) @target) @binding.opaque
(enum_assignment name: (property_identifier) @target) @binding.opaque
(type_alias_declaration name: (type_identifier) @target value: (_) @type) @binding.alias

(import_alias (identifier) @target "=" (_) @value) @binding.value
(export_statement "=" @target (_) @value) @binding.value
