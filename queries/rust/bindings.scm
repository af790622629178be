; What fields, constants and variables are declared to be, and what they are made with.

(field_declaration name: (field_identifier) @target type: (_) @type) @binding.declared
(associated_type name: (type_identifier) @target) @binding.opaque
(enum_variant name: (identifier) @target) @binding.opaque
(enum_variant
  name: (identifier) @target body: (ordered_field_declaration_list) @types) @binding.placed
(const_item name: (identifier) @target type: (_) @type) @binding.declared
(const_item name: (identifier) @target value: (_) @value) @binding.value
(static_item name: (identifier) @target type: (_) @type) @binding.declared
(static_item name: (identifier) @target value: (_) @value) @binding.value
(type_item name: (type_identifier) @target type: (_) @type) @binding.alias

(field_declaration
  (visibility_modifier) @modifier name: (field_identifier) @name) @visibility
(const_item (visibility_modifier) @modifier name: (identifier) @name) @visibility
(static_item (visibility_modifier) @modifier name: (identifier) @name) @visibility
(type_item (visibility_modifier) @modifier name: (type_identifier) @name) @visibility

(let_declaration pattern: (_) @target type: (_) @type) @binding.declared
(let_declaration
  pattern: [(identifier) (tuple_pattern) (tuple_struct_pattern) (struct_pattern) (slice_pattern)
    (captured_pattern) (reference_pattern) (ref_pattern)] @target
  value: (_) @value) @binding.value
(for_expression pattern: (_) @target value: (_) @value) @binding.element

; What is taken out of what a `match`, `if let` or `while let` looks into.
(let_condition pattern: (_) @target value: (_) @value) @binding.matched
(match_pattern . (_) @target) @binding.matched
(tuple_struct_pattern type: (_) (identifier) @target) @binding.opaque
(field_pattern name: (shorthand_field_identifier) @target) @binding.opaque
(field_pattern pattern: (identifier) @target) @binding.opaque
; Of what else is taken apart nothing is known.
(tuple_pattern (identifier) @target) @binding.opaque
(slice_pattern (identifier) @target) @binding.opaque
(captured_pattern . (identifier) @target) @binding.opaque
(or_pattern (identifier) @target) @binding.opaque
(mut_pattern (identifier) @target) @binding.opaque
(ref_pattern (identifier) @target) @binding.opaque
(reference_pattern (identifier) @target) @binding.opaque

(assignment_expression left: (field_expression) @target right: (_) @value) @binding.assigned
(assignment_expression left: (identifier) @target right: (_) @value) @binding.assigned
