; The parts of one parameter, asked of one node at a time.

(required_parameter
  [(accessibility_modifier) "readonly"]
  pattern: (identifier) @name
  type: (type_annotation) @type?
  value: (_)? @value) @parameter.field
(optional_parameter
  [(accessibility_modifier) "readonly"]
  pattern: (identifier) @name
  type: (type_annotation) @type?) @parameter.field
(required_parameter
  pattern: (rest_pattern (_) @name) type: (type_annotation) @type?) @parameter.rest
(required_parameter
  pattern: (_) @name type: (type_annotation) @type? value: (_)? @value) @parameter
(optional_parameter pattern: (_) @name type: (type_annotation) @type?) @parameter
(type_parameter name: (_) @name constraint: (constraint)? @type) @parameter
(identifier) @parameter
