; What the left side of a binding unpacks into.

(tuple_pattern) @target.sequence
(ref_pattern (_) @name) @target.same
(mut_pattern (_) @name) @target.same
(reference_pattern (_) @name) @target.same
