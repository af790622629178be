; What the left side of a binding unpacks into, and the patterns of `match` and its like.

[(tuple_pattern) (slice_pattern)] @target.sequence
(tuple_struct_pattern type: (_) @type) @target.variant
(struct_pattern type: (_) @type) @target.variant
(field_pattern name: (shorthand_field_identifier) @key) @target.member
(field_pattern name: (field_identifier) @key pattern: (_) @name) @target.member
(field_pattern name: (field_identifier) @key) @target.field
[(or_pattern) (captured_pattern)] @target.members
(remaining_field_pattern) @target.rest
(scoped_identifier) @target.compared
(ref_pattern (_) @name) @target.same
(mut_pattern (mutable_specifier) (_) @name) @target.same
(reference_pattern (mutable_specifier)? (_) @name .) @target.same
