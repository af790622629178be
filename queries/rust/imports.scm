; What is taken from elsewhere: trees of paths, and files that are modules.

(mod_item name: (identifier) @module !body) @import.module
(extern_crate_declaration name: (identifier) @module !alias) @import.module
(extern_crate_declaration name: (identifier) @module alias: (identifier) @alias) @import.module

(scoped_use_list path: (_) @module) @import.within
(use_declaration argument: (identifier) @module) @import.module
(use_declaration
  argument: (scoped_identifier path: (_) @module name: (identifier) @name)) @import.name
(use_declaration
  argument: (use_as_clause path: (identifier) @module alias: (identifier) @alias)) @import.module
(use_list [(identifier) (self)] @name) @import.name
(use_list (scoped_identifier path: (_) @module name: (identifier) @name)) @import.name
(use_list
  (use_as_clause path: [(identifier) (self)] @name alias: (identifier) @alias)) @import.name
(use_as_clause
  path: (scoped_identifier path: (_) @module name: (_) @name)
  alias: (identifier) @alias) @import.name
(use_wildcard (_) @module) @import.wildcard
(use_wildcard . "*") @import.wildcard
