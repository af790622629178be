; The parts of one parameter, asked of one node at a time.

(required_parameter
  [(accessibility_modifier) "readonly"]
  pattern: (identifier) @name
  type: (type_annotation (_) @type)?
  value: (_)? @value) @parameter.field
(optional_parameter
  [(accessibility_modifier) "readonly"]
  pattern: (identifier) @name
  type: (type_annotation (_) @type)?) @parameter.field
(required_parameter
  pattern: (rest_pattern (_) @name) type: (type_annotation (_) @type)?) @parameter.rest
(required_parameter
  pattern: (_) @name type: (type_annotation (_) @type)? value: (_)? @value) @parameter
(optional_parameter pattern: (_) @name type: (type_annotation (_) @type)?) @parameter
(type_parameter name: (_) @name constraint: (constraint (_) @type)?) @parameter
(identifier) @parameter
