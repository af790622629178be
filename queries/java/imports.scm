; What is taken from elsewhere: a class by its full name, whose last part is the name it gets here;
; a static member out of a class.

(import_declaration
  "static" (scoped_identifier scope: (_) @module name: (identifier) @name) . ";") @import.name
(import_declaration
  (scoped_identifier name: (identifier) @alias) @module . ";") @import.module
(import_declaration [(scoped_identifier) (identifier)] @module . "." . (asterisk)) @import.wildcard
