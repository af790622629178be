; The parts of one parameter, asked of one node at a time.

(required_parameter
  decorator: (decorator)* @decorators
  [(accessibility_modifier) "readonly"]
  pattern: (identifier) @name
  type: (type_annotation) @type?
  value: (_)? @value) @parameter.field
(optional_parameter
  decorator: (decorator)* @decorators
  [(accessibility_modifier) "readonly"]
  pattern: (identifier) @name
  type: (type_annotation) @type?) @parameter.field
; What takes the rest is declared with the type of all of it; meant is that of each.
(required_parameter
  pattern: (rest_pattern (_) @name) type: (type_annotation (array_type . (_) @type))) @parameter.rest
(required_parameter
  pattern: (rest_pattern (_) @name)
  type: (type_annotation (generic_type
    name: (_) @around type_arguments: (type_arguments . (_) @type .)))) @parameter.rest
(required_parameter
  pattern: (rest_pattern (_) @name) type: (type_annotation)? @around) @parameter.rest
(required_parameter
  decorator: (decorator)* @decorators
  pattern: (_) @name type: (type_annotation) @type? value: (_)? @value) @parameter
(optional_parameter
  decorator: (decorator)* @decorators pattern: (_) @name type: (type_annotation) @type?) @parameter
(type_parameter
  name: (_) @name constraint: (constraint)? @type value: (default_type)? @value) @parameter
(identifier) @parameter
