; Packages by their paths.

(import_spec
  !name path: (interpreted_string_literal (interpreted_string_literal_content) @module)) @import.module
(import_spec
  name: [(package_identifier) (blank_identifier)] @alias
  path: (interpreted_string_literal (interpreted_string_literal_content) @module)) @import.module
(import_spec
  name: (dot)
  path: (interpreted_string_literal (interpreted_string_literal_content) @module)) @import.wildcard
