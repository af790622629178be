; The parts of one parameter, asked of one node at a time.

(formal_parameter (modifiers)? @decorators type: (_) @type name: (identifier) @name) @parameter
(type_parameter (type_identifier) @name (type_bound (_) @type ("&" (_) @type)*)) @parameter
(spread_parameter
  (modifiers)? @decorators
  (_) @type . (variable_declarator name: (identifier) @name)) @parameter.rest
(identifier) @parameter
