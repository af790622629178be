; What is taken from elsewhere: a class by its full name, whose last part is the name it gets here.

(import_declaration
  (scoped_identifier name: (identifier) @alias) @module . ";") @import.module
(import_declaration [(scoped_identifier) (identifier)] @module . "." . (asterisk)) @import.wildcard
