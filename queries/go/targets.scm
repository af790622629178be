; What the left side of a declaration unpacks into, where it has several parts.

(expression_list) @target.sequence
