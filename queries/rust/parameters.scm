; The parts of parameters and of type parameters.

(parameter pattern: [(_) "_"] @name type: (_) @type) @parameter
(self_parameter (self) @name) @parameter
(type_parameter
  name: (type_identifier) @name
  bounds: (trait_bounds) @type
  default_type: (_)? @value) @parameter
(type_parameter name: (type_identifier) @name !bounds default_type: (_)? @value) @parameter
(const_parameter name: (identifier) @name type: (_) @value) @parameter
(where_predicate left: (type_identifier) @name bounds: (trait_bounds) @type) @parameter
(where_predicate
  left: (higher_ranked_trait_bound type: (type_identifier) @name)
  bounds: (trait_bounds) @type) @parameter
(identifier) @parameter

; Types that stand alone: of the fields of a tuple struct, and of what a function takes.
[(type_identifier) (primitive_type) (scoped_type_identifier) (generic_type) (reference_type)
 (pointer_type) (tuple_type) (array_type) (function_type) (dynamic_type) (abstract_type)
 (unit_type)] @parameter.placed
