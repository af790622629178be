; What the left side of a binding unpacks into.

(tuple_pattern) @target.sequence
(ref_pattern [(identifier) (tuple_pattern)] @name) @target.same
(mut_pattern [(identifier) (tuple_pattern)] @name) @target.same
(reference_pattern [(identifier) (tuple_pattern) (mut_pattern)] @name) @target.same
