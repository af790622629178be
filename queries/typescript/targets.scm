; What a binding's left side unpacks into, asked of one node at a time.

(array_pattern) @target.sequence
(rest_pattern (_) @name) @target.rest
(object_pattern) @target.members
(shorthand_property_identifier_pattern) @target.member
(string) @target.key
(number) @target.key
(computed_property_name (_) @value) @target.key
(pair_pattern key: (_) @key value: (_) @name) @target.member
(object_assignment_pattern left: (_) @name right: (_) @value) @target.same
(assignment_pattern left: (_) @name right: (_) @value) @target.same
(parenthesized_expression (_) @name) @target.same
(non_null_expression (_) @name) @target.same
