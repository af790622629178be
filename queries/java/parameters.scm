; The parts of one parameter, asked of one node at a time.

(formal_parameter type: (_) @type name: (identifier) @name) @parameter
(spread_parameter (_) @type (variable_declarator name: (identifier) @name)) @parameter.rest
