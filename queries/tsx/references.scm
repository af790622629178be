; What elements of markup use.

(jsx_expression [(identifier) (member_expression)] @reference.value)
