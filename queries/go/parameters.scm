; The parts of parameters, results and type parameters; one node may name several.

(parameter_declaration
  . name: (identifier) @name ("," name: (identifier) @name)* type: (_) @type) @parameter
(parameter_declaration !name type: (_) @type) @parameter
(variadic_parameter_declaration name: (identifier)? @name type: (_) @type) @parameter.rest
(type_parameter_declaration
  . name: (identifier) @name ("," name: (identifier) @name)*
  type: (type_constraint . (_) @type ("|" (_) @type)*)) @parameter
