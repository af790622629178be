; An element of markup is made by calling its component; names in lower case are the page's own.

(jsx_self_closing_element name: (_) @base (#match? @base "^[A-Z_$]|[.]")) @expression.call
(jsx_opening_element name: (_) @base (#match? @base "^[A-Z_$]|[.]")) @expression.call
