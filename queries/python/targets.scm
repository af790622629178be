; What a binding's left side unpacks into, asked of one node at a time.

(pattern_list) @target.sequence
(tuple_pattern . "(" . (_) @name . ")" .) @target.same
(tuple_pattern) @target.sequence
(list_pattern) @target.sequence
(tuple) @target.sequence
(list) @target.sequence
(list_splat_pattern (_) @name) @target.rest
(list_splat (_) @name) @target.rest
(keyword_pattern . (identifier) @key (dotted_name . (identifier) @name .)) @target.member
(keyword_pattern . (identifier) @key) @target.field
