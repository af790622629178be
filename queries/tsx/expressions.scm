; An element of markup is made by calling its component with one object, whose members are the
; element's attributes; names in lower case are the page's own.

(jsx_self_closing_element
  name: (_) @base attribute: (_)* @argument (#match? @base "^[A-Z_$]|[.]")) @expression.call
(jsx_opening_element
  name: (_) @base attribute: (_)* @argument (#match? @base "^[A-Z_$]|[.]")) @expression.call
(jsx_attribute . (property_identifier) @name . (_) @value) @expression.keyword
(jsx_expression (spread_element (_) @base)) @expression.spread
(jsx_expression (_) @base) @expression.same
