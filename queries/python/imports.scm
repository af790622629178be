; What is taken from elsewhere, and the name it gets here.

(import_statement name: (dotted_name) @module) @import.module
(import_statement name: (aliased_import name: (dotted_name) @module alias: (identifier) @alias)) @import.module

(import_from_statement module_name: (dotted_name) @module name: (dotted_name) @name) @import.name
(import_from_statement module_name: (dotted_name) @module
  name: (aliased_import name: (dotted_name) @name alias: (identifier) @alias)) @import.name
(import_from_statement module_name: (dotted_name) @module (wildcard_import)) @import.wildcard

(import_from_statement
  module_name: (relative_import (import_prefix) @level (dotted_name)? @module)
  name: (dotted_name) @name) @import.name
(import_from_statement
  module_name: (relative_import (import_prefix) @level (dotted_name)? @module)
  name: (aliased_import name: (dotted_name) @name alias: (identifier) @alias)) @import.name
(import_from_statement
  module_name: (relative_import (import_prefix) @level (dotted_name)? @module)
  (wildcard_import)) @import.wildcard
