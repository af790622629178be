; What names and attributes may hold.

(assignment left: (_) @target type: (_) @type) @binding.declared
(assignment left: (_) @target right: (_) @value) @binding.value
(named_expression name: (identifier) @target value: (_) @value) @binding.value
(named_expression name: (identifier) @target) @binding.hoisted
(augmented_assignment left: (_) @target right: (_) @value) @binding.added
; What a module lists as exported may be listed bit by bit.
(call
  function: (attribute object: (identifier) @target attribute: (identifier) @_method)
  arguments: (argument_list . (list) @value .)
  (#eq? @target "__all__") (#eq? @_method "extend")) @binding.value
(type_alias_statement left: (type (identifier) @target) right: (_) @type) @binding.alias
(type_alias_statement
  left: (type (generic_type . (identifier) @target)) right: (_) @type) @binding.alias

(for_statement "async"? @async left: (_) @target right: (_) @value) @binding.element
(for_in_clause "async"? @async left: (_) @target right: (_) @value) @binding.drawn
(with_item value: (as_pattern . (_) @value alias: (as_pattern_target (_) @target))) @binding.entered
(except_clause value: (as_pattern . (_) @value alias: (as_pattern_target (_) @target))) @binding.caught

(as_pattern
  (case_pattern (class_pattern . (dotted_name) @value)) (identifier) @target) @binding.caught
(as_pattern (case_pattern
  (class_pattern . (dotted_name) @value (case_pattern (keyword_pattern) @target)))) @binding.caught
(class_pattern . (dotted_name) @value (case_pattern (keyword_pattern) @target)) @binding.caught
(case_pattern (dotted_name . (identifier) @target .)) @binding.opaque
(keyword_pattern (_) (dotted_name . (identifier) @target .)) @binding.opaque
(as_pattern (case_pattern) (identifier) @target) @binding.opaque
(splat_pattern (identifier) @target) @binding.opaque

(delete_statement (identifier) @target) @binding.deleted
(delete_statement
  [(expression_list (identifier) @target) (tuple (identifier) @target) (list (identifier) @target)]
) @binding.deleted
(global_statement (identifier) @target) @binding.global
(nonlocal_statement (identifier) @target) @binding.nonlocal
