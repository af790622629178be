"""Languages: their manifests, the installed tree-sitter grammars, and their queries."""
