; What fields, constants and variables are declared to be, and what they are made with.
;
; `=` sets what is declared elsewhere.

(field_declaration name: (field_identifier) @target type: (_) @type) @binding.declared

(var_spec name: (identifier) @target type: (_) @type) @binding.declared
(const_declaration (const_spec name: (identifier) @target type: (_) @type)) @binding.declared
; The first constant of a group says what those are that have neither type nor value.
(const_declaration
  . (const_spec type: (_) @type)
  (const_spec name: (identifier) @target !type !value)) @binding.declared
(const_declaration (const_spec name: (identifier) @target !value)) @binding.opaque
(const_declaration (const_spec name: (identifier) @target . "," . name: (_))) @binding.opaque
(const_declaration (const_spec "," . name: (identifier) @target)) @binding.opaque
(type_alias name: (type_identifier) @target type: (_) @value) @binding.value

; One of each, several of each, and several out of one call.
(var_spec . name: (identifier) @target . value: (expression_list . (_) @value .)) @binding.value
(var_spec
  . name: (identifier) @target . type: (_) . value: (expression_list . (_) @value .)) @binding.value
(const_declaration (const_spec
  . name: (identifier) @target . value: (expression_list . (_) @value .))) @binding.value
(short_var_declaration
  left: (expression_list . (_) @target .) right: (expression_list . (_) @value .)) @binding.value
(short_var_declaration
  left: (expression_list . (_) . (_)) @target
  right: (expression_list . (_) . (_)) @value) @binding.value
(short_var_declaration
  left: (expression_list . (_) . (_)) @target
  right: (expression_list . (call_expression) @value .)) @binding.value
; `value, ok`
(short_var_declaration
  left: (expression_list . (_) @target . (_) .)
  right: (expression_list
    . [(type_assertion_expression) (index_expression) (unary_expression)] @value .)) @binding.value
(short_var_declaration
  left: (expression_list . (_) . (_) @target .)
  right: (expression_list
    . [(type_assertion_expression) (index_expression) (unary_expression)] .)) @binding.opaque

; What a switch looks into is of the type of its case where that names one.
(type_switch_statement
  alias: (expression_list . (identifier) @target .) value: (_) @value) @binding.value
(type_switch_statement
  alias: (expression_list . (identifier) @target .)
  (type_case "case" . type: (_) @type . ":") @region) @binding.narrowed

(range_clause left: (expression_list . (_) @target .) right: (_) @value) @binding.key
(range_clause left: (expression_list . (_) . (_) @target .) right: (_) @value) @binding.element
(range_clause left: (expression_list . (_) @target . (_) .) right: (_) @value) @binding.key
(send_statement channel: (_) @target value: (_) @value) @binding.sent
(receive_statement left: (expression_list . (_) @target) right: (_) @value) @binding.value
(receive_statement left: (expression_list . (_) . (_) @target .)) @binding.opaque

(assignment_statement
  left: (expression_list . (_) @target .)
  operator: "="
  right: (expression_list . (_) @value .)) @binding.assigned
(assignment_statement
  left: (expression_list . (_) . (_)) @target
  operator: "="
  right: (expression_list . (_) . (_)) @value) @binding.assigned
(assignment_statement
  left: (expression_list . (_) . (_)) @target
  operator: "="
  right: (expression_list . (call_expression) @value .)) @binding.assigned
