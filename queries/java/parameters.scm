; The parts of one parameter, asked of one node at a time.

(formal_parameter type: (_) @type name: (identifier) @name) @parameter
(type_parameter . (type_identifier) @name (type_bound . (_) @type)) @parameter
(spread_parameter (_) @type . (variable_declarator name: (identifier) @name)) @parameter.rest
(identifier) @parameter
