; The parts of parameters and of type parameters.

(parameter pattern: (_) @name type: (_) @type) @parameter
(self_parameter (self) @name) @parameter
(type_parameter name: (type_identifier) @name bounds: (trait_bounds . (_) @type)) @parameter
(identifier) @parameter
