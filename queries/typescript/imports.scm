; What is taken from elsewhere. What a file gives out under another name, it takes from itself.

(import_statement "import" . source: (string (string_fragment) @module)) @import.module
(import_statement
  "type"? @type_only
  (import_clause (identifier) @alias) source: (string (string_fragment) @module)) @import.default
(import_statement
  "type"? @type_only
  (import_clause (namespace_import (identifier) @alias))
  source: (string (string_fragment) @module)) @import.module
(import_statement
  "type"? @type_only
  (import_clause (named_imports)) source: (string (string_fragment) @module)) @import.within
(import_specifier "type"? @type_only name: (_) @name alias: (_)? @alias) @import.name
(import_statement
  (import_require_clause
    (identifier) @alias source: (string (string_fragment) @module))) @import.module
(export_statement
  "type"? @type_only (export_clause) source: (string (string_fragment) @module)) @import.within
(export_specifier "type"? @type_only name: (_) @name alias: (_)? @alias) @export.name
(export_statement "*" source: (string (string_fragment) @module)) @import.wildcard
(export_statement
  (namespace_export (_) @alias) source: (string (string_fragment) @module)) @import.module
(export_statement "default" value: (_) @value) @export.default
; In a file with an import or an export, and in a namespace with one, other names are private.
(import_statement) @visibility
(export_statement) @visibility
(export_statement declaration: (_) @declaration) @visibility
(ambient_declaration "global" (statement_block) @declaration) @visibility
(export_statement "default" @name) @visibility
(export_statement "default" value: (identifier) @name) @visibility
(export_statement "=" (identifier) @name) @visibility
(export_specifier name: (_) @name) @visibility
(export_statement "default" declaration: (_) @value) @export.default
(call_expression
  function: (identifier) @_function arguments: (arguments . (string (string_fragment) @module) .)
  (#eq? @_function "require")) @import.module
(call_expression
  function: (import) arguments: (arguments . (string (string_fragment) @module))) @import.module
