; The parts of one parameter, asked of one node at a time.

(identifier) @parameter
(default_parameter name: (identifier) @name value: (_) @value) @parameter
(typed_parameter . (identifier) @name type: (_) @type) @parameter
(typed_default_parameter name: (identifier) @name type: (_) @type value: (_) @value) @parameter
(list_splat_pattern (identifier) @name) @parameter.rest
(dictionary_splat_pattern (identifier) @name) @parameter.keywords
(typed_parameter . (list_splat_pattern (identifier) @name) type: (_) @type) @parameter.rest
(typed_parameter . (dictionary_splat_pattern (identifier) @name) type: (_) @type) @parameter.keywords
; What a type parameter is bound by, or constrained to.
(type (constrained_type (type) . (type (tuple "(" (_) @type ("," (_) @type)* ","? ")")))) @parameter
(type (constrained_type (type) . (type) @type)) @parameter
